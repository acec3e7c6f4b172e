// The faults of invented invoices: one of every kind that a courier's bill may have, and one lane in a wrong zone
// (docs/guides/money.md). Amounts are integer paise.
import {
  honestLine,
  summed,
  type BilledParcel,
  type Document,
  type Draft,
  type InvoiceLine,
  type PriceOf,
} from './invoicelines.ts'

/** A fault that was made: the line of the file (the header is line 1), and what it adds, with GST. */
export interface MadeFault {
  readonly number: string
  readonly line: number
  readonly awb: string
  readonly category: string
  /** Billed less expected, paise with GST. */
  readonly amount: number
  readonly what: string
}

/** What faults are made from. */
interface Ground {
  readonly earlier: readonly Document[]
  /** Parcels that were cancelled before pickup. */
  readonly unshipped: readonly BilledParcel[]
  readonly priceOf: PriceOf
}

/** A change of one line; undefined where the parcel does not suit it. */
type Change = (draft: Draft, priceOf: PriceOf) => InvoiceLine | undefined

const delivered = ({ line }: Draft): boolean => line.status === 'Delivered'

/** The zones of the sample card, one dearer than the other. */
const zones = ['A', 'B', 'C', 'D', 'E']

/** The same line at the next zone; undefined where the courier has no dearer one. */
const zoneAway: Change = ({ line, parcel }, priceOf) => {
  const next = zones[zones.indexOf(line.zone) + 1]
  if (next === undefined) return undefined
  const zone = `zone_${next.toLowerCase()}`
  const other = honestLine({ ...parcel, warehouse_id: null, zone }, priceOf)
  return other === undefined || other.freight <= line.freight ? undefined : { ...other, zone: next }
}

const slabMore: Change = (draft, priceOf) => {
  const { line, parcel } = draft
  if (!delivered(draft)) return undefined
  const other = honestLine({ ...parcel, applied_weight: (line.weight + 1) * 1000 }, priceOf)
  return other === undefined || other.freight <= line.freight ? undefined : other
}

const returned = ({ line }: Draft): boolean => line.rto > 0

/** A change of some parts of the lines that suit it; the sums follow. */
const parts =
  (suits: (draft: Draft) => boolean, change: (line: InvoiceLine) => Partial<InvoiceLine>): Change =>
  (draft) =>
    suits(draft) ? summed({ ...draft.line, ...change(draft.line) }) : undefined

/** A change of the tax or the total alone: the sums do not follow. */
const sums =
  (change: (line: InvoiceLine) => Partial<InvoiceLine>): Change =>
  (draft) =>
    delivered(draft) ? { ...draft.line, ...change(draft.line) } : undefined

/** Each kind of fault in a line: what it is, and how it is made. */
const kinds: Readonly<Record<string, readonly [what: string, change: Change]>> = {
  zone: ['one zone too far', (draft, priceOf) => (delivered(draft) ? zoneAway(draft, priceOf) : undefined)],
  weight: ['one slab too many', slabMore],
  rate: ['freight ₹7 above the card', parts(delivered, ({ freight }) => ({ freight: freight + 700 }))],
  rto_rate: ['RTO ₹9 above the card', parts(returned, ({ rto }) => ({ rto: rto + 900 }))],
  rto_not_returned: [
    'RTO of a parcel that was delivered',
    parts(
      ({ parcel }) => parcel.status === 'delivered',
      ({ freight }) => ({ rto: freight }),
    ),
  ],
  cod_on_prepaid: [
    'a COD fee for a prepaid parcel',
    parts(
      (draft) => delivered(draft) && !draft.line.cod,
      () => ({ codFee: 4500 }),
    ),
  ],
  cod_rate: [
    'a COD fee ₹5 above the card',
    parts(
      (draft) => delivered(draft) && draft.line.codFee > 0,
      ({ codFee }) => ({ codFee: codFee + 500 }),
    ),
  ],
  cod_not_reversed: [
    'the COD fee of a parcel that came back',
    parts(
      (draft) => returned(draft) && draft.line.cod,
      () => ({ codFee: 4000 }),
    ),
  ],
  surcharge: ['a charge of ₹15 that the card does not have', parts(delivered, () => ({ other: 1500 }))],
  gst: ['₹2 too much GST', sums(({ tax, total }) => ({ tax: tax + 200, total: total + 200 }))],
  arithmetic: ['a total ₹3 above its parts', sums(({ total }) => ({ total: total + 300 }))],
}

/** A draft with the fault that was made in it. */
type Spoilt = Draft & { readonly fault?: Pick<MadeFault, 'category' | 'amount' | 'what'> }

