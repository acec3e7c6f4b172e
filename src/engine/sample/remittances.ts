// Invented COD remittances of one courier for two months, and a bank statement of the later one, with faults that are
// listed (docs/guides/cod.md). Amounts are integer paise.
import sql from 'sql-template-tag'
import { creditDay, deadlineOf } from '../../domain/money/deadlines.ts'
import { policyOf } from '../../domain/money/policies.ts'
import { cameBack } from '../../domain/money/parcel.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { addDays, istDate } from '../../domain/time.ts'
import { rows, type Work } from '../database/port.ts'

/** A line of a remittance: paise, an IST day. */
export interface PaidLine {
  readonly awb: string
  readonly order: string
  readonly remitted: number
  readonly adjusted: number
  readonly utr: string
  readonly on: string
}

/** A remittance of a courier for a month. */
export interface SampleRemittance {
  readonly courier: string
  readonly code: string
  /** `2026-08`. */
  readonly month: string
  readonly lines: readonly PaidLine[]
}

/** A row of the bank statement: paise, an IST day. */
export interface BankLine {
  readonly on: string
  readonly narration: string
  readonly reference: string
  readonly debit: number
  readonly credit: number
}

/** A fault that was made: of a parcel by its AWB, of a transfer by its UTR. */
export interface CodFault {
  readonly of: 'remittance' | 'bank'
  readonly key: string
  readonly verdict: string
  /** Remitted less due, or bank less file, paise. */
  readonly difference: number
  readonly what: string
}

/** The remittances of two months, the earlier one without faults, the statement of the later, and its faults. */
export interface SampleCod {
  readonly remittances: readonly SampleRemittance[]
  readonly bank: readonly BankLine[]
  readonly faults: readonly CodFault[]
}

interface CodParcel extends Record<string, unknown> {
  readonly awb: string
  readonly order_name: string | null
  readonly carrier_id: string
  readonly status: string | null
  readonly granular_status: string | null
  readonly is_cod: number | null
  readonly amount: number
  readonly worth: number
  readonly delivered_at: number | null
}

/** A parcel that is due, and the line that pays it. */
interface Due {
  readonly parcel: CodParcel
  readonly due: string
  readonly line: PaidLine
}

const holidays: ReadonlySet<string> = new Set(sampleCard.holidays)

/** Transfers are on Mondays and Thursdays: the last one until a day. */
function transferDay(due: string): string {
  let day = due
  while (![1, 4].includes(new Date(`${day}T00:00:00Z`).getUTCDay())) day = addDays(day, -1)
  return day
}

const utrOf = (day: string): string => {
  const digits = day.replaceAll('-', '')
  return `HDFCN5${digits}${String(Number(digits) * 37).slice(-8)}`
}

/** The COD of an account's largest courier in the two whole months before an instant (ms UTC). */
export function* sampleCod(account: number, now: number): Work<SampleCod> {
  const month = istDate(now).slice(0, 7)
  const [last, before] = [monthBefore(month), monthBefore(monthBefore(month))]
  const parcels = yield* rows<CodParcel>(sql`
    select tracking_number as awb, order_display_id as order_name, carrier_id, status, granular_status, is_cod,
      coalesce(cod_amount, total_price, 0) as amount, coalesce(total_price, 0) as worth, delivered_at
    from shipments where account_id = ${account} and tracking_number is not null and carrier_id is not null
    order by created_at, id`)
  const service = sampleCard.services.toSorted((a, b) => owed(parcels, b.carrier_id) - owed(parcels, a.carrier_id))[0]!
  const own = parcels.filter(({ carrier_id: id }) => id === service.carrier_id)
  const policy = policyOf(service.carrier_name, [])
  const dues = own.flatMap((parcel): Due[] => {
    if (!isOwed(parcel)) return []
    const deadline = deadlineOf(parcel.delivered_at!, policy.cod_cycle, { days: new Set([1, 2, 3, 4, 5, 6]), holidays })
    const due = creditDay(istDate(deadline), policy.cod_days, holidays)
    const on = transferDay(due)
    const line = {
      awb: parcel.awb,
      order: parcel.order_name ?? '',
      remitted: Number(parcel.amount),
      adjusted: 0,
      utr: utrOf(on),
      on,
    }
    return [{ parcel, due, line }]
  })
  const within = (one: string): readonly Due[] =>
    dues.filter(({ due }) => due.slice(0, 7) === one || (one === before && due.slice(0, 7) < one))
  const [earlier, later] = [within(before), within(last)]
  const { lines, faults } = withFaults(later, earlier, own)
  const transfers = new Set(lines.map(({ utr }) => utr))
  // The first transfer of a month may also pay what was due in the one before.
  const shared = earlier.flatMap(({ line }) => (transfers.has(line.utr) ? [line] : []))
  const bank = statementOf([...shared, ...lines], faults)
  const remittance = { courier: service.carrier_name, code: service.carrier_code }
  return {
    remittances: [
      { ...remittance, month: before, lines: byDay(earlier.map(({ line }) => line)) },
      { ...remittance, month: last, lines },
    ],
    bank,
    faults,
  }
}

const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

const isOwed = ({ is_cod: cod, status, delivered_at: at }: CodParcel): boolean =>
  cod === 1 && status === 'delivered' && at !== null

const owed = (parcels: readonly CodParcel[], courier: string): number =>
  parcels.filter((one) => one.carrier_id === courier && isOwed(one)).length

