// What a reconciled invoice looks like outside the terminal: its HTML page and its workbook; and what is still to come.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openZip } from '../../../src/cli/workbooks/zip.ts'
import { chromiumPath, openBrowser } from '../../support/browser.ts'
import { sandbox } from '../../support/sandbox.ts'
import { readTable } from '../workbooks/reading.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const hostile = '<script>alert(1)</script>"\'&]]></style>\u202e'

/** A shipment of one SKU. */
function withSku(text: string, ...skus: readonly string[]): string {
  const record = JSON.parse(text) as { attributes: Record<string, unknown> }
  record.attributes['items'] = skus.map((sku) => ({ sku, name: sku, quantity: 1, price: 100 }))
  return JSON.stringify(record)
}

beforeAll(() =>
  prepare(box, [
    withSku(shipment('1001'), 'MUG'),
    withSku(shipment('1002', { order: hostile }), 'MUG'),
    withSku(shipment('1003'), 'MUG', 'CUP'),
    // Picked up in the same month, and billed by no invoice: with this courier, another one, and in another month.
    shipment('1008'),
    shipment('1009', { carrier_id: 'BLU', carrier_name: 'Blue Dart' }),
    shipment('1010', { picked_up: '2026-07-05T06:30:00Z' }),
  ]),
)

const bill = (): string =>
  box.file(
    'september.csv',
    [
      'awb,zone,weight_g,freight,gst,total',
      '1001,c,400,40,7.20,47.20',
      '1002,d,400,45.40,8.17,53.57',
      '1003,c,900,70,12.60,82.60',
      `"${hostile.replaceAll('"', '""')}",c,400,40,7.20,47.20`,
      '9.81E+11,c,400,40,7.20,47.20',
    ].join('\n'),
  )
