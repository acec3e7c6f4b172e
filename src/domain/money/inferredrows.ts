// An inferred tariff as a sheet with the columns of `shipx ratecard template`, which `shipx ratecard import` takes. A
// zone without a step price has prices up to its first slab alone, and the others end where the lines do.
import { decimalText, rupeesOf } from '../money.ts'
import type { Rows } from '../rates/smalllines.ts'
import { zoneHeaders } from '../rates/smallform.ts'
import { readZoneWords } from '../read/zone.ts'
import type { InferredCard, InferredPrices, InferredService, InferredZone } from './inferred.ts'

const terms = ['rto_percent', 'cod_fixed', 'cod_percent', 'cod_rule', 'fuel_percent', 'surcharge:Other', 'qc_price']
/** Columns that the template does not have. */
const sparse: ReadonlySet<string> = new Set(['cod_rule', 'surcharge:Other', 'qc_price'])
const last = ['gst_percent', 'divisor']

const rupees = (paise: number): string => decimalText(rupeesOf(paise))
const grams = (units: number): string => `${decimalText(units / 100)}g`

/** The name of a column: one of the five zones, else the courier's own. */
const nameOf = ({ zone }: InferredZone): string => readZoneWords(zone) ?? zone.replace(/^z(?:one)?[ _-]?(?=\w)/i, '')

type Cells = ReadonlyMap<string, string>

/** The lines of prices of one journey: first the zones whose step is not known, with an end. */
function linesOf(journey: string, { zones, limit }: InferredPrices, { grid }: InferredService): Cells[] {
  const known = zones.filter(({ first }) => first !== undefined)
  const lines = [
    known.filter(({ step }) => step === undefined),
    known.filter(({ step }) => step !== undefined),
  ] as const
  return lines.flatMap((list, at) => {
    if (list.length === 0) return []
    const cells = new Map([
      ['journey', journey],
      ['first_weight', grams(grid.first)],
      ['step_weight', grams(at === 0 ? grid.first : grid.step)],
      ['up_to', grams(at === 0 ? grid.first : limit)],
    ])
    for (const zone of list) {
      const { first, step } = zoneHeaders(nameOf(zone))
      cells.set(first, rupees(zone.first!))
      cells.set(step, rupees(zone.step ?? 0))
    }
    return [cells]
  })
}

function serviceLines(service: InferredService, gst: number | undefined): Cells[] {
  const { courier, rto, returns, cod, fuel, other, qc } = service
  const lines = [
    ...linesOf('forward', service, service),
    ...linesOf('return', returns, service),
    ...(rto !== undefined && 'zones' in rto ? linesOf('rto', rto, service) : []),
  ]
  const own = new Map<string, string>([
    ...(rto !== undefined && 'percent' in rto ? [['rto_percent', decimalText(rto.percent)] as const] : []),
    ...(cod === undefined
      ? []
      : [
          ['cod_fixed', rupees(cod.fixed)] as const,
          ['cod_percent', percentText(cod.percent)] as const,
          ...(cod.fixed * cod.percent === 0 ? [] : [['cod_rule', cod.rule] as const]),
        ]),
    ...(fuel === undefined ? [] : [['fuel_percent', percentText(fuel)] as const]),
    ...(other === undefined ? [] : [['surcharge:Other', rupees(other)] as const]),
    ...(qc === undefined ? [] : [['qc_price', rupees(qc)] as const]),
    ...(gst === undefined ? [] : [['gst_percent', String(gst)] as const]),
  ])
  return lines.map((cells, at) => new Map([['courier', courier], ...cells, ...(at === 0 ? own : [])]))
}

/** A bare number below 0.5 could be a fraction: it has its sign. */
const percentText = (percent: number): string =>
  percent > 0 && percent < 0.5 ? `${decimalText(percent)}%` : decimalText(percent)

/** The rows of a tariff, its header first; a header alone where no zone has a price. */
export function inferredRows({ services, gstPercent }: InferredCard): Rows {
  const zones = [
    ...new Set(
      services.flatMap((service) =>
        [
          service.zones,
          service.returns.zones,
          service.rto !== undefined && 'zones' in service.rto ? service.rto.zones : [],
        ]
          .flat()
          .filter(({ first }) => first !== undefined)
          .map(nameOf),
      ),
    ),
  ].toSorted()
  const heads = zones.map(zoneHeaders)
  const lines = services.flatMap((service) => serviceLines(service, gstPercent))
  const used = (column: string): boolean => lines.some((cells) => cells.has(column))
  const header = [
    'courier',
    'service',
    ...(lines.every((cells) => cells.get('journey') === 'forward') ? [] : ['journey']),
    'up_to',
    'first_weight',
    ...heads.map(({ first }) => first),
    'step_weight',
    ...heads.map(({ step }) => step),
    ...terms.filter((term) => !sparse.has(term) || used(term)),
    ...last,
  ]
  return [header, ...lines.map((cells) => header.map((column) => cells.get(column) ?? ''))]
}
