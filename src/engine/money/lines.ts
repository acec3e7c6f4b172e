// The lines of kept invoices: written some hundreds at a time, read in the order of the file, and by AWB.
import sql, { empty, raw } from 'sql-template-tag'
import { noCard } from '../../domain/money/judge.ts'
import type { Seen } from '../../domain/money/billed.ts'
import { reusedAfter } from '../../domain/money/parcel.ts'
import { componentsOf } from '../../domain/money/stilldue.ts'
import { waysBilled } from '../../domain/money/ways.ts'
import type { Journey } from '../../domain/money/words.ts'
import { listOf, listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { ownDocument } from './documents.ts'

/** A line as it is kept: paise, milligrams, ms UTC; lists are JSON texts in rupees, null where they are empty. */
export interface KeptLine {
  readonly line: number
  readonly awb: string
  readonly order_name: string | null
  readonly courier: string | null
  readonly journey: Journey
  readonly status: string | null
  readonly picked_up: number | null
  readonly card: string | null
  readonly zone: string | null
  readonly zone_billed: string | null
  readonly zone_by: string | null
  readonly weight: number | null
  readonly weight_billed: number | null
  readonly weight_by: string | null
  readonly slab: number | null
  readonly slab_billed: number | null
  /**
   * How the parcel was found; `child 9001` for the box 9001 of the parcel with the AWB, and `order 9001` or
   * `suffix 9001-R` for a line that prints this AWB and whose parcel has another one.
   */
  readonly matched_by: string | null
  /** The pincode of the warehouse, and the state of the customer. */
  readonly origin: string | null
  readonly state: string | null
  readonly billed: number
  readonly expected: number | null
  readonly gst_billed: number | null
  readonly gst_expected: number | null
  readonly freight: number
  readonly rto: number
  readonly cod_fee: number
  readonly fuel: number
  readonly other: number
  readonly verdict: string
  readonly category: string
  readonly reasons: string | null
  readonly earlier: string | null
}

const childWord = 'child '

/** What `matched_by` says of a line that prints an AWB, and counts under another one. */
export const matchedAs = (by: 'child' | 'order' | 'suffix', printed: string): string => `${by} ${printed}`

/** How the parcel of a line was found, without an AWB. */
export const howMatched = (by: string | null): string | null => (by === null ? null : (/^[a-z]+/.exec(by)?.[0] ?? by))

/** The AWB that the line prints: of a line that was found by its order or a suffix, not that of its parcel. */
export const printedAwb = ({ awb, matched_by: by }: Pick<KeptLine, 'awb' | 'matched_by'>): string =>
  /^(?:order|suffix) (.*)$/.exec(by ?? '')?.[1] ?? awb

/** Whether a line was billed before, or in part. */
export const saysBefore = ({ reasons }: Pick<KeptLine, 'reasons'>): boolean =>
  reasons !== null && reasons.includes('"billed_before"')

/** How the reasons of a credit begin that was read before its bill. */
export const firstStart = '[{"code":"credit_first"'

/** The AWB of the box that a line bills; undefined for the line of a whole parcel. */
export const childOf = ({ matched_by: by }: Pick<KeptLine, 'matched_by'>): string | undefined =>
  by?.startsWith(childWord) === true ? by.slice(childWord.length) : undefined

interface LineRow extends KeptLine, Record<string, unknown> {}

const names: readonly (keyof KeptLine)[] = [
  'line',
  'awb',
  'order_name',
  'courier',
  'journey',
  'status',
  'picked_up',
  'card',
  'zone',
  'zone_billed',
  'zone_by',
  'weight',
  'weight_billed',
  'weight_by',
  'slab',
  'slab_billed',
  'matched_by',
  'origin',
  'state',
  'billed',
  'expected',
  'gst_billed',
  'gst_expected',
  'freight',
  'rto',
  'cod_fee',
  'fuel',
  'other',
  'verdict',
  'category',
  'reasons',
  'earlier',
]
const all = ['account_id', 'id', 'document_id', ...names]
const places = (sign: (n: number) => string): string => all.map((_, n) => sign(n + 1)).join(', ')
const insert = (sign: (n: number) => string): string =>
  `insert into document_lines (${all.join(', ')}) values (${places(sign)})`
const statement = { sql: insert(() => '?'), text: insert((n) => `$${n}`) }

const key = (document: string, n: number): string => `${document}:${String(n).padStart(9, '0')}`

/** Adds lines to a document that is not complete; `after` lines are there already. */
export function* addLines(account: number, document: string, lines: readonly KeptLine[], after: number): Work<void> {
  yield* ownDocument(account, document)
  const values = lines.map((line, n) => [
    account,
    key(document, after + n + 1),
    document,
    ...names.map((name) => line[name]),
  ])
  const [first, ...more] = values
  if (first !== undefined) yield { ...statement, values: first, more }
}

const columns = raw(names.join(', '))

/** The next lines of a document in the order of its file, `after` a number of them. */
export function* linesOf(account: number, document: string, after: number, most: number): Work<readonly KeptLine[]> {
  return yield* rows<LineRow>(
    sql`select ${columns} from document_lines where account_id = ${account} and id > ${key(document, after)}
      and id < ${`${document};`} order by id ${limitTo(most)}`,
  )
}

/** A line of an AWB with its document. */
export interface AwbLine extends KeptLine {
  readonly number: string
  readonly day: string | null
  readonly biller: string
  readonly created_at: number
}
interface AwbRow extends AwbLine, Record<string, unknown> {}

const ofLine = raw(names.map((name) => `l.${name}`).join(', '))

/** Everything that was billed for some AWBs, over all documents that count but those with the numbers `except`. */
export function* linesOfAwbs(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
  except: readonly string[] = [],
): Work<readonly AwbLine[]> {
  const found: AwbLine[] = []
  const other = except.length === 0 ? empty : sql` and d.number not in (${listOf(except)})`
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<AwbRow>(
        sql`select ${ofLine}, d.number, d.day, d.courier as biller, d.created_at
          from document_lines l${byIndex(dialect, 'document_lines_awb')}
            join documents d on d.account_id = ${account} and d.id = l.document_id
          where l.account_id = ${account} and l.awb in (${list}) and d.complete = 1 and d.superseded_at is null${other}
          order by l.awb, coalesce(d.day, '9999'), d.created_at, d.number, l.id`,
      )),
    )
  return found
}

