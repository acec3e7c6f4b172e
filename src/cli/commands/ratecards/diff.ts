// `shipx ratecard diff`: what differs between two rate cards, versions or files.
import { counted } from '../../../domain/count.ts'
import { cardDifferences, type Difference, type TermTexts } from '../../../domain/rates/carddiff.ts'
import type { Service } from '../../../domain/rates/ratecard.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, withZones } from '../../output/display.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { safe } from '../../terminal/safe.ts'
import { cardMeant } from './cards.ts'
import { codText, rtoText, surchargeText, weightText } from './terms.ts'

const texts: TermTexts = {
  weight: weightText,
  cod: codText,
  rto: rtoText,
  surcharge: surchargeText,
  area: ({ serviceability }: Service) => areaText(serviceability),
}

/** Where a service works, as far as its card limits it. */
function areaText(serviceability: Service['serviceability']): string {
  const parts = Object.entries(serviceability).flatMap(([use, area]) =>
    Object.entries(area ?? {}).map(([list, names = []]) => {
      const some = names.slice(0, 5).join(', ')
      return `${use} ${list.replace('not_', 'not ')} ${names.length > 5 ? `${some} … (${names.length})` : some}`
    }),
  )
  return parts.length === 0 ? 'everywhere' : parts.join('; ')
}

async function diff(context: Context): Promise<number> {
  const [before, after] = context.args
  refuse(context, [
    ...(before === undefined ? [missingArgument(context, 'before')] : []),
    ...(after === undefined ? [missingArgument(context, 'after')] : []),
  ])
  const [a, b] = [await cardMeant(context, before!, '<before>'), await cardMeant(context, after!, '<after>')]
  const view = diffView(context)
  checkShape(context, view)
  const found = cardDifferences(a, b, texts)
  const [one, other] = [safe(before!), safe(after!)]
  await printList(context, view, found, `${one} and ${other} are the same: prices, terms and zones.`)
  if (found.length > 0) await context.note(`${counted(found.length, ['difference', 'differences'])}: ${summary(found)}`)
  return 0
}

/** How prices went, in a sentence. */
function summary(found: readonly Difference[]): string {
  const changes = found.flatMap(({ journey, change }) => (journey === '' || change === null ? [] : [change]))
  const up = changes.filter((change) => change > 0)
  const down = changes.filter((change) => change < 0)
  const parts = [
    ...(up.length === 0 ? [] : [`${counted(up.length, ['price', 'prices'])} up to ${Math.max(...up)} % higher`]),
    ...(down.length === 0 ? [] : [`${counted(down.length, ['price', 'prices'])} up to ${-Math.min(...down)} % lower`]),
  ]
  const others = found.length - up.length - down.length
  return [...parts, ...(others === 0 ? [] : [counted(others, ['other', 'others'])])].join(', ')
}

/** The differences as people read them: amounts in rupees, changes with their sign. */
function diffView({ screen }: Context): View<Difference> {
  const keys = ['courier', 'journey', 'zone', 'what', 'before', 'after', 'change'] as const
  const view = plainView<Difference>(['difference', 'differences'], ({ what }) => what, keys)
  const value = (one: string | number | null, priced: boolean): string =>
    one === null ? '-' : typeof one === 'string' ? withZones(one) : priced ? showMoney(one, screen) : String(one)
  const priced = ({ journey, what }: Difference): boolean =>
    journey !== '' || ['least charge', 'QC', 'platform fee'].includes(what)
  // Terms may be long sentences: they are cut before a column is left out.
  const short = ({ key, header, rank, raw }: Column<Difference>): Column<Difference> => ({ key, header, rank, raw })
  return {
    ...view,
    columns: view.columns.map((column) => {
      switch (column.key) {
        case 'before':
        case 'after':
          return {
            ...short(column),
            right: true as const,
            show: (row) => value(row[column.key] as string | null, priced(row)),
          }
        case 'change':
          return {
            ...column,
            right: true as const,
            show: ({ change }) => (change === null ? '-' : `${change > 0 ? '+' : ''}${change} %`),
          }
        case 'zone':
          return { ...column, show: ({ zone }) => withZones(zone) || '-' }
        default:
          return { ...column, show: (row) => String(row[column.key]) || '-' }
      }
    }),
  }
}

export const verbs = { 'ratecard diff': diff }
