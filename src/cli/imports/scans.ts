// Scans of couriers as an import has them: the columns, the check of a row, and the engine's database, where the same scan is
// one event however often it is told (docs/tracking.md).
import type { Code } from '../../domain/errors.ts'
import { eventNames, type Understood } from '../../domain/parcels/courierwords.ts'
import { nearest } from '../../domain/nearest.ts'
import { tellInto, type Telling } from '../../engine/messages/outbox.ts'
import { track, type Scan } from '../../engine/tracking.ts'
import { eventsThere, type Tracked } from '../../engine/events.ts'
import type { Context } from '../command/context.ts'
import { accountHere } from '../source/thiscomputer.ts'
import { safe } from '../terminal/safe.ts'
import { sourceOf } from '../source/open.ts'
import { engineOf } from '../source/source.ts'
import type { SheetRow } from '../files/sheet.ts'
import type { Failure, Item, Kind, Outcome, Target } from './importer.ts'
import { readTime } from '../../domain/readers/cells.ts'

const columns = [
  {
    name: 'tracking_number',
    aliases: ['awb', 'awb_number', 'awb_no', 'awb_code', 'waybill', 'docket'],
    required: true,
  },
  {
    name: 'event',
    aliases: ['status', 'scan', 'scan_status', 'status_code', 'current_status', 'activity'],
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
    ],
    required: true,
  },
  { name: 'location', aliases: ['city', 'hub', 'last_location', 'scan_location', 'scanned_location'] },
  { name: 'reason', aliases: ['ndr_reason', 'rto_reason', 'remark', 'remarks', 'instructions', 'reason_code'] },
  { name: 'description', aliases: ['details', 'message', 'comment'] },
  { name: 'event_id', aliases: ['id', 'scan_id'] },
] as const

/** The longest texts of a scan, characters. */
const longest = 500

/** What is told of scans that could not follow: how many, and the first of them. */
export interface Ignored {
  count: number
  readonly first: string[]
}

const ignoredShown = 10

/** The import of scans in words that are understood; what could not follow is noted in `ignored`. */
export function scanKind(
  context: Context,
  { event, reason }: Understood,
  telling: Telling,
  ignored: Ignored,
): Kind<Scan> {
  const { host } = context.io
  const scanOf = (row: SheetRow, cell: (name: string) => string): Scan | Failure => {
    if (row.fault !== undefined) return { code: 'invalid_file', message: row.fault }
    const wrong = (message: string): Failure => ({ code: 'invalid_input', message })
    const [tracking, word, at] = [cell('tracking_number'), cell('event'), readTime(cell('at'))]
    if (tracking === '') return wrong('tracking_number is missing')
    const found = event(word)
    if (found === undefined) {
      const near = nearest(word.toLowerCase(), eventNames)
      return wrong(
        `event: "${safe(word.slice(0, 60))}" is no event that is known${near === undefined ? '; name it with --words' : `; did you mean ${near}?`}`,
      )
    }
    if (at === undefined)
      return wrong(
        `at: "${safe(cell('at').slice(0, 40))}" is not a time; write 2026-09-28 14:05 or 28-09-2026 14:05 (IST), or ISO 8601`,
      )
    const [location, description, remark] = [cell('location'), cell('description'), cell('reason')].map(
      (text) => text.slice(0, longest) || null,
    )
    const own = cell('event_id')
    if (own.length > 200) return wrong('event_id has more than 200 characters')
    const id =
      own === '' ? host.digest([tracking, found, at, location, description, remark].join('\n')).slice(0, 32) : own
    return {
      tracking,
      id,
      event: found,
      at,
      reason: reason(remark ?? ''),
      location: location ?? null,
      description: description ?? remark ?? null,
    }
  }
  return {
    noun: ['scan', 'scans'],
    columns,
    claims: true,
    together: true,
    items: async function* (sheet) {
      for await (const batch of sheet.rows)
        yield batch.map((row): Item<Scan> => {
          const place = (name: string): number | undefined => sheet.places.get(name)
          const scan = scanOf(row, (name) => (place(name) === undefined ? '' : row.cells[place(name)!]!.trim()))
          return 'code' in scan
            ? { rows: [row], name: '', value: undefined, failure: scan }
            : { rows: [row], name: scan.tracking, value: scan, failure: undefined }
        })
    },
    open: async ({ use }): Promise<Target<Scan>> => {
      const source = await sourceOf(context, use)
      const { database, account } = engineOf(source, 'local track')
      return {
        name: accountHere(context),
        label: async (wanted) => {
          const there = await database.read(() =>
            eventsThere(
              account,
              wanted.map(({ value }) => value.id),
            ),
          )
          return wanted.map(({ value }) => (there.has(value.id) ? 'unchanged' : 'create'))
        },
        way: {
          kind: 'batches',
          save: async (wanted) => {
            const tracked = await database.write(() =>
              track(
                database.dialect,
                account,
                host,
                wanted.map(({ value }) => value),
                tellInto(account, host, telling),
              ),
            )
            return tracked.map((one, i) => outcomeOf(one, wanted[i]!.value, ignored))
          },
        },
        close: source.close,
      }
    },
    template: [
      ['tracking_number', 'event', 'at', 'location', 'reason', 'description'],
      ['14344940012345', 'picked_up', '2026-09-28 17:40', 'Mumbai', '', ''],
      ['14344940012345', 'attempt_failed', '2026-09-30 13:05', 'Bengaluru', 'Customer not available', 'Will try again'],
    ],
  }
}

function outcomeOf(tracked: Tracked, { tracking, event }: Scan, ignored: Ignored): Outcome | Failure {
  switch (tracked.outcome) {
    case 'applied':
      return 'created'
    case 'known':
      return 'unchanged'
    case 'ignored':
      ignored.count++
      if (ignored.first.length < ignoredShown)
        ignored.first.push(`${tracking}: ${event} cannot follow; ${possibleText(tracked)}`)
      return 'created'
    case 'refused':
      return { code: codes[tracked.field], message: tracked.message }
  }
}

/** What could follow, in words. */
export const possibleText = ({ status, possible }: Extract<Tracked, { outcome: 'ignored' }>): string =>
  `the parcel is ${status}${possible.length === 0 ? ', which is an end' : `; possible: ${possible.join(', ')}`}`

const codes = { tracking_number: 'not_found', event: 'wrong_state', at: 'invalid_input' } as const satisfies Record<
  string,
  Code
>
