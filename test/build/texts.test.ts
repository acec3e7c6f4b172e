// Defends that the installed program does what its sources do: the same three hundred texts go through sheets, flags, prompts,
// messages, tables, JSON, CSV and HTTP and come out unchanged or refused with a reason, and every byte is the same from the
// sources and with kept code. With rejected code and without any, the sessions run (.ci/run).
// @module-tag full: some sixty commands with three hundred texts each, twice
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unguard } from '../../src/cli/files/csv.ts'
import { indianTexts } from '../support/indiantexts.ts'
import { codeEnv, writeLauncher, type CodeMode } from '../support/program.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { keys, shipxOn } from '../support/pty.ts'
import { plainSources } from '../support/plainsources.ts'

type Mode = 'source' | CodeMode
const modes: readonly Mode[] = ['source', 'kept']
/** What a session of a mode came to: each command's output, and the files that it left. */
interface Session {
  readonly printed: ReadonlyMap<string, string>
  readonly file: (name: string) => string
}

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
/** Texts that a command line can hold: the system ends an argument at a zero byte. */
const typable = indianTexts.filter((text) => !text.includes('\0'))
/** Texts that may be the name of an item: something that can be seen, nothing that steers. */
const ofItems = typable.filter(
  (text) => /\p{L}|\p{N}|\p{S}/u.test(text) && !/[\p{Cc}\u2028\u2029\ufeff\u3164\u2800]/u.test(text),
)

const stores = `store_name,brand_name\n${indianTexts.map((text, n) => `s-${n},${cell(text)}`).join('\n')}\n`
const orderHeader =
  'order_id,order_date,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,cod_collectible,item_name,item_sku,item_units,item_selling_price,weight,store_name'
const orders = `${orderHeader}\n${indianTexts.map((text, n) => `O-${n},2026-09-28 10:00,${cell(text)},98123${String(45_000 + n)},${cell(text)},560038,${n % 2 === 0 ? 'COD,"₹1,499"' : 'PREPAID,'},${cell(text)},SKU-${n},1,"₹1,499.00",0.5kg,`).join('\n')}\n`
const parcels = `ref,from,to,weight,length,width,height,payment,value\n${indianTexts.map((text) => `${cell(text)},400001,560001,500g,20,15,10,cod,"₹1,499"`).join('\n')}\n`
/** Records as a deployment sends them, one a minute: their order in a listing is not of chance. */
const records = indianTexts
  .map((text, n) => ({
    id: `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`,
    type: 'shipment',
    attributes: {
      tracking_number: `AWB${n}`,
      status: 'in_transit',
      created_at: new Date(Date.parse('2026-09-28T00:00:00Z') + n * 60_000).toISOString(),
      total_price: 1499,
      is_cod: n % 2 === 0,
      cod_amount: n % 2 === 0 ? 1499 : 0,
      carrier: { id: 'CAR1', name: text },
      order: { id: `ORDER${n}`, display_id: `#${n}`, external_id: text, store_name: text },
      items: [{ id: '1', quantity: 1, price: 1499, name: text, sku: text }],
      shipping_address: { name: text, phone: '9812345678', city: text, state: text, zip: '560038' },
      shipment_milestones: [],
      tracking_details: [
        { id: '1', status: text, last_location: text, event_date_time: '2026-09-28T10:00:00Z', description: text },
      ],
    },
  }))
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('')
const item = (text: string, n: number): string => `--item ${quoted(`SKU-${n}:1:5:${text}`)}`
const create =
  'shipx orders create --order-date "2026-09-28 10:00" --billing-address x --billing-city Pune --billing-pincode 411001 --billing-state Maharashtra --billing-country India --billing-phone 9812345678 --sub-total 500 -w 500g -s 20×15×10 --prepaid --warehouse-id WH1 --no-assign --yes'

/** The parts of the texts that are typed as items, 80 in each order. */
const parts = [0, 1, 2, 3]

