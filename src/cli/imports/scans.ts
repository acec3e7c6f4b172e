// The importer of couriers' scans: the columns, the check of a row, and the target, the engine's database. There, the
// same scan is one event however often it arrives (docs/reference/tracking.md).
import type { Code } from '../../domain/errors.ts'
import {
  nearestEvent,
  meaningsOf,
  statusIn,
  turnedBy,
  type CourierVocabulary,
} from '../../domain/parcels/courierwords.ts'
import { severalAwbs } from '../../domain/money/awbs.ts'
import { awbSpellings, weakerAwbs } from '../../domain/money/owncolumns.ts'
import type { AnyEvent } from '../../domain/parcels/journeys.ts'
import { countedAt, readScanTime } from '../../domain/parcels/scantimes.ts'
import { istMinute } from '../../domain/time.ts'
import type { Database } from '../../engine/database/port.ts'
import type { Host } from '../../engine/runtime.ts'
import { messageMaker, type InitialStatus } from '../../engine/messages/outbox.ts'
import { recordPlaces, recordSpan } from '../../engine/recordplaces.ts'
import { settledScans, track, type Scan } from '../../engine/tracking.ts'
import { eventsThere, type ScanOutcome } from '../../engine/events.ts'
import type { Context } from '../command/context.ts'
import { here } from '../source/place.ts'
import { safe } from '../terminal/safe.ts'
import { sourceOf } from '../source/open.ts'
import { engineOf, type Source } from '../source/source.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import type { Failure, Item, Importer, Outcome, Places, Target } from './importer.ts'
import { readDigits } from '../../domain/read/typed.ts'

const columns = [
  {
    name: 'tracking_number',
    aliases: ['awb', ...awbSpellings],
    weaker: weakerAwbs,
    required: true,
  },
  {
    name: 'event',
    aliases: ['status', 'scan', 'scan_status', 'status_code', 'current_status', 'latest_status', 'activity'],
    weaker: ['shipment_status', 'last_status', 'last_scan'],
    required: true,
  },
  {
    name: 'at',
    aliases: [
      'time',
      'date',
      'datetime',
      'event_time',
      'scan_time',
      'scan_date',
      'scan_date_time',
      'event_date_time',
      'timestamp',
      'status_time',
      'status_date',
      'status_date_time',
    ],
    weaker: [
      'last_updated_on',
      'last_updated_at',
      'last_updated',
      'last_update',
      'updated_on',
      'updated_at',
      'last_scan_date',
      'last_scan_time',
      'last_scan_date_time',
    ],
    required: true,
  },
  { name: 'location', aliases: ['city', 'hub', 'last_location', 'scan_location', 'scanned_location'] },
  {
    name: 'reason',
    aliases: ['ndr_reason', 'rto_reason', 'remark', 'remarks', 'instructions', 'reason_code'],
    weaker: ['instructions_remarks', 'remarks_instructions', 'courier_remarks', 'ndr_remarks'],
  },
  { name: 'description', aliases: ['details', 'message', 'comment'] },
  { name: 'event_id', aliases: ['id', 'scan_id'] },
] as const

/**
 * The ids of scans are random, so every transaction writes most pages of their table, and half as many transactions
 * write half as much (docs/inside/performance.md, Scans). Larger ones would take more than 150 MB of memory.
 */
const transaction = { ms: 400, most: 4000 }

/** The longest texts of a scan, characters. */
const longest = 500

/** What is to be said of some scans: how many they are, and of the first ones what. */
export interface Told {
  count: number
  readonly first: string[]
}

/** What is to be said of a file of scans at its end. */
export interface ScanNotes {
  /** Scans that do not fit the parcel's status. */
  readonly ignored: Told
  /** Scans that were kept before, and have no effect any more. */
  readonly displaced: Told
  /** Rows with a day and no time. */
  days: number
}

export const scanNotes = (): ScanNotes => ({
  ignored: { count: 0, first: [] },
  displaced: { count: 0, first: [] },
  days: 0,
})

const mostTold = 10

function tell(told: Told, line: string): void {
  told.count++
  if (told.first.length < mostTold) told.first.push(line)
}

