// Kept lines whose judgement waits for another document: billed before in one that is gone, or a credit that was read
// before its bill. They follow what is kept, so that of two bills of a parcel the later one claims, and one alone.
import sql, { type Sql } from 'sql-template-tag'
import { billersOf, ofBiller } from '../../domain/money/billers.ts'
import { listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { listDocuments } from './documents.ts'
import { childOf, firstStart, saysBefore } from './lines.ts'

/** A line as its waiting needs it; `reasons` and `earlier` are JSON. */
interface WaitingLine extends Record<string, unknown> {
  readonly id: string
  readonly document_id: string
  readonly number: string
  readonly form: string
  /** The courier of the document, else of the line. */
  readonly courier: string
  readonly awb: string
  readonly matched_by: string | null
  readonly billed: number
  readonly verdict: string
  readonly category: string
  readonly expected: number | null
  readonly gst_expected: number | null
  readonly reasons: string | null
  readonly earlier: string | null
}

/** What a line says when another document is gone or kept. */
type Saying = Pick<WaitingLine, 'verdict' | 'category' | 'expected' | 'gst_expected' | 'reasons'>

/** What became of a line: its bill before is gone, or kept again, or its credit counts. */
export const turns = ['gone', 'again', 'credit'] as const
export type Turn = (typeof turns)[number]

/** Lines of a document that say something else now. */
export interface TurnedLines {
  readonly document: string
  readonly number: string
  readonly turn: Turn
  lines: number
}

/** How the reasons of a line begin whose bill before is gone. */
const goneStart = '[{"code":"before_gone"'

/** Numbers of documents, with those that took their places. */
type Places = ReadonlyMap<string, readonly string[]>

/** The numbers that count for each number: its own, and that of a document with its content that took its place. */
function* placesOf(account: number): Work<Places> {
  const all = yield* listDocuments(account)
  const next = new Map<string, Set<string>>()
  for (const { number, sha256, superseded_at: gone } of all)
    for (const taker of gone === null ? [] : all)
      if (taker.sha256 === sha256 && taker.number !== number && taker.created_at >= gone!)
        next.set(number, (next.get(number) ?? new Set()).add(taker.number))
  const reached = (number: string): readonly string[] => {
    const found = new Set([number])
    for (const one of found) for (const more of next.get(one) ?? []) found.add(more)
    return [...found]
  }
  return new Map([...next.keys()].map((number) => [number, reached(number)]))
}

/** Whether a document bills the parcel that a line says was billed before. */
function isBilledBefore({ earlier }: WaitingLine, others: readonly WaitingLine[], places: Places): boolean {
  const named = earlier === null ? [] : (JSON.parse(earlier) as readonly { readonly invoice: string }[])
  const numbers = new Set(named.flatMap(({ invoice }) => places.get(invoice) ?? [invoice]))
  return others.some((one) => one.billed >= 0 && numbers.has(one.number))
}

/** The credits among the lines of a parcel whose bill is there now, in their order: while something is left of it. */
function creditsNow(lines: readonly WaitingLine[]): ReadonlySet<string> {
  const named = lines.map((line) => ({ line, billers: billersOf(line.form, line.courier) }))
  const waits = ({ line }: (typeof named)[number]): boolean => line.reasons?.startsWith(firstStart) === true
  const counted = named.filter((one) => !waits(one))
  const found = new Set<string>()
  for (const one of named.filter(waits)) {
    const left = ofBiller(one.billers, counted).reduce((sum, { line }) => sum + line.billed, 0)
    if (left <= 0) continue
    counted.push(one)
    found.add(one.line.id)
  }
  return found
}

/** What a credit says that counts. */
const counts = ({ billed }: WaitingLine): Saying => ({
  verdict: 'credit',
  category: 'ok',
  expected: billed,
  gst_expected: null,
  reasons: null,
})

/** What a line says now, given the lines of its parcel in other documents; undefined where it says the same. */
function turned(line: WaitingLine, others: readonly WaitingLine[], places: Places): [Turn, Saying] | undefined {
  const { reasons } = line
  if (!saysBefore(line)) return undefined
  const gone = reasons!.startsWith(goneStart)
  if (gone !== isBilledBefore(line, others, places)) return undefined
  if (gone) return ['again', (JSON.parse(reasons!) as readonly [{ readonly was: Saying }])[0].was]
  const { verdict, category, expected, gst_expected: gst } = line
  const was: Saying = { verdict, category, expected, gst_expected: gst, reasons }
  const text = 'the bill that has this parcel before is no longer kept'
  const why = JSON.stringify([{ code: 'before_gone', amount: null, text, was }])
  return ['gone', { verdict: 'unknown', category: 'unknown', expected: null, gst_expected: null, reasons: why }]
}

/** All lines of some AWBs in documents that count. */
function* linesTogether(dialect: Dialect, account: number, awbs: readonly string[]): Work<readonly WaitingLine[]> {
  const found: WaitingLine[] = []
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<WaitingLine>(
        sql`select l.id, l.document_id, d.number, d.form,
            coalesce(nullif(d.courier, ''), l.courier, '') as courier, l.awb, l.matched_by, l.billed, l.verdict,
            l.category, l.expected, l.gst_expected, l.reasons, l.earlier
          from document_lines l${byIndex(dialect, 'document_lines_awb')}
            join documents d on d.account_id = ${account} and d.id = l.document_id
          where l.account_id = ${account} and l.awb in (${list}) and d.complete = 1 and d.superseded_at is null
          order by l.id`,
      )),
    )
  return found
}

