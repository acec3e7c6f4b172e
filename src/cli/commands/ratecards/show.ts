// `shipx ratecard show`: the prices of a rate card by zone, and the terms below them.
import { daysOf } from '../../../domain/rates/cardversions.ts'
import { journeyTariffs } from '../../../domain/rates/cardrows.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import { zones } from '../../../domain/rates/zones.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { withZones } from '../../output/display.ts'
import { say } from '../../output/outcome.ts'
import { printList } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { plainView } from '../../output/views.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { cardMeant } from './cards.ts'
import { termLines } from './terms.ts'

async function show(context: Context): Promise<number> {
  refuse(context, [])
  const card = await cardMeant(context, context.args[0], '<card>')
  const { format, io, screen } = context
  if (format === 'json' || format === 'jsonl')
    return (await io.stdout.write(`${jsonText(card, format === 'json' && screen.tty)}\n`), 0)
  await showCard(context, card)
  return 0
}

/** Prints a card for people: its prices as a table and, on a terminal, its terms below. */
export async function showCard(context: Context, card: RateCard): Promise<void> {
  const { format, screen } = context
  const drawn = screen.tty && format === 'plain'
  if (drawn) {
    const note = card.note === undefined || card.note === '' ? '' : `: ${safe(card.note)}`
    const about = `Rupees before GST (${card.gst_percent} %) for the first slab, then for each further one.`
    const days = daysOf(card) === '' ? '' : `, valid ${daysOf(card)}`
    await say(context, `${screen.paint.bold(safe(card.name))}${days}${note}\n${about}\n`)
  }
  const { rows, names } = priceRows(card)
  await printList(context, priceView(names, rows), rows)
  if (!drawn) return
  for (const service of card.services) {
    const own = service.zone_table === undefined ? [] : [`zones: "${service.zone_table}"`]
    const slabs = [
      ...new Set(rows.filter((row) => row['id'] === service.carrier_id).map((row) => `slab: ${row['slab']!}`)),
    ]
    const terms = [...own, ...slabs, ...termLines(service)].map((line) => `  ${safe(withZones(line))}`)
    await say(context, `\n${screen.paint.bold(safe(service.carrier_name))}\n${terms.join('\n')}`)
  }
}

/** A carrier's prices for one journey: `first + step` by zone. */
type PriceRow = Readonly<Record<string, string>>

/** The rows of a card, and its zones: the five where a service goes by them, then those that couriers draw. */
function priceRows(card: RateCard): { readonly rows: readonly PriceRow[]; readonly names: readonly string[] } {
  const tables = card.zone_tables ?? []
  const used = new Set(card.services.map((service) => service.zone_table))
  const own = tables.filter(({ name }) => used.has(name)).flatMap((table) => Object.keys(table.zones))
  const names = [...(used.has(undefined) || own.length === 0 ? zones : []), ...new Set(own)]
  const rows = card.services.flatMap((service) =>
    journeyTariffs(service)
      .filter(({ journey, tariff }) => journey !== 'rto' && Object.keys(tariff).length > 0)
      .map(({ journey, tariff }) => {
        const [band] = Object.values(tariff)[0]!
        const cells = names.map((zone) => {
          const first = tariff[zone]?.[0]
          return [zone, first === undefined ? '' : `${first.first_price} + ${first.step_price}`] as const
        })
        return {
          id: service.carrier_id,
          courier: service.carrier_name,
          service: service.service_level,
          journey,
          slab: `${band!.first_weight} + ${band!.step_weight} g`,
          ...Object.fromEntries(cells),
        }
      }),
  )
  return { rows, names }
}

/** What a narrow table leaves out before a zone, the first of these first. */
const besideZones = ['service', 'slab', 'journey']

/** Prices in rupees as the card has them, without a sign: the line above the table says what they are. */
function priceView(names: readonly string[], rows: readonly PriceRow[]): View<PriceRow> {
  const keys = ['courier', 'service', 'journey', 'slab', ...names]
  const view = plainView<PriceRow>(['price', 'prices'], (row) => row['id']!, keys)
  // A zone without prices goes before all others; of the rest the last zone goes first.
  const unused = (key: string): boolean => rows.every((row) => row[key] === '')
  return {
    ...view,
    columns: view.columns.map((column) => {
      const { key } = column
      if (!names.includes(key)) return { ...column, rank: key === 'courier' ? 0 : 100 - besideZones.indexOf(key) }
      return { ...column, rank: unused(key) ? 200 : 1, right: true as const, show: (row) => row[key] || '-' }
    }),
  }
}

export const verbs = { 'ratecard show': show }
