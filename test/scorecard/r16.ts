// R16: hostile strings in every field of parcels, returns and stores: nothing steers a terminal in any format, and JSON
// gives back what came in.
import { parse } from 'csv-parse/sync'
import { unguard } from '../../src/cli/files/csv.ts'
import { drawsOf } from '../support/chance.ts'
import { indianTexts } from '../support/indiantexts.ts'
import { shipxOn } from '../support/pty.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { rawIn } from './m5.ts'
import { hostileNames } from './r28.ts'
import { sample, share, summed, timed, type Finding, type Size } from './row.ts'

/** What steers a terminal, turns text round, or ends a line where none ends. */
// prettier-ignore
const steering = [
  '\u001b]0;owned\u0007', '\u001b[31;7m', '\u001b[2J', '\u001b[9;9H', '\u001b]8;;https://evil.example\u001b\\',
  '\u001bP1$r\u001b\\', '\u001b]52;c;eA==\u0007',
  '\u009b31m', '\u009d0;y\u009c', '\u0090q\u009c', '\u007f', '\b\b\b', '\r', '\n', '\v\f', '\u0000', '\u0085',
  '\u000e', '\u061c', '\u200e', '\u200f', '\u2028',
  '\u2029', '\u202a', '\u202e', '\u2066', '\u2069', '\u001b', '\u001b[', '\u009b', '\u001b\u001b[0m',
]

/** So many strings: what steers inside of the texts of India and of hostile names. */
function strings(count: number): readonly string[] {
  const { pick } = drawsOf(16)
  const around = [...indianTexts, ...hostileNames(600)].map((text) => text.slice(0, 60).toWellFormed())
  return Array.from({ length: count }, (_, n) => `${pick(around)}${steering[n % steering.length]!}${pick(around)}`)
}

type Text = (field: number) => string

const address = (text: Text): object => ({
  name: text(1),
  phone: text(2),
  city: text(3),
  state: text(4),
  zip: text(5),
  country: text(6),
  address1: text(7),
  address2: text(8),
})

const order = (text: Text, n: number): object => ({
  id: `ORDER${n}`,
  display_id: text(9),
  external_id: text(10),
  store_name: text(11),
  channel: text(12),
})

const items = (text: Text): readonly object[] => [{ id: '1', quantity: 1, price: 1499, name: text(13), sku: text(14) }]

const carrier = (text: Text): object => ({ id: text(15), name: text(16) })

/** The n-th record of a kind as a deployment sends it, a text in every field that people, couriers or shops write. */
function recordOf(kind: Kind, text: Text, n: number): object {
  const common = {
    created_at: new Date(Date.parse('2026-09-01T00:00:00Z') + n * 1000).toISOString(),
    status: text(17),
    granular_status: text(18),
    total_price: 1499,
    zone: text(19),
    warehouse_id: text(20),
    order: order(text, n),
    shipping_address: address(text),
  }
  const shipment = {
    tracking_number: `${text(21)}${n}`,
    carrier: carrier(text),
    tags: [text(22), text(23)],
    ndr_reason: text(24),
    rto_reason: text(25),
    items: items(text),
    tracking_details: [
      {
        id: '1',
        status: text(26),
        last_location: text(27),
        event_date_time: '2026-09-28T10:00:00Z',
        description: text(28),
      },
    ],
  }
  const back = {
    display_id: `${text(29)}${n}`,
    return_reason: text(30),
    refund_status: text(31),
    qc_status: text(32),
    return_items: items(text),
    shipment: { tracking_number: text(21), carrier: carrier(text) },
  }
  const id = `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`
  return kind === 'shipments'
    ? { id, type: 'shipment', attributes: { ...common, is_cod: false, cod_amount: 0, ...shipment } }
    : { id, type: 'return', attributes: { ...common, ...back } }
}

const kinds = ['shipments', 'returns'] as const
type Kind = (typeof kinds)[number]

// prettier-ignore
const formats = ['--table', '--wide', '--json', '--jsonl', '--csv', '--csv --raw', '--tsv', '--excel', '--ids']

/** What is asked of a terminal: every format of every list, and what shows one record, sums and errors. */
const lines = [
  ...['shipments list --all', 'returns list --all', 'stores list --all'].flatMap((list) =>
    formats.map((format) => `${list} ${format}`),
  ),
  ...kinds.flatMap((kind) => [`${kind} get 11111111-1111-4111-8111-000000000003`, `${kind} summary --by city`]),
  'shipments summary --by store --json',
  'sql "select * from shipments" --limit all',
  'stores import stores.csv --yes',
  'orders import orders.csv --yes',
]

