// Defends labels and manifests (docs/guides/labels.md): a scanner reads the barcodes of the page as a printer draws it,
// names in the scripts of India are shaped, nothing is cut in silence, and what was printed is remembered.
// @module-tag full: draws pages and reads their barcodes
import { existsSync, readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawnPages } from '../support/drawnpdf.ts'
import { orderRequest } from '../support/requests.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { zplLabels } from '../support/zplreader.ts'

let box: Sandbox

type Json = Readonly<Record<string, unknown>>

/** An order of a customer, in a file of its own. */
async function ordered(order_id: string, over: Json = {}): Promise<void> {
  const path = box.file(`${order_id.replace(/\W/g, '_')}.json`, JSON.stringify(orderRequest({ order_id, ...over })))
  const made = await box.shipx(['orders', 'create', '--file', path, '--yes'])
  expect([made.stderr, made.exit]).toEqual([expect.any(String), 0])
}

/** A record as another deployment sends it. */
const record = (id: string, attributes: Json): string =>
  JSON.stringify({
    id,
    type: 'shipment',
    attributes: {
      status: 'pending',
      granular_status: 'ready_for_pickup',
      created_at: '2026-09-28T05:00:00.000Z',
      warehouse_id: 'WH7',
      total_price: 499,
      cod_amount: 0,
      is_cod: false,
      zone: 'zone_d',
      carrier: { id: 'C9', name: 'Far Couriers' },
      order: { id: `O-${id}`, display_id: `R-${id}` },
      items: [{ quantity: 2, price: 249.5, name: 'Lamp', sku: 'L-1' }],
      shipping_address: { name: 'Asha', phone: '9812345678', city: 'Pune', state: 'Maharashtra', zip: '411001' },
      ...attributes,
    },
  })

async function imported(...records: readonly string[]): Promise<void> {
  const path = box.file('records.jsonl', `${records.join('\n')}\n`)
  const outcome = await box.shipx(['local', 'import', 'shipments', path, '--yes'])
  expect([outcome.stderr, outcome.exit]).toEqual([expect.any(String), 0])
}

const shipx = (line: string, more: readonly string[] = []): Promise<Outcome> => box.shipx([...line.split(' '), ...more])

const fileOf = (name: string): Buffer => readFileSync(`${box.folder}/${name}`)

/** The labels of some orders as a PDF, and what was said. */
async function printed(name: string, ...words: readonly string[]): Promise<{ pdf: Buffer; said: string }> {
  const outcome = await box.shipx(['orders', 'label', '--out', name, '--force', ...words])
  expect([outcome.stderr, outcome.exit]).toEqual([expect.any(String), 0])
  return { pdf: fileOf(name), said: outcome.stderr }
}

/** The streams of a PDF, unpacked. */
function streamsOf(pdf: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = pdf.indexOf('/FlateDecode'); at !== -1; at = pdf.indexOf('/FlateDecode', at + 1)) {
    const from = pdf.indexOf('stream\n', at) + 7
    found.push(inflateSync(pdf.subarray(from, pdf.indexOf('\nendstream', from))))
  }
  return found
}

beforeAll(async () => {
  box = sandbox()
  await shipx('local warehouse set WH1 400001', [
    '--name',
    'Acme Toys',
    '--address',
    'Plot 7, MIDC, Mumbai',
    '--phone',
    '9820012345',
    '--gstin',
    '27abcde1234f1z5',
  ])
  await ordered('ORD-1001', {
    payment_method: 'COD',
    cod_collectible: 999,
    order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499.5, tax: 53.5, hsn: '6111' }],
  })
  await ordered('ORD-1002', {
    rto_warehouse_id: 'WH1',
    vendor_details: { invoice_number: 'INV/26-27/0917', invoice_date: '2026-09-28' },
  })
})
afterAll(() => box.remove())