/**
 * The AWBs that lines with other, printed ones count under, by an order or a suffix; by the printed one. It reads all
 * lines of the account.
 */
export function* awbsBilledAs(
  account: number,
  printed: readonly string[],
): Work<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const list of listsOf(printed.flatMap((awb) => [matchedAs('order', awb), matchedAs('suffix', awb)])))
    for (const line of yield* rows<Pick<KeptLine, 'awb' | 'matched_by'> & Record<string, unknown>>(
      sql`select distinct awb, matched_by from document_lines
        where account_id = ${account} and matched_by in (${list})`,
    ))
      found.set(printedAwb(line), [...(found.get(printedAwb(line)) ?? []), line.awb])
  return found
}

/** What a courier billed of a parcel that may not be its own. */
export interface ForeignLines {
  readonly biller: string
  /** Whether the parcel was not known then; else it went with another courier. */
  unknown: boolean
  before: number
  beforeNet: number
  readonly billedBefore: { bare: number; components: number }
}

/** What documents billed of an AWB; `others` are parcels that had it at another time. */
export interface EarlierAwb extends Pick<Seen, 'before' | 'beforeNet' | 'earlier' | 'billedBefore'> {
  /** What is not in the sums: of couriers that billed it without carrying it, or before it was known. */
  readonly foreign?: readonly ForeignLines[]
  /** What is in the net amount, by who billed it. */
  readonly nets?: ReadonlyMap<string, number>
  /** When its parcel was picked up, ms UTC. */
  readonly pickedUp: number | null
  readonly others?: readonly EarlierAwb[]
}

interface Making {
  before: number
  beforeNet: number
  readonly billedBefore: { bare: number; components: number }
  pickedUp: number | null
  earlier: { invoice: string; amount: number }[]
  foreign?: ForeignLines[]
  readonly nets: Map<string, number>
  others?: Making[]
}

/** The parcel of an AWB that was picked up at an instant, made where there is none; without an instant the last one. */
function parcelOf(known: Map<string, Making>, awb: string, pickedUp: number | null): Making {
  const first = known.get(awb)
  const all = first === undefined ? [] : [first, ...(first.others ?? [])]
  const one =
    pickedUp === null
      ? all.at(-1)
      : all.find((made) => made.pickedUp === null || Math.abs(made.pickedUp - pickedUp) < reusedAfter)
  if (one !== undefined) {
    one.pickedUp ??= pickedUp
    return one
  }
  const billedBefore = { bare: 0, components: 0 }
  const made: Making = { before: 0, beforeNet: 0, billedBefore, pickedUp, earlier: [], nets: new Map() }
  if (first === undefined) known.set(awb, made)
  else (first.others ??= []).push(made)
  return made
}