const byDay = (lines: readonly PaidLine[]): readonly PaidLine[] =>
  lines.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : a.awb < b.awb ? -1 : 1))

/** The lines of the later month with a fault of each verdict in them. */
function withFaults(
  later: readonly Due[],
  earlier: readonly Due[],
  own: readonly CodParcel[],
): { readonly lines: readonly PaidLine[]; readonly faults: CodFault[] } {
  const faults: CodFault[] = []
  const add = (key: string, verdict: string, difference: number, what: string): void =>
    void faults.push({ of: 'remittance', key, verdict, difference, what })
  const lines: PaidLine[] = []
  const queue = later.toSorted((a, b) =>
    a.due < b.due ? -1 : a.due > b.due ? 1 : a.parcel.awb < b.parcel.awb ? -1 : 1,
  )
  const final = queue.at(-1)?.line
  // The first parcels that are due have the faults; the others are paid as they should be.
  for (const [at, { line, due }] of queue.entries()) {
    const { awb, remitted } = line
    if (at === 0) add(awb, 'overdue', -remitted, 'a delivered parcel that is not in the file')
    else if (at === 1) {
      lines.push({ ...line, remitted: remitted - 5000 })
      add(awb, 'short', -5000, 'paid ₹50 too little')
    } else if (at === 2) {
      lines.push({ ...line, remitted: remitted + 2000 })
      add(awb, 'excess', 2000, 'paid ₹20 too much')
    } else if (at === 3) {
      lines.push({ ...line, adjusted: 4500 })
      add(awb, 'adjusted', 0, 'freight of ₹45 taken off')
    } else if (at === 4 && final !== undefined && final.on > due) {
      lines.push({ ...line, on: final.on, utr: final.utr })
      add(awb, 'late', 0, `due on ${due}, paid on ${final.on}`)
    } else if (at === 5) {
      lines.push(line, line)
      add(awb, 'twice', remitted, 'paid twice in the file')
    } else lines.push(line)
  }
  if (final !== undefined) {
    const again = earlier[0]?.line
    const { utr, on } = final
    const extra = (awb: string, order: string, remitted: number): void =>
      void lines.push({ awb, order, remitted, adjusted: 0, utr, on })
    if (again !== undefined) {
      extra(again.awb, again.order, again.remitted)
      add(again.awb, 'twice', again.remitted, 'paid by the remittance of the month before')
    }
    const prepaid = own.find(({ is_cod: cod, status, worth }) => cod === 0 && status === 'delivered' && worth > 0)
    const back = own.find((one) => one.is_cod === 1 && cameBack(one.status, one.granular_status))
    for (const [parcel, verdict, what] of [
      [prepaid, 'remitted_on_prepaid', 'a prepaid parcel'],
      [back, 'remitted_on_rto', 'a parcel that came back'],
    ] as const) {
      if (parcel === undefined) continue
      extra(parcel.awb, parcel.order_name ?? '', Number(parcel.worth))
      add(parcel.awb, verdict, Number(parcel.worth), what)
    }
    const stranger = `${final.awb.slice(0, -3)}000`
    extra(stranger, '', 99900)
    add(stranger, 'unknown_awb', 99900, 'a parcel that is not yours')
  }
  return { lines: byDay(lines), faults }
}

/** The statement of the bank for the transfers of some lines, with a fault of each verdict of a UTR in it. */
function statementOf(lines: readonly PaidLine[], faults: CodFault[]): readonly BankLine[] {
  const nets = new Map<string, { readonly on: string; net: number }>()
  for (const { utr, on, remitted, adjusted } of lines) {
    const known = nets.get(utr) ?? { on, net: 0 }
    known.net += remitted - adjusted
    nets.set(utr, known)
  }
  const add = (key: string, verdict: string, difference: number, what: string): void =>
    void faults.push({ of: 'bank', key, verdict, difference, what })
  const found: BankLine[] = []
  const credit = (on: string, narration: string, reference: string, amount: number): void =>
    void found.push({ on, narration, reference, debit: 0, credit: amount })
  for (const [at, [utr, { on, net }]] of [...nets].entries()) {
    const narration = `NEFT CR-HDFC0000240-DECCAN PARCEL LOGISTICS-COD-${utr}`
    if (at === 1) {
      add(utr, 'not_in_bank', -net, 'no credit names it; one without a UTR has the amount')
      credit(on, 'FUNDS TRANSFER FROM SELF', '', net)
    } else if (at === 2) {
      add(utr, 'short', -25000, '₹250 less than the file says')
      credit(on, narration, utr, net - 25000)
    } else if (at === 3) {
      add(utr, 'excess', 1000, '₹10 more than the file says')
      credit(on, narration, utr, net + 1000)
    } else if (at === 4) credit(on, `NEFT CR-HDFC0000240-DECCAN PARCEL-${utr.slice(0, 10)} ${utr.slice(10)}`, '', net)
    else credit(on, narration, utr, net)
    if (at === 1) {
      const other = 'ICICN520260800990017'.padEnd(22, '4')
      add(other, 'not_in_file', 1234500, 'a transfer that no remittance names')
      credit(on, `NEFT CR-ICIC0000104-BANYAN STORES-${other}`, other, 1234500)
      found.push({ on, narration: 'UPI-OFFICE RENT-RENT@UPI', reference: '624512345678', debit: 1800000, credit: 0 })
    }
  }
  return found
}
