// The next records of a walk as lines of JSON, as many as a page may weigh: for a service that answers walks in large
// pieces (docs/reference/http.md, Lines).
import sql, { raw } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { row, rows, type RecordKind, type Work } from '../database/port.ts'
import { tablesOf } from './entry.ts'
import { accessPathOf, anyPath, docSize, joinedPlaces, pageStatement, type PlacesRow } from './fetch.ts'
import { countMatches, recordsAt } from './listing.ts'
import { planOf, type Plan, type Scope } from './plan.ts'
import { surveyOf } from './survey.ts'

/** What is known of some records of a walk before they are read. */
export interface LinesHead {
  /** The bytes of all lines. */
  readonly bytes: number
  readonly count: number
  /** All matches. */
  readonly total: number
  /** The cursor after the last record; undefined without records. */
  readonly next: readonly [string, string] | undefined
  /** Whether no record follows. */
  readonly ended: boolean
}

/** Some records of a walk, one JSON text on each line (UTF-8), each ended by a line break. */
export interface Lines extends LinesHead {
  readonly lines: Uint8Array
}

/** What a caller may have lines made with. */
export interface LinesOptions {
  /** Called when it is known which records the answer has, before they are read. */
  readonly begun?: (head: LinesHead) => void
  /** Returns memory for the lines, of exactly this many bytes. */
  readonly room?: (bytes: number) => Uint8Array
}

/** Records that are looked at first, the fewest that are looked at for the rest of an answer, and the most in one. */
const [firstStep, leastStep, mostRecords] = [200, 50, 5000]

/**
 * If further records are as large as those before, the next step fills this share of the room. It also has at most this
 * many times the records so far: old records are larger than new ones, and a step that is too long is done again.
 */
const [share, mostTimes] = [0.9, 5]

/** Records that are read at a time: with more, their bytes leave the processor's cache before they are copied. */
const textStep = 200

/**
 * The records after the cursor in `input`, up to `per_page` if it is given: about as many as have the bytes of a page
 * together, never more, and one at least. It needs one unchanging view of the data.
 */
export function* listLines(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  { begun, room = (bytes) => new Uint8Array(bytes) }: LinesOptions = {},
): Work<Lines> {
  const total = yield* countMatches(scope, kind, input)
  const { seqs, ...places } = yield* placesOf(scope, kind, input, total)
  const head = { ...places, total }
  begun?.(head)
  const lines = room(head.bytes)
  let at = 0
  for (let n = 0; n < seqs.length; n += textStep) {
    const texts = yield* textsOf(scope, kind, seqs.slice(n, n + textStep))
    lines.set(texts, at)
    at += texts.length
    lines[at++] = 10
  }
  // What the memory held before is not for this caller.
  if (at !== head.bytes) throw new Error(`lines have ${at} bytes and not ${head.bytes}`)
  return { ...head, lines }
}

/** Some of the next records: their numbers, and what is known of them. */
interface Places extends Omit<LinesHead, 'total'> {
  readonly seqs: readonly number[]
}

/** Finds the records of an answer by their sizes: the database knows them without reading the records. */
function* placesOf(scope: Scope, kind: RecordKind, input: Query, total: number): Work<Places> {
  const { mostBytes = Infinity } = scope
  const most = Math.min(input.per_page ?? mostRecords, mostRecords)
  const seqs: number[] = []
  let bytes = 0
  let next: Places['next']
  const found = (ended: boolean): Places => ({ seqs, bytes: bytes + seqs.length, count: seqs.length, next, ended })
  for (let wanted = Math.min(firstStep, most); ;) {
    const query = next === undefined ? input : { ...input, search_after: [...next], next_search_after: undefined }
    const room = { bytes: mostBytes - bytes, least: seqs.length === 0 ? 1 : 0 }
    const step = yield* stepOf(scope, kind, query as Query, wanted, total, room)
    if (typeof step === 'number') {
      wanted = Math.ceil((wanted * share * room.bytes) / step)
      continue
    }
    seqs.push(...step.seqs)
    bytes += step.bytes
    next = step.next ?? next
    if (step.ended || step.seqs.length < wanted || seqs.length === most) return found(step.ended)
    const guess = Math.floor(((mostBytes - bytes) * share * seqs.length) / bytes)
    if (guess < leastStep) return found(false)
    wanted = Math.min(most - seqs.length, guess, mostTimes * seqs.length)
  }
}

/** A record that is looked at by itself. */
interface PlaceRow extends Record<string, unknown> {
  readonly seq: number
  readonly bytes: number
  readonly at: number
  readonly id: string
}

type Step = Pick<Places, 'seqs' | 'bytes' | 'next' | 'ended'>

/**
 * The next records, `wanted` of them or as many as have room, and `least` of them at any rate. Their bytes where many
 * have no room: fewer should be tried.
 */
function* stepOf(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  wanted: number,
  total: number,
  room: { readonly bytes: number; readonly least: number },
): Work<Step | number> {
  const plan = planOf({ ...scope, mostBytes: undefined }, kind, input)
  const { planning } = scope.dialect
  const way = planning === undefined ? anyPath : accessPathOf(plan, yield* surveyOf(plan, wanted), total, wanted)
  if (planning !== undefined) {
    const joined = (yield* row<PlacesRow>(pageStatement(plan, way, 0, wanted, joinedPlaces(plan))))!
    if ((joined.bytes ?? 0) <= room.bytes) return yield* joinedStep(plan, joined, wanted)
    if (wanted > firstStep) return joined.bytes!
  }
  const columns = sql`p.seq, ${docSize} as bytes, p.at, p.id`
  const places = yield* rows<PlaceRow>(pageStatement(plan, way, 0, wanted, columns))
  let bytes = 0
  const beyond = places.findIndex((place, n) => (bytes += place.bytes) > room.bytes && n >= room.least)
  const fits = beyond === -1 ? places : places.slice(0, beyond)
  const last = fits.at(-1)
  return {
    seqs: fits.map(({ seq }) => seq),
    bytes: fits.reduce((sum, place) => sum + place.bytes, 0),
    next: last === undefined ? undefined : [String(last.at), last.id],
    ended: beyond === -1 && places.length < wanted,
  }
}

/** The same of records that the database has joined: a third of the time of a row for each. */
function* joinedStep({ kind, account }: Plan, { seqs, bytes, at }: PlacesRow, wanted: number): Work<Step> {
  if (seqs === null) return { seqs: [], bytes: 0, next: undefined, ended: true }
  const each = seqs.split(',').map(Number)
  const records = raw(tablesOf[kind].records)
  const last = yield* row<{ id: string }>(
    sql`select r.id from ${records} r where r.account_id = ${account} and r.seq = ${each.at(-1)}`,
  )
  return { seqs: each, bytes: bytes!, next: [String(at), last!.id], ended: each.length < wanted }
}

/** Records by their numbers, in this order, with line breaks between. */
function* textsOf(scope: Scope, kind: RecordKind, seqs: readonly number[]): Work<Uint8Array> {
  if (scope.dialect.planning === undefined) {
    const docs = new Map((yield* recordsAt(scope, kind, seqs)).map(({ seq, doc }) => [seq, doc]))
    return Buffer.from(seqs.map((seq) => docs.get(seq)!).join('\n'))
  }
  const docs = sql`${raw(tablesOf[kind].docs)} d on +d.account_id = ${scope.account} and d.seq = s.value`
  const found = yield* row<{ lines: Uint8Array }>(
    sql`select cast(string_agg(d.doc, char(10)) as blob) as lines
      from json_each(${JSON.stringify(seqs)}) s cross join ${docs}`,
  )
  return found!.lines
}
