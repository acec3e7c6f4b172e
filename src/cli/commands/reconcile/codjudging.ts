// Finds the parcels of a COD remittance, judges each of them once, and then those that are due and not paid by it.
import { count } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { blankLine } from '../../../domain/money/billed.ts'
import {
  judgeCod,
  owedFor,
  type CodJudged,
  type CodPaid,
  type CodParcel,
  type CourierName,
} from '../../../domain/money/codjudge.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { istDate } from '../../../domain/time.ts'
import { asRemitted, isPaidBy, owedParcels, type OwedParcel } from '../../../engine/money/codowed.ts'
import type { ParcelPlace } from '../../../engine/money/parcelplace.ts'
import { paymentsOf, type AwbPayment } from '../../../engine/money/remittances.ts'
import type { Database } from '../../../engine/database/port.ts'
import type { CodLine } from './codlines.ts'
import { paidBy, sameParcel, standing, sumsIn, type Others, type PaidIn } from './codpaid.ts'
import type { CodTerms } from './codterms.ts'
import { refuseCourier, refuseSpoilt, refuseStrangers } from './doubts.ts'
import { daysReader } from './days.ts'
import { courierCheck, match, type Matched, type MatchedBy } from './judging.ts'

/** Where the parcels of a remittance are found, and how they are judged. */
export interface CodMatching {
  readonly database: Database | undefined
  readonly place: ParcelPlace
  /** Whose remittance it is; undefined where its lines or its parcels say that. */
  readonly courier: string | undefined
  readonly terms: CodTerms
  /** ms UTC: what was remitted and delivered until then counts. */
  readonly now: number
  readonly tolerance: number
  /** Delivered from here on, ms UTC: what else is due. */
  readonly since: number
  /** Whether a file whose AWBs are mostly not ours is read all the same. */
  readonly force: boolean
}

/** Where and how a remittance is judged. */
export interface CodBench extends CodMatching {
  readonly others: Others
}

/** An AWB that is due or was paid, with its judgement. */
export interface CodOutcome extends CodJudged {
  readonly awb: string
  readonly order: string | null
  readonly courier: string | null
  /** Whose parcel it is, or whom the file names. */
  readonly by: CourierName
  /** ms UTC, an IST day. */
  readonly delivered: number | null
  readonly dueDate: string | null
  readonly paid: CodPaid
  readonly fee: number
  readonly feeDue: number | null
  readonly utrs: readonly string[]
  readonly matchedBy: MatchedBy | undefined
  /** The lines of this remittance; none for a parcel that it does not pay. */
  readonly lines: readonly CodLine[]
  /** What other remittances paid that counts here: those before it, and later ones that pay what is left. */
  readonly before: readonly PaidIn[]
  /** What later ones paid that does not count here. */
  readonly after: readonly PaidIn[]
  /** Whether those pay it again. */
  readonly again: boolean
}

/** AWBs that are looked for in one statement. */
const most = 512

const name = ({ carrier_id, carrier_name }: CourierName): CourierName => ({ carrier_id, carrier_name })

/** What a record says of its COD; a parcel without a record's amount owes nothing that is known. */
export function codParcelOf(parcel: KnownParcel, terms: CodTerms): CodParcel {
  const { delivered_at: at, status, shipped, back } = parcel
  return {
    cod: parcel.journey === 'return' ? false : parcel.cod,
    back: back === true,
    void: !shipped || (status === 'others' && at === null),
    amount: parcel.cod_amount ?? parcel.worth ?? 0,
    delivered: at === null ? undefined : istDate(at),
    due: at === null ? undefined : terms.dueDate(name(parcel), at),
  }
}

const sumOf = (lines: readonly CodLine[], part: 'remitted' | 'fee'): number =>
  lines.reduce((sum, line) => sum + line[part], 0)

