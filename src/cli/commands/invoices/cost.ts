// `shipx shipments cost`: what was billed for a parcel over all invoices, and what COD was remitted for it.
import { rupeesOf } from '../../../domain/money.ts'
import { awbsBilledAs, linesOfAwbs, type AwbLine } from '../../../engine/money/lines.ts'
import { paymentsOf, type AwbPayment } from '../../../engine/money/remittances.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { checkShape, printList } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { plainView } from '../../output/views.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { sameParcel } from '../reconcile/codpaid.ts'

/**
 * A line of the ledger of an AWB, rupees; `net` is what was billed for it up to this line. Of a remittance, `journey`
 * is cod, and `remitted` what the line pays. `expected` is what was due of the parcel, in the first of its payments
 * alone, so that the columns add up.
 */
interface CostLine extends Record<string, unknown> {
  readonly awb: string
}

const costNames = 'awb invoice day courier journey billed expected difference verdict category net remitted'.split(' ')
const plain = plainView<CostLine>(['line', 'lines'], ({ awb }) => awb, costNames)

/** Headings for people, where a row of COD has something else in the column than a row of an invoice. */
const headings: Readonly<Record<string, string>> = {
  invoice: 'invoice or remittance',
  expected: 'expected, or COD due',
  category: 'reason',
  net: 'billed in all',
  remitted: 'COD paid',
}

const costView: View<CostLine> = {
  ...plain,
  columns: plain.columns.map((column) => ({ ...column, header: headings[column.key] ?? column.header })),
}

/** The lines of invoices, and after those of its AWB what was remitted. */
function ledgerOf(lines: readonly AwbLine[], payments: readonly AwbPayment[]): readonly CostLine[] {
  const billed = billedLines(lines)
  const awbs = [...new Set([...billed, ...payments].map(({ awb }) => awb))].toSorted()
  return awbs.flatMap((own) => [
    ...billed.filter(({ awb }) => awb === own),
    ...paymentLines(payments.filter(({ awb }) => awb === own)),
  ])
}

/** The payments of an AWB, which may be of several parcels, one after the other. */
function paymentLines(payments: readonly AwbPayment[]): readonly CostLine[] {
  return payments.map((payment, n) => {
    const before = payments.slice(0, n).findLast(sameParcel(payment.delivered))
    return paymentLine(payment, dueIn(payment) - (before === undefined ? 0 : dueIn(before)))
  })
}

/** What a line says is due, paise; nothing is before its day. */
const dueIn = ({ due, verdict }: AwbPayment): number => (verdict === 'not_due' ? 0 : Number(due))

const paymentLine = ({ awb, number, day, biller, verdict, ...paid }: AwbPayment, due: number): CostLine => ({
  awb,
  invoice: number,
  day: paid.remitted_on ?? day,
  courier: biller === '' ? paid.courier : biller,
  journey: 'cod',
  billed: null,
  expected: rupeesOf(due),
  difference: rupeesOf(Number(paid.remitted) - due),
  verdict,
  category: 'cod',
  net: null,
  remitted: rupeesOf(paid.remitted),
})

function billedLines(lines: readonly AwbLine[]): readonly CostLine[] {
  const nets = new Map<string, number>()
  return lines.map(({ awb, number, day, biller, journey, billed, expected, verdict, category }) => {
    const net = (nets.get(awb) ?? 0) + billed
    nets.set(awb, net)
    return {
      awb,
      invoice: number,
      day,
      courier: biller === '' ? null : biller,
      journey,
      billed: rupeesOf(billed),
      expected: expected === null ? null : rupeesOf(expected),
      difference: expected === null ? null : rupeesOf(billed - expected),
      verdict,
      category,
      net: rupeesOf(net),
      remitted: null,
    }
  })
}

const cost = verb({}, async (context) => {
  const awbs = [...new Set(context.args)]
  refuse(context, awbs.length === 0 ? [missingArgument(context, 'awb')] : [])
  checkShape(context, costView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const ledger = await place?.database.read(function* () {
        const { database, account } = place
        const lines = yield* linesOfAwbs(database.dialect, account, awbs)
        // A line may print another AWB than that of its parcel.
        const left = awbs.filter((awb) => !lines.some((line) => line.awb === awb))
        const others = left.length === 0 ? [] : [...(yield* awbsBilledAs(account, left)).values()].flat()
        return ledgerOf(
          [...lines, ...(yield* linesOfAwbs(database.dialect, account, others))],
          yield* paymentsOf(database.dialect, account, [...awbs, ...others]),
        )
      })
      const nothing = 'No invoice that was read bills this parcel, and no remittance pays it.'
      await printList(context, costView, ledger ?? [], nothing)
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'shipments cost': cost }
