// What COD must come to, worked out another way: days counted by hand, fees as fractions of integers, and verdicts from
// lists of payments. Amounts are paise.
import { drawsOf, type Draws } from '../../support/chance.ts'
import { shipment } from './invoices.ts'

/** The number of a day of the calendar, 1 January 1970 is 0, by leap years and lengths of months. */
export function dayNumber(text: string): number {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  const leap = (one: number): boolean => one % 4 === 0 && (one % 100 !== 0 || one % 400 === 0)
  let days = 0
  for (let one = 1970; one < year; one++) days += leap(one) ? 366 : 365
  const lengths = [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  for (let one = 1; one < month; one++) days += lengths[one - 1]!
  return days + day - 1
}

/** The day of a number. */
export function dayText(number: number): string {
  let [year, left] = [1970, number]
  for (;;) {
    const length = dayNumber(`${year + 1}-01-01`) - dayNumber(`${year}-01-01`)
    if (left < length) break
    left -= length
    year++
  }
  let month = 1
  while (
    dayNumber(`${year}-${month < 9 ? `0${month + 1}` : month + 1}-01`) - dayNumber(`${year}-01-01`) <= left &&
    month < 12
  )
    month++
  const first = dayNumber(`${year}-${String(month).padStart(2, '0')}-01`) - dayNumber(`${year}-01-01`)
  return `${year}-${String(month).padStart(2, '0')}-${String(left - first + 1).padStart(2, '0')}`
}

/** 1 January 1970 was a Thursday. */
const weekday = (number: number): number => (number + 4) % 7

/** When COD is due. */
export interface Cycle {
  readonly count: number
  readonly unit: 'wd' | 'd' | 'h'
  /** Days of the week with credits, 0 for Sunday; none for every day. */
  readonly credits: readonly number[]
  /** Days off beside Sundays and the three national ones. */
  readonly holidays: readonly string[]
}

/** The day on which COD is due of a parcel that was delivered at a minute of an IST day. */
export function dueOf(day: number, minute: number, { count, unit, credits, holidays }: Cycle): number {
  const off = new Set([...holidays, '2026-01-26', '2026-08-15', '2026-10-02'].map(dayNumber))
  const rests = (one: number): boolean => weekday(one) === 0 || off.has(one)
  let due = day
  if (unit === 'd') due += count
  else if (unit === 'h') due += Math.floor((minute + count * 60) / 1440)
  else for (let left = count; left > 0;) if (!rests(++due)) left--
  while (credits.length > 0 && (!credits.includes(weekday(due)) || off.has(due))) due++
  return due
}

/** Half-up, of an amount and hundredths of a percent. */
export const feeOf = (paise: bigint, basis: bigint): bigint => (paise * basis * 2n + 10_000n) / 20_000n

/** A parcel as it is. */
export interface Parcel {
  readonly awb: string
  readonly kind: 'delivered' | 'prepaid' | 'back' | 'moving' | 'cancelled'
  readonly amount: bigint
  readonly day: number
  readonly minute: number
  readonly record: string
}

/** A line of a remittance. */
export interface Payment {
  readonly file: 0 | 1
  readonly awb: string
  readonly amount: bigint
  readonly fee: bigint
  readonly tds: bigint
  readonly utr: string
  readonly day: number
}

/** A credit of the statement, with how its narration writes the UTR. */
export interface Credit {
  readonly utr: string
  readonly amount: bigint
  readonly day: number
  readonly narration: string
  readonly reference: string
}

/** A month of a seed. */
export interface Month {
  readonly cycle: Cycle
  readonly basis: bigint | undefined
  readonly parcels: readonly Parcel[]
  readonly payments: readonly Payment[]
  readonly credits: readonly Credit[]
}

const isoOf = (day: number, minute: number): string => {
  // IST is 330 minutes ahead of UTC.
  const at = day * 1440 + minute - 330
  const own = ((at % 1440) + 1440) % 1440
  const clock = `${String(Math.floor(own / 60)).padStart(2, '0')}:${String(own % 60).padStart(2, '0')}`
  return `${dayText((at - own) / 1440)}T${clock}:00Z`
}

const kinds = ['delivered', 'delivered', 'delivered', 'delivered', 'prepaid', 'back', 'moving', 'cancelled'] as const

function parcelOf(draws: Draws, n: number): Parcel {
  const awb = String(7_100_000 + n)
  const kind = draws.pick(kinds)
  const amount = draws.below(30) === 0 ? 0n : BigInt(10_000 + draws.below(900_000))
  const [day, minute] = [dayNumber('2026-07-20') + draws.below(70), draws.below(1440)]
  const statuses = {
    delivered: 'delivered',
    prepaid: 'delivered',
    back: 'rto_delivered',
    moving: 'in_transit',
    cancelled: 'cancelled',
  }
  return {
    awb,
    kind,
    amount,
    day,
    minute,
    record: shipment(awb, {
      status: statuses[kind],
      picked_up: kind === 'cancelled' ? null : isoOf(day - 3, minute),
      delivered: isoOf(day, minute),
      is_cod: kind !== 'prepaid',
      cod_amount: kind === 'prepaid' ? 0 : Number(amount) / 100,
    }),
  }
}

/** 16 or 22 characters, and what a bank makes of them. */
const utrFor = (draws: Draws, n: number): string =>
  n % 2 === 0
    ? `CITIN${String(26_090_000_000 + n * 1_000 + draws.below(1000))}`
    : `SBINN5${String(2_026_090_100_000_000 + n * 100_000 + draws.below(99_999))}`

const written = (draws: Draws, utr: string): string => {
  const cut = 4 + draws.below(8)
  return draws.pick([
    utr,
    utr,
    `${utr.slice(0, cut)} ${utr.slice(cut)}`,
    `${utr.slice(0, cut)}/${utr.slice(cut)}`,
    `NEFT${utr}`,
  ])
}

function paymentsOf(draws: Draws, parcels: readonly Parcel[], basis: bigint | undefined): readonly Payment[] {
  const utrs = Array.from({ length: 14 }, (_, n) => utrFor(draws, n))
  const payments: Payment[] = []
  const pay = (awb: string, amount: bigint, from: number): void => {
    const n = draws.below(14)
    const fee =
      basis === undefined || amount <= 0n || draws.below(2) === 0
        ? 0n
        : feeOf(amount, basis) + (draws.below(6) === 0 ? 100n : 0n)
    payments.push({
      file: n < 6 ? 0 : 1,
      awb,
      amount,
      fee,
      tds: draws.below(12) === 0 && amount > 1000n ? 500n : 0n,
      utr: utrs[n]!,
      day: Math.max(from, dayNumber('2026-08-01')) + draws.below(20),
    })
  }
  for (const { awb, kind, amount, day } of parcels) {
    if (kind !== 'delivered') {
      if (draws.below(4) === 0) pay(awb, amount === 0n ? 5000n : amount, day)
      continue
    }
    const turn = draws.below(12)
    if (turn === 0 || (turn < 4 && day > dayNumber('2026-09-10'))) continue
    if (turn === 1) pay(awb, amount - 3000n, day)
    else if (turn === 2) pay(awb, amount + 2500n, day)
    else if (turn === 3) for (let times = 0; times < 2; times++) pay(awb, amount, day)
    else if (turn === 4) for (const part of [amount / 3n, amount - amount / 3n]) pay(awb, part, day)
    else if (turn === 5) for (const part of [amount, -amount]) pay(awb, part, day)
    else if (turn === 6) pay(awb, 0n, day)
    else pay(awb, amount, day)
  }
  for (let n = 0; n < 3; n++) pay(`990${n}`, 12_345n, dayNumber('2026-08-20'))
  return payments
}

/** The net amounts of UTRs. */
export function netsOf(payments: readonly Payment[]): ReadonlyMap<string, bigint> {
  const nets = new Map<string, bigint>()
  for (const { utr, amount, fee, tds } of payments) nets.set(utr, (nets.get(utr) ?? 0n) + amount - fee - tds)
  return nets
}

/**
 * What never came of each payment. Without a credit that names its UTR, that is all of it. Where the credits are less than
 * the transfer, nobody says whose money is missing. Parcels bear it whose COD is due and was not paid too much, then those
 * that were paid too much, then those for which nothing is due; of each kind the one that was delivered last.
 */
export function missingOf({ parcels, payments, credits }: Month): ReadonlyMap<Payment, bigint> {
  const due = new Map(parcels.flatMap((one) => (one.kind === 'delivered' ? [[one.awb, one] as const] : [])))
  const turnOf = (one: Payment): readonly [kind: number, minute: number] => {
    const parcel = due.get(one.awb)
    if (parcel === undefined) return [2, 0]
    const paid = payments.reduce((sum, { awb, amount }) => (awb === one.awb ? sum + amount : sum), 0n)
    return [paid > parcel.amount ? 1 : 0, parcel.day * 1440 + parcel.minute]
  }
  const missing = new Map<Payment, bigint>()
  for (const [utr, net] of netsOf(payments)) {
    const turns = payments.flatMap((one, at) => (one.utr === utr ? [{ one, at, turn: turnOf(one) }] : []))
    const bearing = turns.toSorted(
      (a, b) => a.turn[0] - b.turn[0] || b.turn[1] - a.turn[1] || Number(b.one.awb) - Number(a.one.awb) || b.at - a.at,
    )
    const own = bearing.map(({ one }) => one)
    const got = credits.filter((one) => one.utr === utr)
    if (got.length === 0) for (const one of own) missing.set(one, one.amount)
    let left = got.length === 0 ? 0n : net - got.reduce((sum, { amount }) => sum + amount, 0n)
    for (let n = 0; n < own.length && left > 0n; n++) {
      const { amount } = own[n]!
      const part = amount <= 0n ? 0n : amount < left ? amount : left
      missing.set(own[n]!, part)
      left -= part
    }
  }
  return missing
}

function creditsOf(draws: Draws, payments: readonly Payment[]): readonly Credit[] {
  const credits: Credit[] = []
  for (const [utr, net] of netsOf(payments)) {
    const turn = draws.below(8)
    if (turn === 0 || net <= 0n) continue
    const text = written(draws, utr)
    const inReference = draws.below(4) === 0
    const credit = (amount: bigint): void =>
      void credits.push({
        utr,
        amount,
        day: dayNumber('2026-09-01') + draws.below(25),
        narration: inReference ? 'NEFT CR-DELHIVERY LTD' : `NEFT CR-HDFC0000001-${text}-COD`,
        reference: inReference ? utr : '',
      })
    if (turn === 1) credit(net - 100n)
    else if (turn === 2) credit(net + 700n)
    else if (turn === 3 && net > 1000n) for (const part of [1000n, net - 1000n]) credit(part)
    else credit(net)
  }
  for (let n = 0; n < 2; n++) {
    const utr = `ICICR5202609${String(1_000_000_000 + draws.below(99_999_999))}`
    credits.push({ utr, amount: 55_500n, day: dayNumber('2026-09-09'), narration: `RTGS-${utr}-OTHER`, reference: '' })
  }
  return credits
}

/** An invented month. */
export function monthOf(seed: number): Month {
  const draws = drawsOf(seed)
  const unit = (['wd', 'd', 'h'] as const)[seed % 3]!
  const cycle: Cycle = {
    count: unit === 'h' ? 24 + 24 * draws.below(3) + draws.below(24) : 2 + draws.below(8),
    unit,
    credits: seed % 2 === 0 ? [] : [1, 3, 5],
    holidays: ['2026-09-14', '2026-08-28'],
  }
  const basis = seed % 4 === 0 ? undefined : BigInt(1 + draws.below(300))
  const parcels = Array.from({ length: 160 }, (_, n) => parcelOf(draws, n))
  const payments = paymentsOf(draws, parcels, basis)
  return { cycle, basis, parcels, payments, credits: creditsOf(draws, payments) }
}

/** What a record must say; `fee_due` where a fee was taken. */
export interface Expected {
  readonly verdict: string
  readonly due: bigint
  readonly remitted: bigint
  readonly difference: bigint
  readonly due_date: string | null
  readonly days_late: number | null
  readonly fee_due: bigint | null
}

/**
 * The day that settled an amount: of the days of payments, the first from which the sum of all that was paid until then
 * never falls below it again. Payments of one day are counted one after the other.
 */
function settledOf(payments: readonly Payment[], owes: bigint): number | undefined {
  const upTo = (last: number): bigint => inTurn.slice(0, last + 1).reduce((sum, { amount }) => sum + amount, 0n)
  const inTurn = payments.toSorted((a, b) => a.day - b.day)
  for (let n = 0; n < inTurn.length; n++)
    if (inTurn.every((_, later) => later < n || upTo(later) >= owes)) return inTurn[n]!.day
  return undefined
}

/** The records of a file: of each AWB that is due or that it pays, after the files before it. */
export function expectedOf(
  { parcels, payments, cycle, basis }: Month,
  file: 0 | 1,
  today: number,
): ReadonlyMap<string, Expected> {
  const found = new Map<string, Expected>()
  const known = new Map(parcels.map((parcel) => [parcel.awb, parcel]))
  const awbs = new Set([...parcels.map(({ awb }) => awb), ...payments.map(({ awb }) => awb)])
  for (const awb of awbs) {
    const parcel = known.get(awb)
    const own = payments.filter((one) => one.awb === awb && one.file <= file)
    const here = own.filter((one) => one.file === file)
    const paid = own.reduce((sum, { amount }) => sum + amount, 0n)
    const delivered = parcel?.kind === 'delivered' || parcel?.kind === 'prepaid'
    const owes = parcel !== undefined && (parcel.kind === 'delivered' || parcel.kind === 'moving') ? parcel.amount : 0n
    if (here.length === 0 && !(parcel?.kind === 'delivered' && paid < owes)) continue
    const dueDay = delivered ? dueOf(parcel!.day, parcel!.minute, cycle) : undefined
    const positive = own.filter(({ amount }) => amount > 0n)
    const negative = own.filter(({ amount }) => amount < 0n)
    const lastDay = positive.length === 0 ? undefined : Math.max(...positive.map(({ day }) => day))
    const nothing = paid <= 0n && owes > 0n
    const until = nothing ? today : (settledOf(own, owes) ?? lastDay)
    const late = dueDay === undefined || until === undefined ? null : Math.max(0, until - dueDay)
    const fee = here.reduce((sum, one) => sum + one.fee, 0n)
    const gross = here.reduce((sum, { amount }) => sum + amount, 0n)
    const tds = own.reduce((sum, one) => sum + one.tds, 0n)
    const verdict = (): string => {
      if (parcel === undefined) return 'unknown_awb'
      if (paid > 0n && parcel.kind === 'prepaid') return 'remitted_on_prepaid'
      if (paid > 0n && parcel.kind === 'back') return 'remitted_on_rto'
      if (nothing) return (late ?? 0) > 0 ? 'overdue' : 'not_due'
      if (positive.length - negative.length > 1 && paid > owes) return 'twice'
      if (paid !== owes) return paid < owes ? 'short' : 'excess'
      if (tds !== 0n) return 'adjusted'
      return (late ?? 0) > 0 ? 'late' : 'ok'
    }
    found.set(awb, {
      verdict: verdict(),
      due: owes,
      remitted: paid,
      difference: verdict() === 'not_due' ? 0n : paid - owes,
      due_date: dueDay === undefined ? null : dayText(dueDay),
      days_late: late,
      fee_due:
        fee === 0n || basis === undefined || parcel === undefined
          ? null
          : gross < 0n
            ? -feeOf(-gross, basis)
            : feeOf(gross, basis),
    })
  }
  return found
}
