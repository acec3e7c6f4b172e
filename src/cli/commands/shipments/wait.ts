// `shipx shipments wait`: looks at one shipment until it has a status, can no longer reach it, or the time is over.
// polling.ts decides when to look.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { keysOf } from '../../../domain/keysof.ts'
import { isSettled, shipmentBuckets, shipmentStatuses } from '../../../domain/parcels/statuses.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import { notOneOf } from '../../../domain/values.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { phrase } from '../../output/display.ts'
import { list, span } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { shipmentKind } from '../../listings/listing.ts'
import { checkShape } from '../../output/printer.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { oneRecord, printRecord, referenceFrom } from '../../listings/lookup.ts'
import { interruption, lookAgain } from './polling.ts'

const known: readonly string[] = [...new Set<string>([...shipmentStatuses, ...keysOf(shipmentBuckets)])]

/** A status for people: the detailed one if there is one. */
const statusOf = ({ attributes: { status, granular_status } }: Shipment): string =>
  safe(phrase(granular_status ?? status ?? 'of unknown status'))

const waitOptions = { for: list, every: span('1m', 1000), timeout: span('3d', 1000) }

const wait = verb(waitOptions, async (context, { for: wanted = [], every, timeout }) => {
  const reference = referenceFrom(context)
  const faults: Fault[] = []
  if (reference === '') faults.push(missingArgument(context, 'shipment'))
  if (wanted.length === 0)
    faults.push({ field: '--for', message: 'is required: the status to wait for, for example --for delivered' })
  for (const name of wanted)
    if (!known.includes(name)) faults.push({ field: '--for', message: notOneOf(name, known, 'status') })
  refuse(context, faults)
  checkShape(context, shipmentKind.view)
  const goal = wanted.map(phrase).join(' or ')
  const { stop, quieten } = interruption(context)
  let status: string | undefined
  try {
    const ending = await lookAgain(context, {
      every: every.ms,
      most: timeout.ms,
      stop,
      look: async (source) => {
        const record = await oneRecord(context, source, shipmentKind, reference)
        const shipment = readRecord('shipments', record)
        const { attributes: a } = shipment
        const now = statusOf(shipment)
        if ([a.status, a.granular_status].some((name) => name != null && wanted.includes(name))) {
          await printRecord(context, source, shipmentKind, record)
          return true
        }
        if (isSettled(a))
          throw new ShipxError('wrong_state', `${safe(reference)} is ${now} for good, and will not be ${goal}`, {
            hint: `shipx shipments get ${quoted(reference)}`,
          })
        if (status !== now)
          await context.note(`${safe(reference)} is ${now}; waiting for ${goal}, every ${every.typed}`)
        status = now
        return false
      },
      failed: (error) => context.warn(`${error.message}; next try in ${every.typed}`),
    })
    const said = status === undefined ? '' : `; ${safe(reference)} is ${status}`
    if (ending === 'stopped') throw new ShipxError('interrupted', `stopped${said}`)
    if (ending === 'late')
      throw new ShipxError('time_limit', `not ${goal} within ${timeout.typed}${said}`, {
        hint: 'run the same command again to go on waiting',
      })
    return 0
  } finally {
    quieten()
  }
})

export const verbs = { 'shipments wait': wait }
