// What couriers billed for the parcels of a report, as a section of its page (docs/guides/money.md).
import { count, counted } from '../../../domain/count.ts'
import type { BilledFigures } from '../../listings/summaryview.ts'
import { exactRupees, percent } from '../../pages/amounts.ts'
import { figure } from '../../pages/frame.ts'
import { html, type Html } from '../../pages/html.ts'
import { openTable, type Column } from '../../pages/table.ts'
import type { Report } from './figures.ts'
import { linesOf } from './tables.ts'

const columns: readonly Column<BilledFigures>[] = [
  { header: 'Parcels billed', show: ({ billed_parcels: parcels }) => count(parcels) },
  { header: 'Billed', show: ({ billed }) => exactRupees(billed) },
  { header: 'Expected', show: ({ expected }) => exactRupees(expected) },
  { header: 'Over', show: ({ over }) => exactRupees(over) },
  { header: 'Not billed yet', show: ({ not_billed: open }) => count(open) },
]

/** What was billed for the report's parcels; nothing while no kept invoice bills one. */
export function billedSection({ billed }: Report): Html {
  if (billed === undefined) return html``
  const { totals, by_courier } = billed
  const { billed_parcels: parcels, billed: sum, expected, over, not_billed: open } = totals
  return html`<section>
    <h2>Billed by couriers</h2>
    <p class="lead">
      What invoices bill for these parcels, and what the rate card says, before GST. For one invoice:
      <code>shipx invoices list</code>
    </p>
    <dl class="figures">
      ${figure('Billed', exactRupees(sum), counted(parcels, ['parcel', 'parcels']))}
      ${figure('Expected', exactRupees(expected), 'by the rate card')}
      ${figure('Over', exactRupees(over), sum > 0 ? `${percent(over / sum)} of what was billed` : '')}
      ${figure('Not billed yet', count(open), open === 1 ? 'parcel' : 'parcels')}
    </dl>
    ${openTable('Billed by couriers', 'Courier', columns, linesOf(by_courier, 'courier', false))}
  </section>`
}
