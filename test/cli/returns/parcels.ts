// Parcels that ended in many ways, cards to price them, and what both come to by another way of computing: nested loops
// over records, with fractions of big integers.
import { drawsOf } from '../../support/chance.ts'
import { contract } from '../reconcile/invoices.ts'

const zones = ['zone_a', 'zone_b', 'zone_c', 'zone_d', null] as const
const couriers = [
  ['DLV', 'Delhivery'],
  ['BLU', 'Blue Dart'],
  ['GST', 'Ghost'],
] as const
const statuses = [
  ...Array<string>(6).fill('delivered'),
  'rto_delivered',
  'rto_delivered',
  'rto_initiated',
  'rto_in_transit',
  'in_transit',
  'pending',
  'cancelled',
  'ndr_raised',
  'lost',
]

/** A parcel as its record has it; amounts in rupees. */
export interface Ended {
  readonly id: string
  readonly status: string
  readonly granular: string
  readonly courier: readonly [id: string, name: string]
  readonly zone: string | null
  readonly cod: boolean
  readonly value: number
  readonly grams: number
  readonly attempts: number | null
  readonly ndr: string | null
  readonly zip: string
  readonly skus: readonly string[]
  readonly picked: string
  readonly created: string
}

/** The parcels of a seed. */
export function parcelsOf(seed: number, n: number): readonly Ended[] {
  const { below, pick } = drawsOf(seed)
  return Array.from({ length: n }, (_, i): Ended => {
    const status = pick(statuses)
    const day = 1 + below(60)
    const at = new Date(Date.UTC(2026, 6, day, below(24), below(60)))
    return {
      id: `P-${seed}-${i}`,
      status,
      granular: status === 'lost' && below(2) === 0 ? 'rto_lost' : status,
      courier: pick(couriers),
      zone: pick(zones),
      cod: below(5) < 3,
      value: (10_000 + below(90_000)) / 100,
      grams: 50 + below(3000),
      attempts: pick([null, 0, 1, 1, 1, 2, 3]),
      ndr: below(4) === 0 ? 'customer_refused' : null,
      zip: pick(['560001', '110001', '700001']),
      skus: pick([[], ['A'], ['B'], ['A', 'B']]),
      picked: at.toISOString(),
      created: new Date(at.getTime() - below(3) * 43_200_000).toISOString(),
    }
  })
}

/** The parcels as a file of records. */
export const recordsOf = (parcels: readonly Ended[]): string =>
  `${parcels
    .map((one) =>
      JSON.stringify({
        id: one.id,
        type: 'shipment',
        attributes: {
          tracking_number: `AWB${one.id}`,
          status: one.status === 'lost' ? 'others' : one.status,
          granular_status: one.granular,
          carrier: { id: one.courier[0], name: one.courier[1] },
          warehouse_id: null,
          zone: one.zone,
          is_cod: one.cod,
          cod_amount: one.cod ? one.value : 0,
          total_price: one.value,
          applied_weight: { value: one.grams, unit: 'grams' },
          ...(one.attempts === null ? {} : { attempt_count: one.attempts }),
          ndr_reason: one.ndr,
          created_at: one.created,
          order: { id: `O-${one.id}`, display_id: one.id },
          shipping_address: { name: 'X', city: 'Pune', state: 'Maharashtra', zip: one.zip },
          shipment_milestones: ['pending', 'cancelled'].includes(one.status)
            ? []
            : [{ milestone: 'picked_up', milestone_at: one.picked }],
          items: one.skus.map((sku) => ({ id: sku, sku, name: sku, quantity: 1, price: 1 })),
        },
      }),
    )
    .join('\n')}\n`

export const isBack = ({ status, granular }: Ended): boolean =>
  status !== 'delivered' && (status.startsWith('rto_') || granular === 'rto_lost')
export const isSettled = (one: Ended): boolean => one.status === 'delivered' || isBack(one)
export const isPickedUp = (one: Ended): boolean => !['pending', 'cancelled'].includes(one.status)

/** The terms of a courier: paise, percentages as fractions. */
interface Terms {
  readonly prices: Readonly<Record<string, readonly [first: number, step: number]>>
  readonly rto: readonly [part: bigint, whole: bigint]
  readonly codFixed: number
  readonly codPercent: readonly [part: bigint, whole: bigint]
  readonly keepsCod: boolean
}
const tariff = (factor: number): Terms['prices'] => ({
  zone_a: [3000 + factor, 2000],
  zone_b: [3300 + factor, 2500],
  zone_c: [4000 + factor, 3000],
  zone_d: [4540 + factor, 4480],
  zone_e: [6000 + factor, 5000],
})