/** A session: what is typed, by a name. Each line is a process of its own. */
// prettier-ignore
const lines: readonly (readonly [name: string, line: string])[] = [
  ['warehouse', 'shipx local warehouse set WH1 400001'],
  ['sheet of stores', 'shipx stores import stores.csv --yes --json'],
  ['failed stores', 'cat stores.failed.csv'],
  ['stores, JSON', 'shipx stores list --json'],
  ['stores, JSON Lines', 'shipx stores list --jsonl'],
  ['stores, CSV', 'shipx stores list --csv'],
  ['stores, raw CSV', 'shipx stores list --csv --raw'],
  ['stores, Excel', 'shipx stores list --excel'],
  ['stores, TSV', 'shipx stores list --tsv'],
  ['stores, pipe', 'shipx stores list'],
  ['stores, table', 'SHIPX_FORCE_TTY=120 NO_COLOR=1 shipx stores list'],
  ['stores, cards', 'SHIPX_FORCE_TTY=40 NO_COLOR=1 shipx stores list'],
  ['stores, export', 'shipx stores export'],
  ['sheet of orders', 'shipx orders import orders.csv --warehouse WH1 --size 20×15×10 --no-assign --yes --json'],
  ['failed orders', 'cat orders.failed.csv'],
  ['orders, JSON Lines', 'shipx shipments list --all --jsonl'],
  ['orders, CSV', 'shipx shipments list --all --csv'],
  ['records', 'shipx local import shipments records.jsonl --account two --json'],
  ['records, table', 'SHIPX_FORCE_TTY=120 NO_COLOR=1 shipx shipments list --all --account two'],
  ['records, wide', 'SHIPX_FORCE_TTY=200 NO_COLOR=1 shipx shipments list --all --wide --account two'],
  ['records, cards', 'SHIPX_FORCE_TTY=40 NO_COLOR=1 shipx shipments list --limit 150 --account two'],
  ['records, pipe', 'shipx shipments list --all --account two'],
  ['records, CSV', 'shipx shipments list --all --csv --account two'],
  ['records, Excel', 'shipx shipments list --all --excel --account two'],
  ['records, JSON Lines', 'shipx shipments list --all --jsonl --account two'],
  ['records, timeline', 'SHIPX_FORCE_TTY=80 NO_COLOR=1 shipx shipments get AWB0 --account two'],
  ['records, by city', 'shipx shipments summary --by city --json --account two'],
  ['sheet of parcels', 'shipx rates --file parcels.csv --csv'],
  ...parts.flatMap((part): (readonly [string, string])[] => {
    const some = ofItems.slice(part * 80, part * 80 + 80)
    return [
      [`flags ${part}`, `${create} --order-id F-${part} --billing-customer-name ${quoted(`Asha ${some[0]!}`)} ${some.map(item).join(' ')} --json`],
      [`flags ${part}, shown`, `shipx shipments get F-${part} --json`],
      [`flags ${part}, as a table`, `SHIPX_FORCE_TTY=100 NO_COLOR=1 shipx shipments get F-${part}`],
    ]
  }),
  ['search', `shipx shipments list --search ${quoted('क्षितिज')} --ids | wc -l`],
  ['search ₹', `shipx shipments list --search ${quoted('₹1,499')} --ids | wc -l`],
  ['days', 'shipx shipments summary --by status --json'],
  ['message, quotes', `shipx messages preview --step shipped --store s-${indianTexts.indexOf('Riya’s “Kids” – Store')} --json`],
  ['message, link', `shipx messages preview --step shipped --store s-${indianTexts.indexOf('Win https：／／evil。example now')} --json`],
  ['message, Hindi', `shipx messages preview --step shipped --store s-0 --language hi --json`],
  ['sql', 'shipx sql "select order_display_id, name from shipments order by order_display_id" --jsonl --limit all'],
  ['report', 'shipx report --since 30d --out report.html'],
  ['amounts', 'SHIPX_FORCE_TTY=120 NO_COLOR=1 shipx rates --from 400001 --to 560001 -w 500g -s 20×15×10 --cod 1499 --wide'],
]

/** The same questions of the same database behind `shipx serve`. */
const asked: readonly (readonly [name: string, line: string])[] = [
  ...lines.filter(([name]) => /^(stores|orders), (?!export)/.test(name)),
  ['sheet of stores, HTTP', 'sed s/s-/r-/ stores.csv > remote.csv; shipx stores import remote.csv --yes --json'],
  ['remote stores', 'shipx stores list --jsonl'],
]

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What is of chance as a sign for it; orders of one moment come in the order of their ids, so that lines of listings are sorted. */
function settled(name: string, text: string, folder: string): string {
  const plain = text
    .replaceAll(folder, '<tmp>')
    .replace(uuid, '<id>')
    .replace(/\bORD[0-9A-Z]{10}\b/g, '<order>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1')
  return name.startsWith('orders, ') ? plain.split('\n').toSorted().join('\n') : plain
}

/** The first line in which two outputs differ, of each. */
function difference(one: string, other: string): readonly [string | undefined, string | undefined] {
  const [ours, theirs] = [one.split('\n'), other.split('\n')]
  const at = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, n) => n).find(
    (n) => ours[n] !== theirs[n],
  )
  return at === undefined ? [undefined, undefined] : [ours[at]?.slice(0, 300), theirs[at]?.slice(0, 300)]
}