describe('what a label says', () => {
  test('a scanner reads the AWB and the order on 4x6 paper, and people read everything else', async () => {
    const { pdf } = await printed('one.pdf', 'ORD-1001')
    const [page, ...more] = await drawnPages(pdf)
    expect([page!.width, page!.height, more.length]).toEqual([812, 1218, 0])
    const awb = /\d{14}/.exec((await shipx('shipments get ORD-1001 --json')).stdout)![0]
    expect(page!.barcodes.toSorted()).toEqual([awb, 'ORD-1001'].toSorted())
    for (const text of [
      'COLLECT Rs 999.00',
      'Asha Rao',
      '12 MG Road',
      'Bengaluru, Karnataka',
      '560001',
      'Phone 9876543221',
      'Order ORD-1001',
      'C-BEN',
      'Weight 500 g',
      '20 x 15 x 10 cm',
      '2 pieces',
      '2 x CR-02 Cotton romper (HSN 6111, Rs 499.50, tax Rs 53.50)',
      'Sold by Acme Toys, GSTIN 27ABCDE1234F1Z5',
      'If undelivered, return to: Acme Toys, Plot 7, MIDC, Mumbai',
      'Printed 2026-09-29 14:00 IST',
      '1 of 1',
    ])
      expect(page!.text).toContain(text)
  })

  test('four labels lie on a sheet of A4, each with its own barcodes', async () => {
    await imported(
      record('a', { tracking_number: '34810000000001' }),
      record('b', { tracking_number: '34810000000002' }),
      record('c', { tracking_number: '34810000000003' }),
    )
    const { pdf } = await printed('a4.pdf', '--size', 'a4', 'ORD-1001', 'ORD-1002', 'R-a', 'R-b', 'R-c')
    const pages = await drawnPages(pdf)
    expect(pages.map(({ barcodes }) => barcodes.length)).toEqual([8, 2])
    expect(pages[0]!.barcodes).toEqual(expect.arrayContaining(['ORD-1001', 'ORD-1002', '34810000000001', 'R-b']))
    expect(pages[0]!.text).toContain('INV/26-27/0917, 2026-09-28')
    expect(pages[1]!.barcodes.toSorted()).toEqual(['34810000000003', 'R-c'])
    expect(pages[0]!.text).toContain('PREPAID')
  })

  test('a long AWB still can be read; one that no label holds is named, and no label is made', async () => {
    const long = ['ABCDEFGHIJ0123456789', 'FMPC1234567890123456789012', 'XYZ-1234-ABCD-5678']
    await imported(
      ...long.map((awb, i) => record(`long${i}`, { tracking_number: awb })),
      record('longest', { tracking_number: 'A'.repeat(60) }),
    )
    for (const size of ['4x6', 'a4']) {
      const { pdf } = await printed('long.pdf', '--size', size, ...long)
      const codes = (await drawnPages(pdf)).flatMap(({ barcodes }) => barcodes)
      expect(codes).toEqual(expect.arrayContaining(long))
    }
    const refused = await shipx('orders label --out none.pdf --json R-longest')
    expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining('that no barcode of this label holds')])
    expect(existsSync(`${box.folder}/none.pdf`)).toBe(false)
  })

  test('bars are whole dots with blank zones beside them', async () => {
    const { pdf } = await printed('bars.pdf', 'ORD-1001')
    const [page] = await drawnPages(pdf)
    // The barcode of 14 digits: 112 modules of 4 dots in the middle of 812.
    const [start, width] = [(812 - 112 * 4) / 2, 112 * 4]
    for (let at = 0; at < width; at += 4) expect([0, 400]).toContain(page!.ink(start + at, 150, 4, 100))
    expect(page!.ink(start - 40, 130, 40, 100) + page!.ink(start + width, 130, 40, 100)).toBe(0)
  })

  test('--hide-phone leaves the phone out, and nothing else', async () => {
    const [page] = await drawnPages((await printed('p.pdf', 'ORD-1001', '--hide-phone')).pdf)
    expect(page!.text).not.toContain('9876543221')
    expect(page!.text).toContain('560001')
  })

  test('a record with city and pincode alone gets a label without a street, and shipx says so', async () => {
    await imported(record('bare', { tracking_number: '34810000000009' }))
    const { pdf, said } = await printed('bare.pdf', 'R-bare')
    expect(said).toContain('1 label without a street: the records have only the city')
    expect(said).toContain('1 label without a return address')
    expect((await drawnPages(pdf))[0]!.text).not.toMatch(/undefined|null|return to/)
  })
})

