// `--infer-card`: the tariff that explains a bill, as a sheet for `shipx ratecard import`, and what does not fit it.
import { count, counted } from '../../../domain/count.ts'
import { inferredCard, type InferredService, type InferredZone } from '../../../domain/money/inferred.ts'
import { inferredRows } from '../../../domain/money/inferredrows.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { Context } from '../../command/context.ts'
import { writeWhole } from '../../files/userfiles.ts'
import type { Column } from '../../output/columns.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { showMoney } from '../../output/display.ts'
import { done } from '../../output/outcome.ts'
import { table } from '../../output/table.ts'
import { quoted, safe, safeText } from '../../terminal/safe.ts'
import type { Counted } from './nocard.ts'

interface Row extends InferredZone {
  readonly courier: string
}

const cell = (key: string, rank: number, raw: (row: Row) => string | number): Column<Row> => ({
  key,
  header: key,
  rank,
  raw,
})

const paid = (key: string, rank: number, of: (row: Row) => number | undefined): Column<Row> => ({
  ...cell(key, rank, (row) => of(row) ?? ''),
  right: true,
  whole: true,
  show: (row, screen) => {
    const paise = of(row)
    return paise === undefined ? '-' : showMoney(rupeesOf(paise), screen)
  },
})

const columns: readonly Column<Row>[] = [
  { ...cell('courier', 5, ({ courier }) => courier), main: true },
  cell('zone', 1, ({ zone }) => zone),
  { ...cell('lines', 3, ({ lines }) => count(lines)), right: true, whole: true },
  { ...cell('fit', 4, ({ fitting }) => count(fitting)), right: true, whole: true },
  paid('first slab', 2, ({ first }) => first),
  paid('each further', 2, ({ step }) => step),
  cell('does not fit', 6, ({ example }) => (example === undefined ? '' : `such as line ${example.line}`)),
]

const kilograms = (units: number): string => `${units / 100_000} kg`

/** What else the tariff of a courier has, in a sentence. */
function termsOf({ courier, grid, span, limit, rto, cod, fuel, other }: InferredService, { screen }: Context): string {
  const rupees = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const fee =
    cod === undefined
      ? undefined
      : cod.percent === 0
        ? `COD ${rupees(cod.fixed)}`
        : cod.fixed === 0
          ? `COD ${cod.percent} %`
          : `COD ${cod.rule === 'sum' ? 'the sum' : 'the greater'} of ${rupees(cod.fixed)} and ${cod.percent} %`
  const seen = span.map(kilograms).join(' to ')
  const parts = [
    `first slab ${kilograms(grid.first)}, then each ${kilograms(grid.step)}, to ${kilograms(limit)}`,
    `its lines have ${seen}`,
    ...(rto === undefined ? [] : ['percent' in rto ? `RTO ${rto.percent} % of the freight` : 'RTO by zone']),
    ...(fee === undefined ? [] : [fee]),
    ...(fuel === undefined ? [] : [`fuel ${fuel} %`]),
    ...(other === undefined ? [] : [`${rupees(other)} more on each line`]),
  ]
  return `${safe(courier)}: ${parts.join('; ')}.`
}

/** Zones that are named, and rows that are shown: a bill has some ten. */
const [mostNamed, mostRows] = [20, 60]

/** The names of zones in a sentence. */
function namesOf(zones: readonly InferredZone[]): string {
  const more = zones.length - mostNamed
  const names = zones.slice(0, mostNamed).map(({ zone }) => safe(zone))
  return more > 0 ? `${names.join(', ')} and ${count(more)} more` : names.join(', ')
}

/** What the lines of a courier cannot tell, in sentences. */
function leftOf({ courier, zones, left }: InferredService): readonly string[] {
  const open = namesOf(zones.filter(({ first }) => first === undefined))
  const stepless = namesOf(zones.filter(({ first, step }) => first !== undefined && step === undefined))
  const all = [
    ...(open === '' ? [] : [`no price explains the lines of zone ${open}`]),
    ...(stepless === '' ? [] : [`no price above the first slab in zone ${stepless}`]),
    ...left,
  ]
  return all.length === 0 ? [] : [`Left out for ${safe(courier)}: ${all.join('; ')}.`]
}

/** What the card calls a courier that the file does not name. */
const noName = 'Courier'

/** Where a tariff is written to. */
interface Place {
  readonly path: string
  readonly force: boolean
  /** Whose document it is, where its lines do not say it; undefined where nothing does. */
  readonly biller: string | undefined
}

/** Writes the tariff of a bill to a file, and shows how well it fits. */
export async function writeCard(
  context: Context,
  { counts, shape }: Counted,
  { path, force, biller }: Place,
): Promise<void> {
  const found = inferredCard(counts, shape.whole)
  const nameless = !biller && found.services.some(({ courier }) => courier === '')
  const services = found.services.map((service) => ({ ...service, courier: service.courier || biller || noName }))
  const card = { ...found, services }
  const priced = card.services.filter(({ zones }) => zones.some(({ first }) => first !== undefined))
  const rows = card.services.flatMap(({ courier, zones }) => zones.map((zone) => ({ courier, ...zone })))
  if (context.format === 'plain' && rows.length > 0) {
    const text = [
      'The tariff that explains most lines:',
      table(columns, rows.slice(0, mostRows), context.screen).text.trimEnd(),
      ...(rows.length > mostRows ? [`and ${count(rows.length - mostRows)} more zones`] : []),
      ...priced.map((service) => termsOf(service, context)),
      '',
      '',
    ].join('\n')
    await context.io.stdout.write(safeText(text))
  }
  for (const service of card.services) for (const sentence of leftOf(service)) await context.note(sentence)
  if (card.gstPercent === undefined) await context.note('The bill names no GST: the card has none either.')
  if (priced.length === 0) {
    await context.warn(`No zone has a price that explains its lines: ${safe(path)} is not written.`)
    return
  }
  const [header, ...lines] = inferredRows({ ...card, services: priced })
  const writer = writerFor(context, true)
  writeWhole(path, writer.header(header!) + lines.map(writer.row).join(''), force, '--infer-card')
  if (nameless)
    await context.warn(`The file names no courier: the card calls it ${noName}. Name it as your parcels do: --courier.`)
  const zones = priced.reduce((n, service) => n + service.zones.filter(({ first }) => first !== undefined).length, 0)
  await done(
    context,
    `Wrote ${safe(path)}: ${counted(priced.length, ['courier', 'couriers'])}, ${counted(zones, ['zone', 'zones'])}. ` +
      `To look at it: shipx ratecard check ${quoted(path)}`,
  )
}