const reconcile = (...more: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', bill(), '--courier', 'Delhivery', '--number', 'SEP <b>', ...more])
const text = (name: string): string => readFileSync(join(box.folder, name), 'utf8')

/** The words of a page. */
const words = (page: string): string =>
  page
    .slice(page.indexOf('<header>'))
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')

describe('the page', () => {
  test('has the figures, reasons, lines and what is still to come, and obeys no text of the file', async () => {
    const { exit, stdout } = await reconcile('--dry-run', '--out', '-')
    expect(exit).toBe(0)
    const page = words(stdout)
    for (const said of [
      'Invoice SEP &lt;b&gt;',
      'Billed ₹277.77 with GST, 5 lines',
      'Over ₹88.97 3 lines',
      'Cannot be judged ₹47.20 1 line',
      'not ours unknown_awb 1 ₹40.00',
      'weight slab weight 1 ₹30.00',
      'zone zone 1 ₹5.40',
      'Zone C, billed as Zone D 1 ₹53.57 ₹47.20 ₹6.37',
      'Delhivery 5 ₹277.77 ₹141.60 ₹88.97',
      'All of them: shipx reconcile invoice september.csv --courier Delhivery',
      'Never billed 1 parcel, about ₹40.00 before GST',
      'AWB without its digits 1 ₹47.20',
      'GST on the differences ₹13.57',
      'Never billed of Sep 2026: 1 parcel, about ₹40.00 to come before GST (accrual)',
      '--dry-run --only over --csv',
      '--dry-run --only unknown --csv',
    ])
      expect(page).toContain(said)
    expect(stdout).not.toMatch(/<script|\]\]><|<b>"|https?:|src=|\u202e/)
    expect(stdout).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(stdout.match(/<svg /g)).toHaveLength(2)
  })

  test('replaces an earlier page of an invoice, and no other file without --force', { tags: ['full'] }, async () => {
    box.file('mine.html', 'mine')
    const refused = await reconcile('--dry-run', '--out', 'mine.html')
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--force replaces it')])
    expect(text('mine.html')).toBe('mine')
    expect((await reconcile('--dry-run', '--out', 'mine.html', '--force')).exit).toBe(0)
    expect((await reconcile('--dry-run', '--out', 'mine.html')).exit).toBe(0)
    expect((await box.shipx(['report', '--out', 'mine.html'])).exit).toBe(2)
    expect((await reconcile('--dry-run', '--out', 'page.xlsx')).stderr).toContain('a workbook is --xlsx')
    expect((await reconcile('--dry-run', '--out', '-', '--jsonl')).exit).toBe(2)
    expect((await reconcile('--dry-run', '--out', 'no/folder.html')).stderr).toContain('there is no such folder')
  })

  test('of a kept invoice is the page that it had, also for a file read again', { tags: ['full'] }, async () => {
    const kept = await reconcile('--date', '2026-09-30', '--yes', '--out', 'first.html')
    expect([kept.exit, existsSync(join(box.folder, 'first.html'))]).toEqual([0, true])
    expect((await reconcile('--out', 'again.html', '--yes')).exit).toBe(0)
    const got = await box.shipx(['invoices', 'get', 'SEP <b>', '--out', 'got.html', '--json'])
    expect(JSON.parse(got.stdout)).toMatchObject({ data: { number: 'SEP <b>' } })
    // What a kept document does not say: in which order the parts came off.
    const shared = (name: string): string =>
      words(text(name))
        .replace(/ Taken apart[^.]*\./, '')
        .replace(', in the order above', '')
        .replace(/(All of them:) shipx .*? --csv/g, '$1')
    expect(shared('again.html')).toBe(shared('first.html'))
    expect(shared('got.html')).toBe(shared('first.html'))
    expect(words(text('got.html'))).toContain("shipx invoices get 'SEP &lt;b&gt;' --lines --only over --csv")
    expect((await box.shipx(['invoices', 'remove', 'SEP <b>', '--yes'])).exit).toBe(0)
  })

  test.skipIf(!existsSync(chromiumPath))(
    'stands in a browser, on a phone and on paper',
    { tags: ['full'] },
    async () => {
      expect((await reconcile('--dry-run', '--out', 'seen.html')).exit).toBe(0)
      const browser = await openBrowser()
      try {
        const page = await browser.newPage({ viewport: { width: 360, height: 700 } })
        const said: string[] = []
        page.on('console', (message) => said.push(message.text()))
        await page.goto(pathToFileURL(join(box.folder, 'seen.html')).href)
        expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
        const parsed = `new DOMParser().parseFromString(${JSON.stringify(text('seen.html'))}, 'application/xhtml+xml')`
        expect(await page.evaluate(`${parsed}.querySelector('parsererror')?.textContent ?? 'none'`)).toBe('none')
        expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
        expect(said).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})

describe('the workbook', () => {
  const sheetsOf = async (name: string): Promise<readonly string[]> => {
    const zip = await openZip(readFileSync(join(box.folder, name)), (what) => new Error(what) as never)
    let xml = ''
    for await (const bytes of zip.part('xl/workbook.xml')) xml += bytes.toString('utf8')
    return [...xml.matchAll(/<sheet name="([^"]+)"/g)].map(([, sheet]) => sheet!)
  }
  /** The cells of some columns of a sheet. */
  const rowsOf = async (name: string, sheet: string, ...wanted: readonly string[]) => {
    const columns = wanted.map((one) => ({ name: one }))
    const { headers, rows } = await readTable(readFileSync(join(box.folder, name)), { sheet, columns })
    return rows.map(({ cells }) => wanted.map((one) => cells[headers.indexOf(one)]))
  }

  test('has the sums first and the lines after them', async () => {
    const { exit, stderr } = await reconcile('--dry-run', '--xlsx', 'september.xlsx', '--by', 'sku')
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Wrote 5 lines to september.xlsx')])
    expect(await sheetsOf('september.xlsx')).toEqual(
      'Summary,Reasons,By sku,Patterns,Zones,Couriers,Not judged,Lines,About'.split(','),
    )
    const sums = await rowsOf('september.xlsx', 'By sku', 'SKU', 'Lines', 'Amount with GST')
    expect(sums).toEqual([
      ['no SKU known', '1', '47.2'],
      ['several SKUs', '1', '35.4'],
      ['MUG', '1', '6.37'],
    ])
    const reasons = await rowsOf('september.xlsx', 'Reasons', 'Code', 'Amount before GST')
    expect(reasons.map((row) => row.join(' '))).toEqual(expect.arrayContaining(['weight 30', 'zone 5.4']))
    expect(await rowsOf('september.xlsx', 'Lines', 'AWB')).toHaveLength(5)
  })

  test('of a kept invoice is the same, and --only narrows its lines', { tags: ['full'] }, async () => {
    expect((await reconcile('--date', '2026-09-30', '--yes', '-q')).exit).toBe(0)
    expect((await box.shipx(['invoices', 'get', 'SEP <b>', '--xlsx', 'got.xlsx'])).exit).toBe(0)
    expect((await reconcile('--xlsx', 'again.xlsx', '--yes', '--only', 'over')).exit).toBe(0)
    expect(await sheetsOf('got.xlsx')).toEqual(
      'Summary,Reasons,Patterns,Zones,Couriers,Not judged,Lines,About'.split(','),
    )
    expect(await rowsOf('got.xlsx', 'Lines', 'AWB')).toHaveLength(5)
    expect(await rowsOf('again.xlsx', 'Lines', 'AWB')).toHaveLength(3)
    expect((await box.shipx(['invoices', 'get', 'SEP <b>', '--lines', '--xlsx', 'lines.xlsx'])).exit).toBe(0)
    expect(await sheetsOf('lines.xlsx')).toEqual(['Lines', 'About'])
    expect((await box.shipx(['invoices', 'remove', 'SEP <b>', '--yes'])).exit).toBe(0)
  })
})

describe('on a terminal', () => {
  const terminal = { SHIPX_FORCE_TTY: '160', NO_COLOR: '1' }

  test('the page says what is still to come, with its command, and adds up by SKU', async () => {
    const words = ['reconcile', 'invoice', bill(), '--courier', 'Delhivery', '--dry-run', '--by', 'sku']
    const { exit, stdout } = await box.shipx(words, { env: terminal })
    expect(exit).toBe(0)
    expect(stdout).toContain(
      'Never billed of Sep 2026: 1 parcel, about ₹40.00 to come before GST (accrual)\n' +
        '  shipx invoices unbilled --courier Delhivery --since 2026-09-01 --until 2026-09-30\n',
    )
    expect(stdout).toMatch(/^SKU +LINES +AMOUNT WITH GST$[^]*^MUG +1 +₹6\.37/m)
  })

  test('invoices get --lines printed the sums and no line', { tags: ['full'] }, async () => {
    expect((await reconcile('--date', '2026-09-30', '--yes', '-q')).exit).toBe(0)
    const { stdout } = await box.shipx(['invoices', 'get', 'SEP <b>', '--lines'], { env: terminal })
    for (const awb of ['1001', '1002', '1003']) expect(stdout).toMatch(new RegExp(`^ *\\d+ +${awb} |^${awb} `, 'm'))
    expect(stdout).toContain('Billed ₹277.77 with GST')
    expect((await box.shipx(['invoices', 'remove', 'SEP <b>', '--yes'])).exit).toBe(0)
  })
})

describe('billed beside expected', () => {
  test('in a summary and in the report, over all kept invoices', { tags: ['full'] }, async () => {
    const summary = async (): Promise<readonly unknown[]> => {
      const words = ['shipments', 'summary', '--by', 'courier', '--since', '2026-07-01', '--billed', '--json', '-q']
      return (JSON.parse((await box.shipx(words)).stdout) as { data: readonly unknown[] }).data
    }
    const report = async (): Promise<{ readonly billed?: unknown }> =>
      (
        JSON.parse((await box.shipx(['report', '--since', '2026-07-01', '--json', '-q'])).stdout) as {
          data: { readonly billed?: unknown }
        }
      ).data
    expect(await summary()).toMatchObject([{ courier: 'Delhivery', billed_parcels: 0, not_billed: 5 }, {}])
    expect((await report()).billed).toBeUndefined()
    expect((await reconcile('--date', '2026-09-30', '--yes', '-q')).exit).toBe(0)
    const delhivery = { billed_parcels: 3, billed: 155.4, expected: 120, over: 35.4, not_billed: 2 }
    const blue = { billed_parcels: 0, billed: 0, expected: 0, over: 0, not_billed: 1 }
    expect(await summary()).toMatchObject([
      { courier: 'Delhivery', shipments: 5, ...delhivery },
      { courier: 'Blue Dart', ...blue },
    ])
    expect((await report()).billed).toEqual({
      totals: { ...delhivery, not_billed: 3 },
      by_courier: {
        rows: [
          { courier: 'Delhivery', ...delhivery },
          { courier: 'Blue Dart', ...blue },
        ],
        others: null,
      },
    })
    const { stdout } = await box.shipx(['report', '--since', '2026-07-01', '--out', '-'])
    expect(words(stdout)).toContain('Delhivery 3 ₹155.40 ₹120.00 ₹35.40 2')
    expect((await box.shipx(['invoices', 'remove', 'SEP <b>', '--yes'])).exit).toBe(0)
  })

  test('parcels without a line are listed by courier', { tags: ['full'] }, async () => {
    const words = ['invoices', 'unbilled', '--since', '2026-09-01', '--courier', 'blue dart', '--jsonl']
    const { stdout } = await box.shipx(words)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { awb: string }).awb),
    ).toEqual(['1009'])
  })
})