describe('names of any script', () => {
  const names = {
    devanagari: ['प्रिया क्षत्रिय', 'क्षत्रिय'],
    bengali: ['শ্রীমতী ক্ষমা', 'ক্ষমা'],
    gurmukhi: ['ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'ਗੁਰਪ੍ਰੀਤ'],
    gujarati: ['ક્ષિતિજ પટેલ', 'ક્ષિતિજ'],
    oriya: ['ଶ୍ରୀମତୀ କ୍ଷମା', 'କ୍ଷମା'],
    tamil: ['ஸ்ரீதர் கொண்டா', 'கொண்டா'],
    telugu: ['శ్రీనివాస్ లక్ష్మి', 'లక్ష్మి'],
    kannada: ['ಶ್ರೀನಿವಾಸ ಲಕ್ಷ್ಮಿ', 'ಲಕ್ಷ್ಮಿ'],
    malayalam: ['ശ്രീലക്ഷ്മി മേനോൻ', 'മേനോൻ'],
  } as const

  test.each(Object.entries(names))('a name in %s is shaped: letters join and change places', async (script, [name]) => {
    await ordered(`IN-${script}`, { billing_customer_name: name })
    const { pdf, said } = await printed('in.pdf', `IN-${script}`)
    expect(said).not.toContain('no font')
    const [page] = await drawnPages(pdf)
    // What a reader copies is the name; what it shows are fewer glyphs than letters, none of them "missing" (0).
    expect(page!.text.normalize('NFC')).toContain(name.normalize('NFC').split(' ')[0])
    const content = streamsOf(pdf)
      .map((stream) => stream.toString('latin1'))
      .find((text) => text.includes('/ActualText'))!
    const glyphs = [...content.matchAll(/<([0-9a-f]{4})>/g)].map(([, hex]) => Number.parseInt(hex!, 16))
    expect(glyphs.length).toBeGreaterThan(0)
    expect(glyphs).not.toContain(0)
    if (script !== 'tamil') expect(glyphs.length).toBeLessThan([...name.replace(' ', '')].length)
    expect(page!.ink(60, 430, 400, 50)).toBeGreaterThan(500)
  })

  test('the sign for i stands before its consonant, as Devanagari is read', async () => {
    await ordered('IN-ki', { billing_customer_name: 'कि' })
    await ordered('IN-ka', { billing_customer_name: 'क' })
    const glyphsOf = async (order: string): Promise<readonly string[]> => {
      const { pdf } = await printed('ki.pdf', order)
      const content = streamsOf(pdf)
        .map((stream) => stream.toString('latin1'))
        .join('')
      return [...content.matchAll(/<([0-9a-f]{4})>/g)].map(([, hex]) => hex!)
    }
    const [ka, ki] = [await glyphsOf('IN-ka'), await glyphsOf('IN-ki')]
    expect(ka).toHaveLength(1)
    expect(ki).toHaveLength(2)
    expect(ki[1]).toBe(ka[0])
  })

  test('a label of Latin letters embeds no font; one in Tamil only the glyphs that it shows', async () => {
    expect((await printed('latin.pdf', 'ORD-1001')).pdf.includes('FontFile2')).toBe(false)
    const { pdf } = await printed('tamil.pdf', 'IN-tamil')
    expect([...pdf.toString('latin1').matchAll(/FontFile2/g)]).toHaveLength(1)
    expect(pdf.length).toBeLessThan(20_000)
  })

  test('an emoji is a box that shipx names; controls and turned text are drawn as plain text', async () => {
    await imported(
      record('hostile', {
        tracking_number: '34810000000077',
        shipping_address: {
          name: 'Eve \u202e)gpj.exe(\\ 😀 ^XZ~JR\u0007 <b>',
          address: `${'Very long address, 200 letters. '.repeat(7)}\n12/B`,
          city: 'Pune',
          state: 'Maharashtra',
          zip: '411001',
          phone: '9812345678',
        },
        items: Array.from({ length: 50 }, (_, i) => ({ quantity: 3, price: 10, name: `Thing ${i}`, sku: `S-${i}` })),
      }),
    )
    const { pdf, said } = await printed('hostile.pdf', 'R-hostile')
    expect(said).toContain('letters that no font here has: a box stands for each')
    const [page] = await drawnPages(pdf)
    expect(page!.text).toContain('Eve )gpj.exe(\\')
    expect(page!.text).toContain('^XZ~JR <b>')
    expect(page!.text).toMatch(/200 letters\. 12\/B/)
    const [, items, pieces] = /\+ (\d+) more items, (\d+) pieces/.exec(page!.text)!
    const shown = [...page!.text.matchAll(/3 x S-\d+ Thing/g)].length
    expect([shown + Number(items), Number(pieces)]).toEqual([50, 3 * Number(items)])
    expect(page!.barcodes).toContain('34810000000077')
  })

  test('what does not fit is cut with a mark, and shipx says so', async () => {
    await imported(
      record('huge', {
        tracking_number: '34810000000078',
        shipping_address: { name: 'A', address: 'word '.repeat(900), city: 'Pune', zip: '411001' },
      }),
    )
    const { pdf, said } = await printed('huge.pdf', 'R-huge')
    expect(said).toContain('1 label with a text that was cut; it ends in …')
    expect((await drawnPages(pdf))[0]!.text).toContain('word…')
  })
})

describe('ZPL', () => {
  test('a label printer gets the same texts and barcodes, and no text is a command', async () => {
    const { pdf } = await printed('l.zpl', '--zpl', 'ORD-1001', 'R-hostile')
    const [first, hostile] = zplLabels(pdf.toString())
    expect(first!.filter(({ kind }) => kind === 'barcode').map(({ module }) => module)).toEqual([4, 3])
    expect(first!.map(({ text }) => text)).toEqual(expect.arrayContaining(['COLLECT Rs 999.00', '560001', 'ORD-1001']))
    const texts = hostile!.map(({ text }) => text)
    expect(texts).toContain('34810000000077')
    expect(texts.join(' ')).toContain('^XZ~JR <b>')
    for (const { x, y } of [...first!, ...hostile!]) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThan(812)
      expect(y).toBeLessThan(1218)
    }
  })

  test('a name in Devanagari is a picture: printers have no such font', async () => {
    const { pdf } = await printed('d.zpl', '--zpl', 'IN-devanagari')
    const [label] = zplLabels(pdf.toString())
    const pictures = label!.filter(({ kind }) => kind === 'picture')
    expect(pictures).toHaveLength(2)
    for (const { dots } of pictures) expect(dots).toBeGreaterThan(200)
  })

  test('A4 is for PDF', async () => {
    const refused = await shipx('orders label --zpl --size a4 --out x.zpl ORD-1001')
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('a4 is for PDF')])
  })
})

