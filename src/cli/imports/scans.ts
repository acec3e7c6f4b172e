// The importer of couriers' scans: the columns, the check of a row, and the target, the engine's database. There, the
// same scan is one event however often it arrives (docs/reference/tracking.md).
import type { Code } from '../../domain/errors.ts'
import { eventNames, meaningsOf, type CourierVocabulary } from '../../domain/parcels/courierwords.ts'
import { severalAwbs } from '../../domain/money/awbs.ts'
import { awbSpellings, weakerAwbs } from '../../domain/money/owncolumns.ts'
import { nearest } from '../../domain/nearest.ts'
import type { AnyEvent } from '../../domain/parcels/journeys.ts'
import { messageMaker, type InitialStatus } from '../../engine/messages/outbox.ts'
import { refusedScans, track, type Scan } from '../../engine/tracking.ts'
import { eventsThere, type ScanOutcome } from '../../engine/events.ts'
import type { Context } from '../command/context.ts'
import { here } from '../source/place.ts'
import { safe } from '../terminal/safe.ts'
import { sourceOf } from '../source/open.ts'
import { engineOf, type Source } from '../source/source.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import type { Failure, Item, Importer, Outcome, Target } from './importer.ts'
import { readMoment } from '../../domain/read/day.ts'
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

/** The longest texts of a scan, characters. */
const longest = 500

/** Scans that do not fit the parcel's status: how many, and the first ones. */
export interface Ignored {
  count: number
  readonly first: string[]
}

const ignoredShown = 10

const invalidInput = (message: string): Failure => ({ code: 'invalid_input', message })

/** The failure of a scan with an unknown event. */
function unknownEvent(word: string): Failure {
  const meanings = meaningsOf(word)
  if (meanings !== undefined)
    return invalidInput(`event: "${safe(word.trim())}" is ${meanings}: say which with --words`)
  const guess = nearest(word.toLowerCase(), eventNames)
  const way = guess === undefined ? 'name it with --words' : `did you mean ${guess}?`
  return invalidInput(`event: "${safe(word.slice(0, 60))}" is not a known event; ${way}`)
}

/** The event of a courier's words; `Undelivered - Customer not available` is an event and its reason. */
function eventIn(words: string, event: CourierVocabulary['event']): { event?: AnyEvent | undefined; reason?: string } {
  const whole = event(words)
  const [head = '', reason] = whole === undefined ? words.split(/\s[-\u2013\u2014:]\s(.*)/s) : []
  return reason === undefined ? { event: whole } : { event: event(head), reason }
}

/** The scan of a row, from its cells; or why it is not one. */
function scanOf(
  cell: (name: string) => string,
  { event, reason }: CourierVocabulary,
  digest: (text: string) => string,
): Scan | Failure {
  const [number, word, at] = [readDigits(cell('tracking_number')), cell('event'), readMoment(cell('at'), {})]
  if ('fault' in number) return invalidInput(`tracking_number: ${safe(number.fault)}`)
  if (severalAwbs(cell('tracking_number')))
    return invalidInput('tracking_number: several AWBs stand in one cell: write a line for each')
  const tracking = number.value
  if (tracking === '') return invalidInput('tracking_number is missing')
  const { event: found, reason: said = '' } = eventIn(word, event)
  if (found === undefined) return unknownEvent(word)
  if ('fault' in at) return invalidInput(`at: ${safe(at.fault)}`)
  const [location = null, description = null, remark = null] = ['location', 'description', 'reason'].map(
    (name) => (cell(name) || (name === 'reason' ? said : '')).slice(0, longest) || null,
  )
  const own = cell('event_id')
  if (own.length > 200) return invalidInput('event_id has more than 200 characters')
  const facts = [tracking, found, at.value, location, description, remark]
  return {
    tracking,
    id: own === '' ? digest(facts.join('\n')).slice(0, 32) : own,
    event: found,
    at: at.value,
    reason: reason(remark ?? ''),
    location,
    description: description ?? remark,
  }
}

/**
 * The import of scans with known events; `ignored` collects those that do not fit the status. A dry run also finds the
 * scans that saving them would refuse.
 */
export function scanImporter(
  context: Context,
  understood: CourierVocabulary,
  telling: InitialStatus,
  ignored: Ignored,
  dry: boolean,
): Importer<Scan> {
  const itemOf = (row: SheetRow, { places }: Sheet): Item<Scan> => {
    const cell = (name: string): string => (places.has(name) ? row.cells[places.get(name)!]!.trim() : '')
    const scan: Scan | Failure =
      row.fault === undefined
        ? scanOf(cell, understood, context.io.host.digest)
        : { code: 'invalid_file', message: row.fault }
    return 'code' in scan
      ? { rows: [row], name: '', value: undefined, failure: scan }
      : { rows: [row], name: scan.tracking, value: scan, failure: undefined }
  }
  return {
    noun: ['scan', 'scans'],
    columns,
    command: 'local track --file',
    claims: true,
    together: true,
    idles: true,
    items: async function* (sheet) {
      for await (const batch of sheet.rows) yield batch.map((row) => itemOf(row, sheet))
    },
    open: async ({ use }) => scanTarget(context, await sourceOf(context, use), telling, ignored, dry),
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
  ignored: Ignored,
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
      const refused = dry ? await database.read(() => refusedScans(account, host, scans)) : []
      return scans.map(({ id }, i) => {
        const refusal = refused[i]
        return refusal === undefined ? (there.has(id) ? 'unchanged' : 'create') : failureOf(refusal)
      })
    },
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const scans = wanted.map(({ value }) => value)
        const tell = messageMaker(account, host, telling)
        const tracked = await database.write(() => track(database.dialect, account, host, scans, tell))
        return tracked.map((one, i) => outcomeOf(one, scans[i]!, ignored))
      },
    },
    close: source.close,
  }
}

function outcomeOf(tracked: ScanOutcome, { tracking, event }: Scan, ignored: Ignored): Outcome | Failure {
  switch (tracked.outcome) {
    case 'applied':
      return 'created'
    case 'known':
      return 'unchanged'
    case 'ignored':
      ignored.count++
      if (ignored.first.length < ignoredShown)
        ignored.first.push(`${tracking}: ${event} cannot follow; ${possibleText(tracked)}`)
      return 'idle'
    case 'refused':
      return failureOf(tracked)
  }
}

const failureOf = ({ field, message }: Extract<ScanOutcome, { outcome: 'refused' }>): Failure => ({
  code: codes[field],
  message,
})

/** The events that fit the status, in words. */
export const possibleText = ({ status, possible }: Extract<ScanOutcome, { outcome: 'ignored' }>): string =>
  `the parcel is ${status}${possible.length === 0 ? ', which is final' : `; possible: ${possible.join(', ')}`}`

const codes = { tracking_number: 'not_found', event: 'wrong_state', at: 'invalid_input' } as const satisfies Record<
  string,
  Code
>