const invalidInput = (message: string): Failure => ({ code: 'invalid_input', message })

/** The failure of a scan with an unknown event. */
function unknownEvent(word: string): Failure {
  const meanings = meaningsOf(word)
  if (meanings !== undefined)
    return invalidInput(`event: "${safe(word.trim())}" is ${meanings}: say which with --words`)
  const guess = nearestEvent(word)
  const way = guess === undefined ? 'name it with --words' : `did you mean ${guess}?`
  return invalidInput(`event: "${safe(word.slice(0, 60))}" is not a known event; ${way}`)
}

/** Why an event is in doubt: a remark beside it speaks of the way back. Undefined where nothing does. */
export function doubtOf(event: AnyEvent, remarks: readonly (string | null)[]): string | undefined {
  const remark = remarks.find((one) => one !== null && turnedBy(one, event) !== undefined) ?? undefined
  if (remark === undefined) return undefined
  const turned = turnedBy(remark, event)!
  const said = `${event} with the remark "${safe(remark.slice(0, 60))}" may be ${event} or ${turned}`
  return `${said}: write ${turned} as the event, or the remark without the RTO`
}

/** The scan of a row, from its cells; or why it is not one. */
function scanOf(
  cell: (name: string) => string,
  vocabulary: CourierVocabulary,
  { digest, now }: Pick<Host, 'digest' | 'now'>,
): Scan | Failure {
  const [number, word, at] = [readDigits(cell('tracking_number')), cell('event'), readScanTime(cell('at'), {})]
  if ('fault' in number) return invalidInput(`tracking_number: ${safe(number.fault)}`)
  if (severalAwbs(cell('tracking_number')))
    return invalidInput('tracking_number: several AWBs stand in one cell: write a line for each')
  const tracking = number.value
  if (tracking === '') return invalidInput('tracking_number is missing')
  const { event: found, reason: said = '' } = statusIn(word, vocabulary)
  if (found === undefined) return unknownEvent(word)
  if ('fault' in at) return invalidInput(`at: ${safe(at.fault)}`)
  const [location = null, description = null, remark = null] = ['location', 'description', 'reason'].map(
    (name) => (cell(name) || (name === 'reason' ? said : '')).slice(0, longest) || null,
  )
  const own = cell('event_id')
  if (own.length > 200) return invalidInput('event_id has more than 200 characters')
  const facts = [tracking, found, at.value.start, location, description, remark]
  return {
    tracking,
    id: own === '' ? digest(facts.join('\n')).slice(0, 32) : own,
    event: found,
    at: countedAt(at.value, found, now()),
    reason: vocabulary.reason(remark ?? ''),
    location,
    description: description ?? remark,
    doubt: doubtOf(found, [remark, description]),
    named: own !== '',
    day: at.value.day,
  }
}

/**
 * The import of scans with known events; `notes` collects what is to be said at the end. A dry run also finds the scans
 * that saving them would refuse.
 */
export function scanImporter(
  context: Context,
  understood: CourierVocabulary,
  telling: InitialStatus,
  notes: ScanNotes,
  dry: boolean,
): Importer<Scan> {
  const itemOf = (row: SheetRow, { places }: Sheet): Item<Scan> => {
    const cell = (name: string): string => (places.has(name) ? row.cells[places.get(name)!]!.trim() : '')
    const scan: Scan | Failure =
      row.fault === undefined ? scanOf(cell, understood, context.io.host) : { code: 'invalid_file', message: row.fault }
    if (!('code' in scan) && scan.day === true) notes.days++
    return 'code' in scan
      ? { rows: [row], name: '', value: undefined, failure: scan }
      : { rows: [row], name: scan.tracking, value: scan, failure: undefined }
  }
  return {
    noun: ['scan', 'scans'],
    columns,
    command: 'local track --file',
    claims: true,
    idles: true,
    items: async function* (sheet) {
      for await (const batch of sheet.rows) yield batch.map((row) => itemOf(row, sheet))
    },
    open: async ({ use }) => scanTarget(context, await sourceOf(context, use), telling, notes, dry),
    template: [
      ['tracking_number', 'event', 'at', 'location', 'reason', 'description'],
      ['14344940012345', 'picked_up', '2026-09-28 17:40', 'Mumbai', '', ''],
      ['14344940012345', 'attempt_failed', '2026-09-30 13:05', 'Bengaluru', 'Customer not available', 'Will try again'],
    ],
  }
}

