// The money of a month as sections of its report (docs/guides/report.md, A month's money).
import { count, counted } from '../../../domain/count.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { showDay, words } from '../../output/display.ts'
import { exactRupees } from '../../pages/amounts.ts'
import { figure } from '../../pages/frame.ts'
import { html, type Html } from '../../pages/html.ts'
import { openTable, type Column, type Line } from '../../pages/table.ts'
import { courierView, type CourierDue } from '../cod/couriersdue.ts'
import type { Report } from './figures.ts'
import { gstText, monthName } from './findings.ts'
import type { MonthCod, MonthDisputes, MonthInvoice, MonthInvoices, ReasonSum, StatusSum } from './month.ts'

/** The headline and the findings of a month's money, or why it is left out; nothing in a report of another period. */
export function monthHead({ money, money_left_out: why, rto }: Report): Html {
  if (why !== undefined)
    return html`<section>
      <h2>Money</h2>
      <p class="lead">${why}</p>
    </section>`
  if (money === undefined) return html``
  const { invoices, disputes, cod, findings, month } = money
  const returned = rto?.totals
  return html`<section class="headline" aria-label="Money of ${monthName(month)}">
      <dl class="figures">
        ${invoices !== null && invoiceFigures(invoices)} ${disputes !== null && disputeFigures(disputes)}
        ${cod !== null && codFigures(cod)}
        ${
          returned !== undefined &&
          figure(
            'RTO',
            returned.rto_percent === null ? '–' : `${returned.rto_percent.toFixed(1)}%`,
            `of settled${returned.rto_cost === null ? '' : `, cost ${exactRupees(returned.rto_cost)}`}`,
          )
        }
      </dl>
    </section>
    <section>
      <h2>What ${monthName(month)} comes to</h2>
      <ul class="findings">
        ${findings.map((text) => html`<li>${text}</li>`)}
      </ul>
    </section>`
}

const perParcel = (amount: number | null): string => (amount === null ? '' : `${exactRupees(amount)} a parcel`)

const invoiceFigures = (one: MonthInvoices): Html =>
  html`${figure('Billed', exactRupees(one.billed), perParcel(one.billed_per_parcel))}
  ${figure('Expected', exactRupees(one.expected), perParcel(one.expected_per_parcel))}
  ${figure('Billed too much', exactRupees(one.over), counted(one.over_lines, ['line', 'lines']))}`

const disputeFigures = (one: MonthDisputes): Html =>
  html`${figure('Disputed', exactRupees(one.raised), `${exactRupees(one.lapsed)} lapsed`)}
  ${figure('Credited', exactRupees(one.credited), `${exactRupees(one.accepted)} accepted`)}`

const codFigures = (one: MonthCod): Html =>
  html`${figure('COD owed', exactRupees(one.owed), counted(one.parcels, ['parcel', 'parcels']))}
  ${figure('COD late', exactRupees(one.late), `${exactRupees(one.not_in_bank)} paid and not in the bank`)}`

/** The tables of a month's money. */
export function monthTables({ money }: Report): Html {
  if (money === undefined) return html``
  const { invoices, disputes, cod } = money
  return html`${invoices !== null && invoiceTables(invoices)} ${disputes !== null && disputeTable(disputes)}
  ${cod !== null && cod.by_courier.length > 0 && codTable(cod)}`
}

const reasonColumns: readonly Column<ReasonSum>[] = [
  { header: 'Lines', show: ({ lines }) => count(lines) },
  { header: 'Amount', show: ({ amount }) => exactRupees(amount) },
]

const invoiceColumns: readonly Column<MonthInvoice>[] = [
  { header: 'Courier', text: 'name', show: ({ courier }) => courier ?? '–' },
  { header: 'Day', text: 'name', show: ({ day }) => (day === null ? '–' : showDay(day)) },
  { header: 'Lines', show: ({ lines }) => count(lines) },
  { header: 'Billed', show: ({ billed }) => exactRupees(billed) },
  { header: 'Expected', show: ({ expected }) => exactRupees(expected) },
  { header: 'Over', show: ({ over }) => exactRupees(over) },
  { header: 'Under', show: ({ under }) => exactRupees(under) },
  { header: 'Not judged', show: ({ unknown_lines: lines }) => count(lines) },
]

function invoiceTables({ by_reason: reasons, rows }: MonthInvoices): Html {
  const byReason = reasons.map((one): Line<ReasonSum> => ({ name: reasonName(one.reason), figures: one }))
  return html`<section>
      <h2>Why bills differ from the rate card</h2>
      <p class="lead">
        What is billed too much, less what is billed too little, before GST. The GST on all of it is a row of its own.
      </p>
      ${
        byReason.length === 0
          ? html`<p>Every line that can be judged is as the rate card says.</p>`
          : openTable('Differences by reason', 'Reason', reasonColumns, byReason)
      }
    </section>
    <section>
      <h2>Invoices</h2>
      <p class="lead">
        Invoices whose parcels were picked up in the month, ${gstText(rows)}. For one:
        <code>shipx invoices get</code>
      </p>
      ${openTable(
        'Invoices',
        'Invoice',
        invoiceColumns,
        rows.map((one) => ({ name: one.number, figures: one })),
      )}
    </section>`
}

const statusColumns: readonly Column<StatusSum>[] = [
  { header: 'Disputes', show: ({ disputes }) => count(disputes) },
  { header: 'Amount', show: ({ amount }) => exactRupees(amount) },
  { header: 'Accepted', show: ({ accepted }) => exactRupees(accepted) },
  { header: 'Credited', show: ({ credited }) => exactRupees(credited) },
]

const disputeTable = ({ disputes, amount, by_status: sums }: MonthDisputes): Html =>
  html`<section>
    <h2>Disputes</h2>
    <p class="lead">
      ${counted(disputes, ['dispute', 'disputes'])} about these invoices, ${exactRupees(amount)}. What is urgent:
      <code>shipx disputes list</code>
    </p>
    ${openTable(
      'Disputes by status',
      'Status',
      statusColumns,
      sums.map((one) => ({ name: words(one.status), figures: one })),
    )}
  </section>`

/** The columns of `cod due`, the courier's name aside; amounts that are 0 for all couriers take no room. */
const dueColumns = (couriers: readonly CourierDue[]): readonly Column<CourierDue>[] =>
  courierView.columns
    .filter(({ main, wide }) => main !== true && wide !== true)
    .filter(({ key, kind, raw }) => kind !== 'money' || key === 'owed' || couriers.some((one) => raw(one) !== 0))
    .map(({ header, raw, kind }) => ({
      header: `${header[0]!.toUpperCase()}${header.slice(1)}`,
      show: (one) => {
        const value = raw(one)
        if (value === null) return '–'
        return kind === 'money' ? exactRupees(Number(value)) : kind === 'day' ? showDay(String(value)) : String(value)
      },
    }))

const codTable = ({ until, by_courier: couriers }: MonthCod): Html =>
  html`<section>
    <h2>COD that couriers owe</h2>
    <p class="lead">
      For parcels delivered by ${showDay(until)}, by how late it is today. Parcel by parcel:
      <code>shipx cod due --parcels --until ${until}</code>
    </p>
    ${openTable(
      'COD owed by courier',
      'Courier',
      dueColumns(couriers),
      couriers.map((one) => ({ name: one.courier ?? 'Not known', figures: one })),
    )}
  </section>`
