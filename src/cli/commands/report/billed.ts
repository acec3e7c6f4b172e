// What couriers billed for the parcels of a report, as figures (docs/guides/money.md, In summaries and reports).
import type { ReportSums, ShipmentGroups } from '../../../engine/records/report.ts'
import { billedFigures, type BilledFigures } from '../../listings/summaryview.ts'
import { largest, type Largest } from './groups.ts'

/** What couriers billed for the parcels, over all kept invoices. */
export interface BilledReport {
  readonly totals: BilledFigures
  readonly by_courier: Largest<BilledFigures, 'courier'>
}

/** What was billed for shipments; couriers by what they billed too much. */
export function billedOf(all: ReportSums, { carrier }: ShipmentGroups, none: ReportSums): BilledReport {
  const some = carrier.filter(({ sums }) => sums.billed_parcels + sums.not_billed > 0)
  const dearest = some.toSorted((a, b) => b.sums.over - a.sums.over || b.sums.billed - a.sums.billed)
  return { totals: billedFigures(all), by_courier: largest('courier', dearest, none, billedFigures) }
}
