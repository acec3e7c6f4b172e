// `shipx courier claims`: what can still be claimed of couriers for parcels, by their policies.
import { ShipxError } from '../../../domain/errors.ts'
import { claimsOf } from '../../../domain/money/claims.ts'
import { workingDays } from '../../../domain/money/deadlines.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { isoOf, istDate } from '../../../domain/time.ts'
import { parcelsOf } from '../../../engine/money/parcels.ts'
import { parcelPlace } from '../../../engine/money/parcelplace.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, untilText, words } from '../../output/display.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** What can be claimed for a parcel, rupees. */
interface ClaimRecord extends Record<string, unknown> {
  readonly awb: string
  readonly status: string | null
  readonly lost_at_most: number | null
}

const plain = (key: string, rank: number, more: Partial<Column<ClaimRecord>> = {}): Column<ClaimRecord> => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  raw: (one) => one[key] as string | number | null,
  ...more,
})

const until = (key: string): Column<ClaimRecord> =>
  plain(key, 1, {
    whole: true,
    kind: 'time',
    show: (one, { now }) => (typeof one[key] === 'string' ? untilText(Date.parse(one[key]), now) : '-'),
  })

const view: View<ClaimRecord> = {
  noun: ['parcel', 'parcels'],
  id: ({ awb }) => awb,
  names: 'awb order courier status delivered_at damage_until denial_until pod_until lost_at_most'.split(' '),
  columns: [
    plain('awb', 1, { whole: true }),
    plain('order', 4),
    plain('courier', 3),
    plain('status', 2, { show: ({ status }) => (status === null ? '-' : words(status)) }),
    until('damage_until'),
    until('denial_until'),
    until('pod_until'),
    plain('lost_at_most', 1, {
      right: true,
      kind: 'money',
      show: ({ lost_at_most: most }, screen) => (most === null ? '-' : showMoney(most, screen)),
    }),
  ],
}

const iso = (at: number | null): string | null => (at === null ? null : isoOf(at))

function recordOf(parcel: KnownParcel, policies: readonly OwnPolicy[], versions: Versions): ClaimRecord {
  const courier = parcel.carrier_name ?? parcel.carrier_id ?? ''
  const { delivered_at: delivered } = parcel
  const holidays = delivered === null ? [] : versionAt(versions, istDate(delivered)).holidays
  const { damage, denial, pod, lost } = claimsOf(parcel, policyOf(courier, policies), workingDays(new Set(holidays)))
  return {
    awb: parcel.awb,
    order: parcel.order,
    courier: courier === '' ? null : courier,
    status: parcel.status,
    delivered_at: iso(delivered),
    damage_until: iso(damage),
    denial_until: iso(denial),
    pod_until: iso(pod),
    lost_at_most: lost === null ? null : rupeesOf(lost),
  }
}

const claims = verb({}, async (context) => {
  const awbs = [...new Set(context.args.map((awb) => awb.trim()))]
  refuse(context, awbs.length === 0 ? [missingArgument(context, 'awb')] : [])
  checkShape(context, view)
  const versions = await versionsNamed(context, undefined)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const [found, policies] =
        place === undefined
          ? [new Map<string, KnownParcel | readonly KnownParcel[]>(), []]
          : await place.database.read(function* () {
              const at = yield* parcelPlace(place.database.dialect, place.account, new Map())
              return [yield* parcelsOf(at, awbs), yield* listPolicies(place.account)] as const
            })
      const missing = awbs.filter((awb) => !found.has(awb))
      if (missing.length > 0)
        throw new ShipxError(
          'not_found',
          `no parcel here has the AWB ${missing.map((awb) => safe(awb, 'id')).join(', ')}`,
          {
            hint: 'shipx shipments list',
          },
        )
      const records = awbs.flatMap((awb) => [found.get(awb)!].flat()).map((one) => recordOf(one, policies, versions))
      await printList(context, view, records)
      await context.note(
        'By the policy of the courier, from the delivery. Your contract may say otherwise: shipx courier policy',
      )
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'courier claims': claims }