describe('which parcels', () => {
  test('cancelled, without an AWB, unknown: each is named, the others are printed, exit 7', async () => {
    await ordered('GONE-1')
    expect((await shipx('local cancel GONE-1 --yes')).exit).toBe(0)
    await imported(
      record('noawb', { tracking_number: null }),
      record('nowhere', { tracking_number: '3481', shipping_address: { name: 'A' } }),
      record('nosum', { tracking_number: '3482', is_cod: true, cod_amount: null }),
    )
    const outcome = await shipx('orders label ORD-1001 GONE-1 R-noawb R-nowhere R-nosum NOPE --out some.pdf')
    expect(outcome.exit).toBe(7)
    for (const text of [
      '5 of 6 parcels have no label',
      'GONE-1 is cancelled: a cancelled order gets no label',
      'R-noawb has no AWB yet: shipx local assign R-noawb',
      'R-nowhere has no address',
      'R-nosum is COD, and its record does not say how much to collect',
      'there is no shipment NOPE',
    ])
      expect(outcome.stderr).toContain(text)
    expect((await drawnPages(fileOf('some.pdf'))).length).toBe(1)
    expect((await shipx('orders label GONE-1 --out gone.pdf')).exit).toBe(5)
    expect((await shipx('orders label NOPE --out gone.pdf')).exit).toBe(3)
    expect(existsSync(`${box.folder}/gone.pdf`)).toBe(false)
  })

  test('--not-printed leaves out what was printed before; a dry run remembers nothing', async () => {
    await ordered('NEW-1')
    await ordered('NEW-2')
    const dry = JSON.parse((await shipx('orders label NEW-1 --out new.pdf --dry-run --json')).stdout) as {
      dry_run: Json
    }
    expect(dry.dry_run).toEqual({ file: 'new.pdf', labels: 1, left_out: [] })
    // A dry run demanded --out, although it only counts.
    const nowhere = await shipx('orders label NEW-1 --dry-run --json')
    expect(JSON.parse(nowhere.stdout)).toEqual({ dry_run: { file: null, labels: 1, left_out: [] } })
    const one = await shipx('orders label NEW-1 NEW-2 --not-printed --out new.pdf --json')
    expect(JSON.parse(one.stdout)).toEqual({ data: { file: 'new.pdf', labels: 2 } })
    const again = await shipx('orders label NEW-1 NEW-2 --not-printed --out again.pdf')
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('all 2 parcels were printed before')])
    const alone = await shipx('orders label NEW-1 --not-printed --out again.pdf')
    expect(alone.stderr).toContain('the parcel was printed before; shipx wrote no label')
    expect(existsSync(`${box.folder}/again.pdf`)).toBe(false)
    const there = await shipx('orders label NEW-1 --out new.pdf')
    expect([there.exit, there.stderr]).toEqual([
      2,
      expect.stringContaining('new.pdf is there already; --force replaces it'),
    ])
  })

  test('filters choose what waits for pickup, sorted; names and filters do not go together', async () => {
    const some = await shipx('orders label --courier C9 --sort order --out wait.pdf')
    expect([some.exit, some.stderr]).toEqual([7, expect.stringContaining('R-noawb has no AWB yet')])
    const order = (await drawnPages(fileOf('wait.pdf'), 3)).map(({ text }) => /Order (R-\w+)/.exec(text)![1])
    expect(order).toEqual(['R-a', 'R-b', 'R-bare'])
    const both = await shipx('orders label ORD-1001 --courier C9 --out x.pdf')
    expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('--courier: goes with no named orders')])
    expect((await shipx('orders label --out x.pdf')).exit).toBe(2)
    const file = box.file('awbs.csv', 'note,awb\nfirst,34810000000001\n,34810000000002\n')
    expect((await drawnPages((await printed('f.pdf', '--file', file)).pdf)).length).toBe(2)
  })
})