/** The invoices with the faults in them, and the list of these. */
export function addFaults(
  documents: readonly Document[],
  ground: Ground,
): { readonly invoices: readonly Document[]; readonly faults: readonly MadeFault[] } {
  const spoilt: Spoilt[][] = documents.map(({ drafts }) => [...drafts])
  addLane(spoilt, ground)
  addKinds(spoilt, ground)
  addLines(spoilt, documents, ground)
  const faults = documents.flatMap(({ number }, at) =>
    spoilt[at]!.flatMap(({ line, fault }, i): MadeFault[] =>
      fault === undefined ? [] : [{ number, line: i + 2, awb: line.awb, ...fault }],
    ),
  )
  return { invoices: documents.map((document, at) => ({ ...document, drafts: spoilt[at]! })), faults }
}

/** All parcels of the largest invoice to the state with most of one zone, in the next zone. */
function addLane(spoilt: readonly Spoilt[][], { priceOf }: Ground): void {
  const largest = spoilt.toSorted((a, b) => b.length - a.length)[0]
  if (largest === undefined) return
  const lanes = new Map<string, Spoilt[]>()
  for (const draft of largest) {
    if (draft.parcel.state === null || zoneAway(draft, priceOf) === undefined) continue
    const name = `${draft.line.zone} ${draft.parcel.state}`
    lanes.set(name, [...(lanes.get(name) ?? []), draft])
  }
  const lane = [...lanes.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
  for (const draft of lane) {
    const line = zoneAway(draft, priceOf)!
    const what = `every parcel to ${draft.parcel.state!} in zone ${line.zone}, not ${draft.line.zone}`
    const fault = { category: 'zone', amount: line.total - draft.line.total, what }
    largest[largest.indexOf(draft)] = { ...draft, line, fault }
  }
}

/** One fault of each kind, in the first line that suits it, each in the next invoice where one suits. */
function addKinds(spoilt: readonly Spoilt[][], { priceOf }: Ground): void {
  for (const [turn, [category, [what, change]]] of Object.entries(kinds).entries()) {
    const order = spoilt.map((_, i) => spoilt[(i + turn) % spoilt.length]!)
    for (const lines of order) {
      const at = lines.findIndex((draft) => draft.fault === undefined && change(draft, priceOf) !== undefined)
      if (at === -1) continue
      const draft = lines[at]!
      const line = change(draft, priceOf)!
      lines[at] = { ...draft, line, fault: { category, what, amount: line.total - draft.line.total } }
      break
    }
  }
}

/** Lines that should not be there at all, at the end of the invoices. */
function addLines(
  spoilt: readonly Spoilt[][],
  documents: readonly Document[],
  { earlier, unshipped, priceOf }: Ground,
): void {
  const honest = (lines: readonly Spoilt[]): Spoilt | undefined => lines.find(({ fault }) => fault === undefined)
  const add = (at: number, draft: Draft | undefined, category: string, what: string): void => {
    if (draft === undefined) return
    spoilt[at]!.push({ ...draft, fault: { category, what, amount: draft.line.total } })
  }
  for (const [at, { courier, code }] of documents.entries()) {
    const lines = spoilt[at]!
    const first = honest(lines)
    if (first === undefined) continue
    const before = earlier.find((one) => one.code === code)?.drafts[0]
    // Each kind once: the couriers take turns.
    if (at === 0) add(at, first, 'duplicate', 'the same parcel a second time')
    if (at === 1) {
      const awb = `${first.line.awb.slice(0, -3)}000`
      add(at, { ...first, line: { ...first.line, awb, order: '' } }, 'unknown_awb', 'a parcel that is not yours')
    }
    if (at === 2) {
      const other = honest(spoilt[0]!)
      add(at, other, 'other_courier', `a parcel that ${courier} did not carry`)
    }
    if (before !== undefined && !spoilt.flat().some(({ fault }) => fault?.category === 'billed_before'))
      add(at, before, 'billed_before', 'a parcel of the invoice of the month before')
    const cancelled = unshipped.find(({ carrier_id: id }) => id === first.parcel.carrier_id)
    if (cancelled !== undefined && !spoilt.flat().some(({ fault }) => fault?.category === 'not_shipped')) {
      const line = honestLine({ ...cancelled, picked_up_at: first.parcel.picked_up_at }, priceOf)
      if (line !== undefined) add(at, { line, parcel: cancelled }, 'not_shipped', 'a parcel that was cancelled')
    }
  }
}