/** The engine's database as the target of scans. */
function scanTarget(
  context: Context,
  source: Source,
  telling: InitialStatus,
  notes: ScanNotes,
  dry: boolean,
): Target<Scan> {
  const { database, account } = engineOf(source, 'local track')
  const { host } = context.io
  return {
    where: here(context),
    label: async (wanted) => {
      const scans = wanted.map(({ value }) => value)
      const there = await database.read(() =>
        eventsThere(
          account,
          scans.map(({ id }) => id),
        ),
      )
      // An id of the courier's own may be kept as another scan's.
      const asked = dry ? scans : scans.filter(({ id, named }) => named === true && there.has(id))
      const settled = asked.length === 0 ? [] : await database.read(() => settledScans(account, host, asked))
      const settledAs = new Map(asked.map((scan, i) => [scan, settled[i]]))
      return scans.map((scan) => {
        const one = settledAs.get(scan)
        if (one?.outcome === 'refused' && (dry || one.field === 'event_id')) return failureOf(one)
        return one?.outcome === 'known' || there.has(scan.id) ? 'unchanged' : 'create'
      })
    },
    way: {
      kind: 'batches',
      transaction,
      save: async (wanted) => {
        const scans = wanted.map(({ value }) => value)
        const tracked = await database.write(() =>
          track(database.dialect, account, host, scans, messageMaker(account, host, telling)),
        )
        return tracked.map((one, i) => outcomeOf(one, scans[i]!, notes))
      },
    },
    ...(dry ? {} : { places: placesIn(database, account) }),
    close: source.close,
  }
}

const placesIn = (database: Database, account: number): Places<Scan> => ({
  span: () => database.read(() => recordSpan(database.dialect, account)),
  of: async (wanted) => {
    const awbs = wanted.map(({ value }) => value.tracking)
    const there = await database.read(() => recordPlaces(account, awbs))
    return awbs.map((awb) => there.get(awb) ?? 0)
  },
})

function outcomeOf(tracked: ScanOutcome, scan: Scan, { ignored, displaced }: ScanNotes): Outcome | Failure {
  const { tracking, event } = scan
  switch (tracked.outcome) {
    case 'applied':
      for (const one of tracked.displaced ?? []) tell(displaced, `${tracking}: ${displacedText(one, scan)}`)
      return 'created'
    case 'known':
      return 'unchanged'
    case 'ignored':
      tell(ignored, `${tracking}: ${event} cannot follow; ${possibleText(tracked)}`)
      return 'idle'
    case 'refused':
      return failureOf(tracked)
  }
}

const failureOf = ({ field, message }: Extract<ScanOutcome, { outcome: 'refused' }>): Failure => ({
  code: codes[field],
  message,
})

/** The events that fit the status at the time of the scan, in words. */
export function possibleText({ status, was, possible }: Extract<ScanOutcome, { outcome: 'ignored' }>): string {
  const now = was === status
  const said = now ? `the parcel is ${status}` : `the parcel was ${was} then, and is ${status} now`
  if (possible.length === 0) return now ? `${said}, which is final` : said
  return `${said}; possible${now ? '' : ' then'}: ${possible.join(', ')}`
}

/** A kept scan whose effect a late one took, in words. */
export const displacedText = (
  kept: { readonly event: AnyEvent; readonly at: number },
  late: { readonly event: AnyEvent; readonly at: number },
): string =>
  `${kept.event} of ${istMinute(kept.at)} cannot follow ${late.event} of ${istMinute(late.at)}, and changes nothing now`

const codes = {
  tracking_number: 'not_found',
  event: 'wrong_state',
  at: 'invalid_input',
  reason: 'invalid_input',
  event_id: 'invalid_input',
} as const satisfies Record<string, Code>