describe('the manifest of a pickup', () => {
  test('it lists the parcels with barcodes and sums; the same parcels get the same number', async () => {
    const words = 'orders manifest --courier C9 --warehouse WH7'
    const csv = (await shipx(`${words} --csv`)).stdout.trim().split('\n')
    expect(csv[0]).toBe('manifest,courier,warehouse,date,awb,order,pieces,weight,cod,handed_over')
    expect(csv[1]).toContain('20260929-WH7-C9-1,Far Couriers,WH7,2026-09-29,')
    expect((await shipx(`${words} --out m.pdf`)).stderr).toContain('Wrote manifest 20260929-WH7-C9-1')
    const [page] = await drawnPages(fileOf('m.pdf'))
    expect(page!.barcodes).toEqual(expect.arrayContaining(['34810000000001', '34810000000002', '34810000000003']))
    for (const text of [
      'Pickup manifest',
      'Courier: Far Couriers',
      'Warehouse: WH7',
      'Date: 2026-09-29',
      'Name of the pickup executive',
      'Signature',
      'R-a',
    ])
      expect(page!.text).toContain(text)
  })

  test('the default warehouse of the profile had to be typed for each pickup', async () => {
    const words = 'orders manifest --courier C9 --csv'
    const without = await shipx(words)
    expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('shipx profile set warehouse.default')])
    await shipx('profile set warehouse.default WH7')
    expect((await shipx(words)).stdout).toBe((await shipx(`${words} --warehouse WH7`)).stdout)
    await shipx('profile set warehouse.default', [''])
  })

  test('--handed-over strikes out the rest and keeps it; an AWB that is not on the list is refused', async () => {
    const words = 'orders manifest --courier C9 --warehouse WH7'
    const wrong = await shipx(`${words} --json --handed-over`, [box.file('wrong.txt', '34810000000001\n999\n')])
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('999 is not on this manifest')])
    const file = box.file('handed.txt', '34810000000001\nR-b\n')
    const outcome = await shipx(`${words} --json --out signed.pdf --handed-over`, [file])
    const { data } = JSON.parse(outcome.stdout) as { data: readonly Json[] }
    expect(data[0]!['manifest']).toBe('20260929-WH7-C9-1')
    expect(data.filter((row) => row['handed_over'] === true).map((row) => row['awb'])).toEqual([
      '34810000000001',
      '34810000000002',
    ])
    const [page] = await drawnPages(fileOf('signed.pdf'))
    expect(page!.text).toContain('NOT HANDED OVER')
    expect(page!.text).toMatch(/Total: 2 parcels/)
    const kept = await shipx('sql', [
      `select awb, manifest, handed_over from prints where handed_over is not null
        and awb in ('34810000000001', '34810000000003') order by awb`,
      '--csv',
    ])
    expect(kept.stdout).toBe(
      'awb,manifest,handed_over\n34810000000001,20260929-WH7-C9-1,1\n34810000000003,20260929-WH7-C9-1,0\n',
    )
  })

  test('order 77 was handed over where the list named #77', async () => {
    const own = (id: string, awb: string, order: string) =>
      record(id, { tracking_number: awb, warehouse_id: 'WH8', order: { display_id: order } })
    await imported(
      own('h1', '34810000000081', '#77'),
      own('h2', '34810000000082', '77'),
      own('h3', '34810000000083', '88'),
      own('h4', '34810000000084', '88'),
    )
    const words = 'orders manifest --courier C9 --warehouse WH8 --json --handed-over'
    const handed = async (names: string) => {
      const { stdout } = await shipx(words, [box.file('order.txt', names)])
      const { data } = JSON.parse(stdout) as { data: readonly Json[] }
      return data.flatMap((row) => (row['handed_over'] === true ? [row['awb']] : []))
    }
    expect(await handed('#77\n')).toEqual(['34810000000081'])
    expect(await handed('77\n')).toEqual(['34810000000082'])
    expect(await handed('77\n#77\n')).toEqual(['34810000000081', '34810000000082'])
    const both = await shipx(words, [box.file('order.txt', '88\n')])
    expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('88 names 2 parcels of this manifest')])
  })

  test('what was handed over was seen nowhere afterwards', async () => {
    const words = 'orders manifest --courier C9 --warehouse WH7'
    const { stdout } = await shipx(`${words} --json`)
    const { data } = JSON.parse(stdout) as { data: readonly Json[] }
    const own = data.filter((row) => /^3481000000000[123]$/.test(String(row['awb'])))
    expect(own.map((row) => [row['awb'], row['handed_over']])).toEqual([
      ['34810000000001', true],
      ['34810000000002', true],
      ['34810000000003', false],
    ])
    const tracked = await box.shipx(['track', '34810000000001'], { env: { SHIPX_FORCE_TTY: '100', NO_COLOR: '1' } })
    expect(tracked.stdout).toMatch(/Pickup +handed over .* manifest 20260929-WH7-C9-1/)
    const elsewhere = box.file('late.txt', '34810000000001\n')
    const late = await shipx('orders manifest --courier CAR4PEEPAL8T1 --warehouse WH1 --csv --handed-over', [elsewhere])
    expect([late.exit, late.stderr]).toEqual([
      2,
      expect.stringContaining('34810000000001 was handed over on 2026-09-29 already, manifest 20260929-WH7-C9-1'),
    ])
  })

  test('a manifest of nothing, of two couriers or without a warehouse is refused', async () => {
    const none = await shipx('orders manifest --courier C9 --warehouse WH7 --date 2020-01-01 --csv')
    expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('a manifest needs one')])
    expect((await shipx('orders manifest --courier C9,C8 --warehouse WH7 --csv')).stderr).toContain('takes one')
    expect((await shipx('orders manifest --courier C9 --csv')).stderr).toContain('--warehouse: is required')
    expect((await shipx('orders manifest --courier C9 --warehouse WH7')).stderr).toContain('--out: is required')
  })
})