async function bash(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const exit = await new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  // What tells of time: how long it took, and how far it is.
  const told = stderr.replace(/ {3}in [\d,]+ s/g, '').replace(/^.* \d[\d,]* of \d[\d,]*….*\n/gm, '')
  return `${stdout}${told}[exit ${String(exit)}]`
}

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** The program of the sources. */
let sources: string

/** A folder in which `shipx` is the program of a mode. */
function sandboxOfMode(mode: Mode): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `shipx-texts-${mode}-`)))
  folders.push(folder)
  for (const name of ['bin', 'home']) mkdirSync(join(folder, name))
  if (mode === 'source') {
    writeFileSync(join(folder, 'bin', 'shipx'), `#!/bin/sh\nexec '${process.execPath}' '${sources}' "$@"\n`)
    chmodSync(join(folder, 'bin', 'shipx'), 0o755)
  } else writeLauncher(join(folder, 'bin'), mode)
  for (const [name, text] of [
    ['stores.csv', stores],
    ['orders.csv', orders],
    ['parcels.csv', parcels],
    ['records.jsonl', records],
  ] as const)
    // prettier-ignore
    writeFileSync(join(folder, name), text)
  const env = {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(folder, 'home'),
    // Kept code of its own: what other tests keep meanwhile changes nothing here.
    ...(mode === 'kept' ? { SHIPX_CODE_CACHE: join(folder, 'home', 'code') } : codeEnv('off')),
    SHIPX_DATA_DIR: join(folder, 'data'),
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    SHIPX_NOW: '2026-09-29T08:30:00Z',
  }
  if (mode === 'kept') mkdirSync(env.SHIPX_CODE_CACHE, { mode: 0o700 })
  return { folder, env } as unknown as Sandbox
}

async function sessionOf(mode: Mode): Promise<Session> {
  const { folder, env } = sandboxOfMode(mode)
  const printed = new Map<string, string>()
  for (const [name, line] of lines) printed.set(name, settled(name, await bash(line, folder, env), folder))
  const key = (await bash('shipx keys create default -q', folder, env)).replace(/\[exit 0\]$/, '').trim()
  const serving = spawn(
    join(folder, 'bin', 'shipx'),
    ['serve', '--port', '0', '--json', '--quiet', '--rate-limit', '0'],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = ''
      serving.on('exit', () => reject(new Error(`shipx serve ended: ${said}`)))
      serving.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('\n')) resolve((JSON.parse(said) as { url: string }).url)
      })
    })
    const remote = { ...env, SHIPX_BASE_URL: url, SHIPX_API_KEY: key }
    for (const [name, line] of asked)
      printed.set(`${name}, HTTP`, settled(name, await bash(line, folder, remote), folder))
  } finally {
    serving.removeAllListeners('exit')
    const ended = new Promise((resolve) => serving.on('exit', resolve))
    serving.kill('SIGTERM')
    await ended
  }
  return { printed, file: (name) => readFileSync(join(folder, name), 'utf8') }
}

const sessions = new Map<Mode, Session>()
beforeAll(async () => {
  const { folder, program } = await plainSources()
  folders.push(folder)
  sources = program
  for (const mode of modes) sessions.set(mode, await sessionOf(mode))
}, 900_000)

/** The output of a command, which must have ended well unless another exit is named. */
function of(name: string, exit = 0): string {
  const text = sessions.get('kept')!.printed.get(name)!
  expect([name, text.slice(0, 500), text.includes(`[exit ${exit}]`)]).toEqual([name, expect.anything(), true])
  return text.replace(/\[exit \d+\]/, '')
}

describe('the installed program with kept code', () => {
  test.each([...lines.map(([name]) => name), ...asked.map(([name]) => `${name}, HTTP`)])(
    '%s: the bytes of the sources',
    (name) => {
      const [source, installed] = [sessions.get('source')!.printed.get(name), sessions.get('kept')!.printed.get(name)]
      expect(installed!.length).toBeGreaterThan(8)
      const [found, wanted] = difference(installed!, source!)
      expect(found).toBe(wanted)
    },
  )

  test('leaves the same report', () => {
    const [found, wanted] = difference(
      sessions.get('kept')!.file('report.html'),
      sessions.get('source')!.file('report.html'),
    )
    expect(found).toBe(wanted)
  })
})

/** How a text may come back: as it was, in the composed form, without blanks around it. */
const whole = (text: string): readonly string[] => [
  text,
  text.trim(),
  text.normalize('NFC'),
  text.trim().normalize('NFC'),
]

