// `shipx shipments cost`: what was billed for a parcel, over all invoices.
import { rupeesOf } from '../../../domain/money.ts'
import { linesOfAwbs, type AwbLine } from '../../../engine/money/lines.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'

/** A line of the ledger of an AWB, rupees; `net` is what was billed for it up to this line. */
interface CostLine extends Record<string, unknown> {
  readonly awb: string
}

const costNames = 'awb invoice day courier journey billed expected difference verdict category net'.split(' ')
const costView = plainView<CostLine>(['line', 'lines'], ({ awb }) => awb, costNames)

function ledgerOf(lines: readonly AwbLine[]): readonly CostLine[] {
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
      const lines = (await place?.database.read(() => linesOfAwbs(place.account, awbs))) ?? []
      await printList(context, costView, ledgerOf(lines), 'No invoice that was read bills this parcel.')
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'shipments cost': cost }