/** Judges an AWB of the remittance. */
function outcomeOf(
  { line: { awb }, parcel, matchedBy }: Pick<Matched, 'line' | 'parcel' | 'matchedBy'>,
  lines: readonly CodLine[],
  payments: readonly AwbPayment[],
  { terms, now, tolerance, courier, others }: CodBench,
): CodOutcome {
  const first = lines[0]!
  const own = payments.filter(sameParcel(parcel?.delivered_at ?? null))
  const cod = parcel && codParcelOf(parcel, terms)
  const judge = (some: readonly AwbPayment[]): CodJudged => judgeCod(cod, paidBy(lines, some), istDate(now), tolerance)
  const lacks = (some: readonly AwbPayment[]): boolean =>
    cod !== undefined && paidBy(lines, some).amount < owedFor(cod) - tolerance
  const { earlier, later } = standing(own, others, lacks)
  const paid = paidBy(lines, earlier)
  const judged = judge(earlier)
  const by: CourierName = parcel ?? {
    carrier_id: null,
    carrier_name: courier ?? (first.courier === '' ? null : first.courier),
  }
  const fee = sumOf(lines, 'fee')
  return {
    ...judged,
    awb: parcel?.awb ?? awb,
    order: parcel?.order ?? (first.order === '' ? null : first.order),
    courier: by.carrier_name,
    by: name(by),
    delivered: parcel?.delivered_at ?? null,
    dueDate: cod?.due ?? null,
    paid,
    fee,
    feeDue: fee === 0 ? null : (terms.feeOf(name(by), sumOf(lines, 'remitted')) ?? null),
    utrs: [...new Set(lines.flatMap(({ utrs }) => utrs))],
    matchedBy,
    lines,
    before: sumsIn(earlier),
    after: sumsIn(later),
    again: later.length > 0 && judged.verdict !== 'twice' && judge(own).verdict === 'twice',
  }
}

/** The lines of parcels by their AWB as the file writes it. */
function byAwb(lines: readonly CodLine[]): ReadonlyMap<string, CodLine[]> {
  const found = new Map<string, CodLine[]>()
  for (const line of lines) {
    if (line.awb === '') continue
    const known = found.get(line.awb)
    if (known === undefined) found.set(line.awb, [line])
    else known.push(line)
  }
  return found
}

/** An AWB of a remittance with its parcel and its lines. */
export interface PaidAwb {
  readonly awb: string
  readonly matched: Matched
  readonly lines: readonly CodLine[]
}

/** The AWBs of a remittance, each once, in the order of the file. Throws `invalid_file` for a file not of ours. */
export async function matchPaid(lines: readonly CodLine[], bench: CodMatching): Promise<readonly PaidAwb[]> {
  const { database, place, courier, force } = bench
  const awbs = byAwb(lines)
  refuseSpoilt(lines.filter(({ awb }) => awb !== ''))
  const sameCourier = courierCheck()
  const matcher = { courier, sameCourier, dayOf: daysReader().at, alone: false }
  const found = new Map<string, PaidAwb & { readonly lines: CodLine[] }>()
  const all = [...awbs]
  for (let at = 0; at < all.length; at += most) {
    const some = all.slice(at, at + most).map(([awb, [first]]) => ({
      ...blankLine(awb),
      line: first!.line,
      order: first!.order,
      courier: first!.courier,
      dated: first!.on ?? '',
    }))
    const matched = await match(some, { database, place, parcels: new Map(), date: bench.now }, matcher)
    if (at === 0 && !force) {
      refuseStrangers(matched, 'cod')
      refuseCourier(matched, ({ line, parcel }) => {
        const biller = courier ?? line.courier
        return biller === '' || sameCourier(biller, parcel!)
      })
    }
    for (const one of matched) {
      const awb = one.parcel?.awb ?? one.line.awb
      const known = found.get(awb)
      const own = awbs.get(one.line.awb)!
      if (known === undefined) found.set(awb, { awb, matched: one, lines: [...own] })
      else known.lines.push(...own)
    }
  }
  return [...found.values()]
}