/** The ways that a kept line bills. Without freight and RTO, it has one amount, and no word of the file. */
function waysKept({ freight, rto, journey, verdict, card }: KeptLine): number {
  const [whole, byCard] = [freight === 0 && rto === 0, card !== null && card !== noCard]
  return waysBilled(
    { freight, rto, said: whole && journey === 'rto' ? 'rto' : undefined },
    { journey, verdict },
    { whole, byCard },
  )
}

/** Whether the courier of a line did not carry the parcel, or may not have: a credit before its bill tells nothing. */
const isForeign = ({ category, reasons }: AwbLine): boolean =>
  category === 'other_courier' || category === 'unknown_awb' || reasons?.startsWith(firstStart) === true

/** An AWB with who bills it. */
const billedBy = ({ awb, biller }: AwbLine): string => `${awb}\n${biller.toLowerCase()}`

/**
 * Where a line counts whose courier may not have carried the parcel, with its credits, also with those before.
 * Undefined for others. `billers` are those of such lines.
 */
function foreignOf(one: Making, line: AwbLine, billers: ReadonlySet<string>): ForeignLines | undefined {
  const { category, biller, billed } = line
  const known = one.foreign?.find((foreign) => foreign.biller.toLowerCase() === biller.toLowerCase())
  if (!isForeign(line) && (known !== undefined || billed >= 0 || !billers.has(billedBy(line)))) return known
  const unknown = category !== 'other_courier'
  if (known !== undefined) {
    known.unknown &&= unknown
    return known
  }
  const made = { biller, unknown, before: 0, beforeNet: 0, billedBefore: { bare: 0, components: 0 } }
  ;(one.foreign ??= []).push(made)
  return made
}

/** Adds what a line bills, before GST, to what was billed of its parcel; a credit of all of it begins anew. */
function addBare(sum: Making['billedBefore'], line: AwbLine, net: number): void {
  if (line.billed >= 0) {
    sum.bare += line.billed - (line.gst_billed ?? 0)
    sum.components |= componentsOf({ ...line, cod: line.cod_fee })
  } else if (net <= 0) [sum.bare, sum.components] = [0, 0]
}

/**
 * The documents whose lines of an AWB were billed before in one of these, as AWB and number: they come after those. The
 * first line of a parcel has what documents before billed.
 */
function laterThan(lines: readonly AwbLine[], numbers: readonly string[]): ReadonlySet<string> {
  const again = new Set(lines.flatMap((line) => (saysBefore(line) ? [`${line.awb} ${line.number}`] : [])))
  const later = new Set<string>()
  for (const { awb, number, earlier } of lines) {
    if (earlier === null || !again.has(`${awb} ${number}`)) continue
    const found = JSON.parse(earlier) as readonly { readonly invoice: string }[]
    if (found.some(({ invoice }) => numbers.includes(invoice))) later.add(`${awb} ${number}`)
  }
  return later
}

/**
 * What documents before billed of AWBs: ways, the net amount, each line. An AWB that none billed is left out. Documents
 * with the numbers `except` do not count, nor do those whose lines were billed before in one of them or in `own`, the
 * document that is read: it was kept before them, and removed.
 */
export function* earlierOf(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
  except: readonly string[] = [],
  own = '',
): Work<ReadonlyMap<string, EarlierAwb>> {
  const known = new Map<string, Making>()
  const lines = yield* linesOfAwbs(dialect, account, awbs, except)
  const later = laterThan(lines, [...except, own])
  const billers = new Set(lines.filter(isForeign).map(billedBy))
  for (const line of lines) {
    const { number, billed, verdict, category } = line
    if (later.has(`${line.awb} ${number}`)) continue
    const one = parcelOf(known, childOf(line) ?? line.awb, line.picked_up)
    const foreign = foreignOf(one, line, billers)
    const own = foreign ?? one
    own.beforeNet += billed
    if (foreign === undefined) one.nets.set(line.biller, (one.nets.get(line.biller) ?? 0) + billed)
    addBare(own.billedBefore, line, own.beforeNet)
    one.earlier.push({ invoice: number, amount: billed })
    const unread = verdict === 'unknown' && category === 'unknown' && billed === 0
    if (billed >= 0 && !unread) own.before |= waysKept(line)
  }
  // What was credited in full may be billed again.
  for (const one of known.values())
    for (const made of [one, ...(one.others ?? [])]) if (made.beforeNet <= 0) made.before = 0
  return known
}