/** The same out of a sheet, where `'` in front of what could be a formula is a guard and no part of the text. */
const wholeInSheet = (text: string): readonly string[] =>
  whole(text).flatMap((form) => [form, form.replace(/^'(?=[=+\-@])/, '')])

/** The JSON Lines on stdout, before what stderr had. */
const recordsOf = <T>(text: string): readonly T[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as T)

interface Failed {
  readonly store_name?: string
  readonly order_id?: string
  readonly shipx_error: string
}
const failedIn = (name: string): readonly Failed[] =>
  parse(of(name), { columns: true, bom: true, relax_column_count: true }) as unknown as readonly Failed[]

describe('every text comes back as it was, or is refused with a reason', () => {
  test('there are three hundred of them', () => expect(indianTexts.length).toBeGreaterThanOrEqual(300))

  test.each(['stores, JSON Lines', 'stores, JSON Lines, HTTP'])('a sheet of stores, as %s', (name) => {
    const brands = new Map(
      recordsOf<{ store_name: string; brand_name: string }>(of(name)).map((one) => [one.store_name, one.brand_name]),
    )
    const reasons = new Map(failedIn('failed stores').map((row) => [row.store_name, row.shipx_error]))
    for (const [n, text] of indianTexts.entries()) {
      const [brand, reason] = [brands.get(`s-${n}`), reasons.get(`s-${n}`)]
      if (brand === undefined) expect([text, reason]).toEqual([text, expect.stringMatching(/.{5}/)])
      else expect([text, wholeInSheet(text)]).toEqual([text, expect.arrayContaining([brand ?? ''])])
    }
    // What people write is not refused.
    expect([...reasons.keys()].length).toBeLessThan(45)
    for (const text of ['क्षितिज श्रीवास्तव', '₹1,499', '20×15×10', 'Riya’s “Kids” – Store', '🇮🇳', '=1+1', "'=1"])
      expect([text, reasons.get(`s-${indianTexts.indexOf(text)}`)]).toEqual([text, undefined])
  })

  test('stores as JSON, CSV with and without its guard: one list', () => {
    const plain = recordsOf<{ store_name: string; brand_name: string | null }>(of('stores, JSON Lines')).map((one) => [
      one.store_name,
      one.brand_name ?? '',
    ])
    const rows = (name: string): readonly (readonly string[])[] =>
      (
        parse(of(name), { columns: true, bom: true }) as unknown as {
          store_name: string
          brand_name: string
        }[]
      ).map((one) => [one.store_name, one.brand_name])
    expect(plain.length).toBeGreaterThan(255)
    expect(rows('stores, raw CSV')).toEqual(plain)
    const unguarded = rows('stores, CSV').map(([name, brand]) => [name, unguard(brand!)])
    expect(unguarded).toEqual(plain)
  })

  test.each(['orders, JSON Lines', 'orders, JSON Lines, HTTP'])('a sheet of orders, as %s', (name) => {
    const made = recordsOf<{
      attributes: {
        order: { display_id: string }
        items: { name: string; price: number }[]
        shipping_address: { name: string }
        cod_amount: number
      }
    }>(of(name))
    const found = new Map(made.map(({ attributes }) => [attributes.order.display_id, attributes]))
    const reasons = new Map(failedIn('failed orders').map((row) => [row.order_id, row.shipx_error]))
    for (const [n, text] of indianTexts.entries()) {
      const order = found.get(`O-${n}`)
      if (order === undefined) {
        expect([text, reasons.get(`O-${n}`)]).toEqual([text, expect.stringMatching(/.{5}/)])
        continue
      }
      expect([text, wholeInSheet(text)]).toEqual([text, expect.arrayContaining([order.shipping_address.name])])
      expect([text, wholeInSheet(text)]).toEqual([text, expect.arrayContaining([order.items[0]!.name])])
      expect([text, order.items[0]!.price, order.cod_amount]).toEqual([text, 1499, n % 2 === 0 ? 1499 : 0])
    }
    expect(made.length).toBeGreaterThan(255)
  })

  test('a sheet of parcels, each with its ref and a price, or a reason', () => {
    const sheet = of('sheet of parcels', 7).split('\n✗ 1 of ')[0]!
    const rows = parse(sheet, { columns: true }) as unknown as { ref: string; total: string; reason: string }[]
    const refs = new Map(rows.map((row) => [unguard(row.ref), row]))
    for (const text of indianTexts) {
      const row = wholeInSheet(text)
        .map((form) => refs.get(form))
        .find((one) => one !== undefined)
      expect([text, row === undefined]).toEqual([text, false])
      expect([text, Number(row!.total) > 0 || row!.reason.length > 5]).toEqual([text, true])
    }
    expect(rows.filter((row) => Number(row.total) > 0).length).toBeGreaterThan(270)
  })

  test('flags: items of an order', () => {
    expect(ofItems.length).toBeGreaterThan(250)
    for (const part of parts) {
      expect(JSON.parse(of(`flags ${part}`).split('\n')[0]!)).toMatchObject({ status: 1 })
      const shown = JSON.parse(of(`flags ${part}, shown`).split('\n')[0]!) as {
        data: { attributes: { items: { name: string }[] } }
      }
      for (const [n, text] of ofItems.slice(part * 80, part * 80 + 80).entries())
        expect([text, whole(text)]).toEqual([text, expect.arrayContaining([shown.data.attributes.items[n]!.name])])
    }
  })

  test('records of a deployment, as JSON Lines and as CSV', () => {
    const found = recordsOf<{ attributes: { shipping_address: { name: string } } }>(of('records, JSON Lines'))
    expect(found.map((one) => one.attributes.shipping_address.name).toReversed()).toEqual(indianTexts)
    const rows = parse(of('records, CSV'), { columns: true }) as unknown as Record<string, string>[]
    const names = rows.map((row) => row['shipping_address.name']!).toReversed()
    expect(names.length).toBe(indianTexts.length)
    expect(names.map(unguard)).toEqual(indianTexts)
  })

  test('what a terminal shows holds no raw control or direction mark', () => {
    const shown = [...sessions.get('kept')!.printed].filter(([name]) => /table|cards|wide|amounts/.test(name))
    expect(shown.length).toBeGreaterThan(8)
    for (const [name, text] of shown) {
      // eslint-disable-next-line no-control-regex
      const raw = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\[[\d;]*[mGK])/.exec(
        text,
      )
      expect([name, raw?.[0]]).toEqual([name, undefined])
    }
  })
})

describe('what was right in the sources and wrong when installed', () => {
  test('curly quotes in a brand cost no second part of a short message', () => {
    expect(JSON.parse(of('message, quotes').split('\n')[0]!)).toMatchObject({
      data: { parts: { encoding: 'GSM-7', count: 1 } },
    })
  })

  test('a link disguised by full-width signs reaches no customer', () => {
    const { data } = JSON.parse(of('message, link').split('\n')[0]!) as { data: { text: string; html: string } }
    expect(data.text).toMatch(/^Win evil。 ?example now: /)
    expect(data.html).not.toMatch(/https[:：]|／／/)
  })

  test('₹1,499 in a sheet and 20×15×10 on the command line are read', () => {
    expect(of('failed orders')).not.toMatch(/is not (?:an amount|a size|a length)/)
    expect(of('amounts')).toContain('₹')
  })

  test('searches find क्षितिज, and nothing is found twice', () => {
    expect(of('search').trim()).toMatch(/^[12]\b/)
  })
})

describe.skipIf(process.platform === 'win32').each(['source', 'kept', 'off'] as const)(
  'prompts (%s)',
  { tags: ['full'] },
  (mode) => {
    const typed = ['दुकान ₹ × 20', 'Riya’s “Kids” – Store', '：／／ＡＣＭＥ', '👩‍🍳 Kitchen', 'ஸ்ரீ ராமன்', 'حیدرآباد']
    let box: Sandbox
    beforeAll(() => {
      box = sandboxOfMode(mode)
    })

    test.each(typed)('a brand: %s', async (text) => {
      const name = `p-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
      const terminal = shipxOn(box, ['stores', 'create'])
      await terminal.shows('? Name of the store', 30_000)
      terminal.type(`${name}${keys.enter}`)
      await terminal.shows('? Brand', 30_000)
      terminal.type(text)
      await new Promise((resolve) => setTimeout(resolve, 100))
      terminal.type(keys.enter)
      expect(await terminal.ended(30_000)).toBe(0)
      const shown = await bash(`shipx stores get ${name} --jsonl`, box.folder, box.env)
      expect(recordsOf<{ brand_name: string }>(shown)[0]!.brand_name).toBe(text)
    })
  },
)

test('kept code was there', () => {
  const folderOf = (mode: Mode): string => folders.find((folder) => folder.includes(`-texts-${mode}-`))!
  const kept = join(folderOf('kept'), 'home', 'code', `stores-${process.version}-${process.arch}.code`)
  expect(existsSync(kept)).toBe(true)
  expect(existsSync(join(folderOf('off'), 'home', '.cache'))).toBe(false)
})