/** Judges each AWB of a remittance. */
export async function judgePaid(found: readonly PaidAwb[], bench: CodBench): Promise<readonly CodOutcome[]> {
  const { database, place, others } = bench
  const outcomes: CodOutcome[] = []
  for (let at = 0; at < found.length; at += most) {
    const some = found.slice(at, at + most)
    const payments =
      database === undefined
        ? new Map<string, AwbPayment[]>()
        : paymentsByAwb(
            await database.read(() =>
              paymentsOf(
                database.dialect,
                place.account,
                some.map(({ awb }) => awb),
                others.counted,
              ),
            ),
          )
    for (const { awb, matched, lines } of some) outcomes.push(outcomeOf(matched, lines, payments.get(awb) ?? [], bench))
  }
  return outcomes
}

export function paymentsByAwb(payments: readonly AwbPayment[]): Map<string, AwbPayment[]> {
  const found = new Map<string, AwbPayment[]>()
  for (const payment of payments) found.set(payment.awb, [...(found.get(payment.awb) ?? []), payment])
  return found
}

/** A delivered parcel that no remittance pays in full. */
function owedOutcome(one: OwedParcel, payments: readonly AwbPayment[], bench: CodBench): CodOutcome {
  const { terms, now, tolerance, others } = bench
  const { until } = others
  const inTime = until === undefined ? payments : payments.filter((payment) => isPaidBy(until, payment))
  const earlier = inTime.filter(sameParcel(one.delivered_at))
  const due = terms.dueDate(name(one), one.delivered_at)
  const cod: CodParcel = {
    cod: true,
    back: false,
    void: false,
    amount: one.due,
    delivered: istDate(one.delivered_at),
    due,
  }
  const paid = paidBy([], earlier)
  return {
    ...judgeCod(cod, paid, istDate(now), tolerance),
    awb: one.awb,
    order: one.order_name,
    courier: one.carrier_name,
    by: name(one),
    delivered: one.delivered_at,
    dueDate: due,
    paid,
    fee: 0,
    feeDue: null,
    utrs: [...new Set(earlier.flatMap(({ utr }) => (utr === null ? [] : [utr])))],
    matchedBy: undefined,
    lines: [],
    before: sumsIn(earlier),
    after: [],
    again: false,
  }
}

/** The delivered parcels that are not paid in full, some hundreds at a time, by delivery. */
export async function* judgeOwed(bench: CodBench, paid: boolean): AsyncGenerator<readonly CodOutcome[]> {
  const { database, place, since, now, others } = bench
  if (database === undefined) return
  let after = { delivered_at: since, awb: '' }
  for (;;) {
    const from = after
    const { found, payments } = await database.read(function* () {
      const page = yield* owedParcels(
        database.dialect,
        place.account,
        { since, until: now },
        from,
        most,
        asRemitted(paid, others.until),
        others.counted,
      )
      const partly = page.flatMap((one) => (one.paid === 0 ? [] : [one.awb]))
      return {
        found: page,
        payments: partly.length === 0 ? [] : yield* paymentsOf(database.dialect, place.account, partly, others.counted),
      }
    })
    const last = found.at(-1)
    if (last === undefined) return
    const earlier = paymentsByAwb(payments)
    yield found.map((one) => owedOutcome(one, earlier.get(one.awb) ?? [], bench))
    after = { delivered_at: last.delivered_at, awb: last.awb }
  }
}

/** Throws `invalid_file` where most lines cannot be read. */
export function refuseUnread(lines: readonly CodLine[]): void {
  const unread = lines.filter(({ fault }) => fault !== undefined)
  const [first] = unread
  if (first === undefined || unread.length * 2 <= lines.length) return
  throw new ShipxError('invalid_file', `${count(unread.length)} of ${count(lines.length)} lines cannot be read`, {
    details: unread.slice(0, 50).map((one) => ({ field: null, message: one.fault!, row: one.line })),
    hint: `line ${first.line}: ${first.fault!}; name columns with --map "<header>=<column>"`,
  })
}