/** Judges the waiting lines of some AWBs anew, by what is kept now. Returns what changed, by document. */
export function* turnLines(dialect: Dialect, account: number, awbs: readonly string[]): Work<readonly TurnedLines[]> {
  if (awbs.length === 0) return []
  const places = yield* placesOf(account)
  const parcels = new Map<string, WaitingLine[]>()
  for (const line of yield* linesTogether(dialect, account, awbs)) {
    const parcel = childOf(line) ?? line.awb
    parcels.set(parcel, [...(parcels.get(parcel) ?? []), line])
  }
  const found = new Map<string, TurnedLines>()
  for (const lines of parcels.values()) {
    const credits = creditsNow(lines)
    for (const line of lines) {
      const others = lines.filter(({ document_id: id }) => id !== line.document_id)
      const now: [Turn, Saying] | undefined = credits.has(line.id)
        ? ['credit', counts(line)]
        : turned(line, others, places)
      if (now === undefined) continue
      const [turn, { verdict, category, expected, gst_expected: gst, reasons }] = now
      yield* rows(
        sql`update document_lines set verdict = ${verdict}, category = ${category}, expected = ${expected},
            gst_expected = ${gst}, reasons = ${reasons} where account_id = ${account} and id = ${line.id}`,
      )
      const key = `${turn} ${line.document_id}`
      const known = found.get(key)
      if (known === undefined) found.set(key, { document: line.document_id, number: line.number, turn, lines: 1 })
      else known.lines++
    }
  }
  return [...found.values()]
}

/** AWBs that are read at a time. */
const together = 500

/** All AWBs of a question that gives some hundreds after one. */
function* allAwbs(after: (awb: string) => Sql): Work<readonly string[]> {
  const all: string[] = []
  for (;;) {
    const found = yield* rows<{ awb: string }>(after(all.at(-1) ?? ''))
    all.push(...found.map(({ awb }) => awb))
    if (found.length < together) return all
  }
}

/** The AWBs of a document of which another one says that they were billed before. */
export const awbsNamed = (dialect: Dialect, account: number, document: string): Work<readonly string[]> =>
  allAwbs(
    (awb) => sql`select distinct g.awb from document_lines g
      where g.account_id = ${account} and g.document_id = ${document} and g.awb > ${awb}
        and exists (select 1 from document_lines l${byIndex(dialect, 'document_lines_awb')}
          where l.account_id = ${account} and l.awb = g.awb and l.document_id <> ${document}
            and l.reasons like '%"billed_before"%')
      order by g.awb ${limitTo(together)}`,
  )

/** The AWBs of a document of which lines of others wait, or credits that stand above what it bills itself. */
export const awbsAwaited = (dialect: Dialect, account: number, document: string): Work<readonly string[]> =>
  allAwbs(
    (awb) => sql`select distinct l.awb from documents d
        join document_lines l${byIndex(dialect, 'document_lines_verdict')}
          on l.account_id = ${account} and l.document_id = d.id and l.verdict = 'unknown'
      where d.account_id = ${account} and d.complete = 1 and d.superseded_at is null and d.unknown_lines > 0
        and l.awb > ${awb}
        and (l.reasons like ${`${goneStart}%`} or l.reasons like ${`${firstStart}%`})
        and exists (select 1 from document_lines o${byIndex(dialect, 'document_lines_awb')}
          where o.account_id = ${account} and o.awb = l.awb and o.document_id = ${document} and o.id <> l.id)
      order by l.awb ${limitTo(together)}`,
  )