/** The terms of the couriers on two cards. */
export const terms: Readonly<Record<'contract' | 'offer', Readonly<Record<string, Terms>>>> = {
  contract: {
    Delhivery: { prices: tariff(0), rto: [655n, 1000n], codFixed: 3000, codPercent: [2n, 100n], keepsCod: true },
    'Blue Dart': { prices: tariff(315), rto: [1n, 1n], codFixed: 2500, codPercent: [175n, 10_000n], keepsCod: false },
  },
  offer: {
    Delhivery: { prices: tariff(-207), rto: [9n, 10n], codFixed: 2800, codPercent: [2n, 100n], keepsCod: false },
    'Blue Dart': { prices: tariff(133), rto: [805n, 1000n], codFixed: 2000, codPercent: [3n, 100n], keepsCod: true },
  },
}

/** A card with these terms, as a file. */
export function cardOf(name: 'contract' | 'offer'): string {
  const card = contract({ name, valid_from: name === 'offer' ? '2027-01-01' : '2026-01-01' })
  return JSON.stringify({
    ...card,
    services: card.services.map((service) => {
      const own = terms[name][service.carrier_name]!
      const bands = Object.fromEntries(
        Object.entries(own.prices).map(([zone, [first, step]]) => [
          zone,
          [{ up_to: null, first_weight: 500, first_price: first / 100, step_weight: 500, step_price: step / 100 }],
        ]),
      )
      const percent = ([part, whole]: readonly [bigint, bigint]): number => Number((part * 10_000n) / whole) / 100
      return {
        ...service,
        forward: bands,
        return: bands,
        rto: { percent: percent(own.rto) },
        cod: {
          ...service.cod,
          fixed: own.codFixed / 100,
          percent: percent(own.codPercent),
          ...(own.keepsCod ? { on_rto: 'charged' } : {}),
        },
      }
    }),
  })
}

/** A share of paise, half-up. */
const share = (paise: number, [part, whole]: readonly [bigint, bigint]): number =>
  Number((2n * BigInt(paise) * part + whole) / (2n * whole))

/** What a parcel costs with a courier of a card as it ended, paise; undefined where the card has no price. */
export function costIn(
  card: 'contract' | 'offer',
  courier: string,
  one: Ended,
): { readonly freight: number; readonly rto: number; readonly cod: number } | undefined {
  const own = terms[card][courier]
  if (own === undefined || one.zone === null) return undefined
  const [first, step] = own.prices[one.zone]!
  let freight = first
  for (let reached = 500; reached < one.grams; reached += 500) freight += step
  const fee = one.cod ? Math.max(own.codFixed, share(Math.round(one.value * 100), own.codPercent)) : 0
  const back = isBack(one)
  return { freight, rto: back ? share(freight, own.rto) : 0, cod: back && !own.keepsCod ? 0 : fee }
}

/** A part in percent with two decimals, half-up, by the digit after them. */
export function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null
  const digits = (BigInt(part) * 100_000n) / BigInt(whole)
  return Number(digits / 10n + (digits % 10n >= 5n ? 1n : 0n)) / 100
}

/** The limits of a share: where the distance from it is what chance has at 95 %, found by halving. */
export function limitsOf(part: number, whole: number): readonly [low: number, high: number] {
  const share = part / whole
  const far = (p: number): boolean => (share - p) ** 2 * whole > 1.959963984540054 ** 2 * p * (1 - p)
  const search = (inside: number, outside: number): number => {
    let [near, away] = [inside, outside]
    for (let i = 0; i < 200; i++) {
      const middle = (near + away) / 2
      if (far(middle)) away = middle
      else near = middle
    }
    return near
  }
  return [part === 0 ? 0 : search(share, 0), part === whole ? 1 : search(share, 1)]
}

/** A sum of weighted fractions over the sum of the weights, in hundredths of a percent, half-up. */
export function weightedPercent(list: readonly (readonly [weight: number, part: number, whole: number])[]): number {
  const common = list.reduce((product, [, , whole]) => product * BigInt(whole), 1n)
  const weights = list.reduce((sum, [weight]) => sum + BigInt(weight), 0n)
  const sum = list.reduce((all, [weight, part, whole]) => all + BigInt(weight * part) * (common / BigInt(whole)), 0n)
  return Number((20_000n * sum + common * weights) / (2n * common * weights))
}