/** The words of a line; quotes keep blanks together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, inner]) => inner ?? word)

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Fills a box with so many records of each kind, and as many stores; gives the records. */
async function filled(box: Sandbox, texts: readonly string[]): Promise<Readonly<Record<Kind, readonly object[]>>> {
  // Every string comes into every field: the n-th record begins at the n-th.
  const made = (kind: Kind) => texts.map((_, n) => recordOf(kind, (field) => texts[(n + field * 7) % texts.length]!, n))
  const records = { shipments: made('shipments'), returns: made('returns') }
  for (const kind of kinds) {
    box.file(`${kind}.jsonl`, `${records[kind].map((one) => JSON.stringify(one)).join('\n')}\n`)
    const { exit, stderr } = await box.shipx(['local', 'import', kind, `${kind}.jsonl`])
    if (exit !== 0) throw new Error(`the import of ${kind} ended with ${String(exit)}: ${stderr.slice(0, 300)}`)
  }
  const brands = texts.map((text, n) => `s-${n},${cell(text)}\n`)
  box.file(
    'stores.csv',
    `store_name,brand_name\n${brands.join('')}${texts.map((text) => `${cell(text)},x\n`).join('')}`,
  )
  box.file(
    'orders.csv',
    `order_id,billing_customer_name\n${texts.map((text) => `${cell(text)},${cell(text)}\n`).join('')}`,
  )
  await box.shipx(['stores', 'import', 'stores.csv', '--yes', '--quiet'])
  return records
}

/** As on a terminal, where JSON is the same data in other letters. */
const terminal = { SHIPX_FORCE_TTY: '120', NO_COLOR: '1' }

/** What speaks against the JSON and CSV of a list in a pipe: what came in comes out. */
async function changedIn(box: Sandbox, kind: Kind, records: readonly object[]): Promise<readonly string[]> {
  const faults: string[] = []
  const wanted = records.toReversed()
  for (const [format, env] of [
    ['--jsonl', terminal],
    ['--json', {}],
  ] as const) {
    const { stdout } = await box.shipx([kind, 'list', '--all', format], { env })
    const given =
      format === '--json'
        ? (JSON.parse(stdout) as { data: readonly unknown[] }).data
        : stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
    const wrong = given.findIndex((one, n) => JSON.stringify(one) !== JSON.stringify(wanted[n]))
    if (given.length !== wanted.length || wrong >= 0)
      faults.push(`${kind} ${format}: ${given.length} records, not equal from ${wrong} on`)
  }
  const { stdout } = await box.shipx([kind, 'list', '--all', '--csv'])
  const names = (parse(stdout, { columns: true }) as Record<string, string>[]).map((row) =>
    unguard(row['shipping_address.name']!),
  )
  const wantedNames = wanted.map(
    (one) => (one as { attributes: { shipping_address: { name: string } } }).attributes.shipping_address.name,
  )
  if (JSON.stringify(names) !== JSON.stringify(wantedNames)) faults.push(`${kind} --csv: other names`)
  return faults
}

/** R16: so many of 5,000 hostile strings. */
export const r16 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const texts = strings(share(size, 5000, 60))
    const box = sandbox()
    const faults: string[] = []
    let shown = 0
    const all = [
      ...lines.map((line) => ({ line, columns: 120 })),
      ...kinds.map((kind) => ({ line: `${kind} list --all`, columns: 40 })),
    ]
    const chosen = sample(all, size, 10)
    const runs = chosen.length
    try {
      const records = await filled(box, texts)
      for (const kind of kinds) faults.push(...(await changedIn(box, kind, records[kind])))
      for (const { line, columns } of chosen) {
        const shell = shipxOn(box, wordsOf(line), { columns, env: { NO_COLOR: '1', SHIPX_NO_INPUT: '1' } })
        // Ten thousand lines on a terminal take minutes on a busy machine.
        await shell.ended(600_000)
        if (/\\u\{?0*(9b|1b|202e)/.test(shell.raw())) shown++
        const found = rawIn(shell.raw())
        if (found !== undefined) faults.push(`${found}: ${line}`)
      }
    } finally {
      box.remove()
    }
    // Commands that show nothing hostile prove nothing.
    if (shown < runs / 4) faults.push(`only ${shown} of ${runs} commands showed a hostile string at all`)
    return {
      row: 'R16',
      what: `${texts.length.toLocaleString('en-IN')} hostile strings in 32 fields of parcels and returns, in stores and in sheets; ${runs} of ${all.length} command lines on a terminal`,
      tried: texts.length * runs,
      result: `${faults.length} faults; ${shown} of ${runs} commands showed the strings as visible escapes`,
      target: '0 raw control or bidi bytes on a terminal, JSON equal after parse',
      faults: summed(faults),
    }
  })
