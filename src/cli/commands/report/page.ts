// A report as one self-contained HTML page: no script, no font, no picture, no request (docs/guides/report.md).
import { count } from '../../../domain/count.ts'
import { istDate, istMinute } from '../../../domain/time.ts'
import { billedSection } from './billedsection.ts'
import { costSection } from './costsection.ts'
import { exactRupees, percent, rupees } from '../../pages/amounts.ts'
import type { Caption } from '../../pages/drawing.ts'
import { figure, moment, pageText } from '../../pages/frame.ts'
import { html, type Html } from '../../pages/html.ts'
import { table, type Line } from '../../pages/table.ts'
import { flowChart, returnChart, shareChart, spreadChart, volumeChart } from './charts.ts'
import type { Report, ReturnFigures, ShipmentFigures } from './figures.ts'
import { monthName } from './findings.ts'
import { monthHead, monthTables } from './monthsection.ts'
import { rtoSection } from './rtosection.ts'
import { linesOf, returnTable, shipmentTable } from './tables.ts'
import { days, groupName, stageName, stepSpan } from './words.ts'
import { words } from '../../output/display.ts'

/** The page of a report. */
export function pageOf(report: Report): string {
  const { totals, returns } = report
  const empty = totals.shipments === 0 && (returns === null || returns.totals.returns === 0)
  return pageText({
    command: 'report',
    title: `Shipping report of ${report.source.name}`,
    body: html`${head(report)}
      <main>${monthHead(report)} ${monthTables(report)} ${empty ? nothing(report) : body(report)}</main>
      ${foot(report)}`,
  })
}

/** The end of what a report can know: its period, or the moment it was made. */
const endOf = ({ period, generated_at }: Report): string =>
  Date.parse(period.until) > Date.parse(generated_at) ? generated_at : period.until

/** The period in words; one that has not ended goes as far as today. */
function periodOf(report: Report): string {
  const { since, until } = report.period
  const end = endOf(report)
  const text = since === null ? `Until ${moment(end)} IST` : `${moment(since)} to ${moment(end)} IST`
  return end === until ? text : `${text} (so far: the period ends on ${moment(until).split(',')[0]!})`
}

/** A filter as people read it. */
function filterOf([name, value]: readonly [string, unknown]): string {
  const label = words(name.replace(/__gte$/, '_from').replace(/__lte$/, '_to'))
  const texts = [value].flat().map((one) => (one === true ? 'yes' : one === false ? 'no' : String(one)))
  return `${label}: ${texts.join(', ')}`
}

function head(report: Report): Html {
  const { source, period, generated_at, filters } = report
  const date = period.date_field === 'created_at' ? undefined : `By ${words(period.date_field).toLowerCase()}`
  const mirror = source.kind === 'mirror'
  const facts = [
    mirror ? `Mirror of ${source.name}` : `Account ${source.name}`,
    mirror && source.pulled_at !== null && `Pulled ${moment(source.pulled_at)} IST`,
    date,
    `Made ${moment(generated_at)} IST`,
  ]
  const asked = Object.entries(filters)
  return html`<header>
    <p class="brand">shipx</p>
    <h1>Shipping report${report.money !== undefined && ` of ${monthName(report.money.month)}`}</h1>
    <p class="period">${periodOf(report)}</p>
    <ul class="facts">
      ${facts.map((fact) => fact !== undefined && fact !== false && html`<li>${fact}</li>`)}
    </ul>
    ${
      asked.length > 0 &&
      html`<ul class="filters" aria-label="Filters">
        ${asked.map((filter) => html`<li>${filterOf(filter)}</li>`)}
      </ul>`
    }
    ${mirror && source.pulled_at === null && html`<p class="note">${incomplete}</p>`}
    ${report.sample_data && html`<p class="note">${sampled}</p>`}
  </header>`
}

const sampled =
  'This database holds the sample data of shipx: these figures include shipments and returns that are invented.'
const incomplete = 'This mirror is not complete: its first pull has not ended. Figures are of what was pulled so far.'

function nothing({ filters, money, money_left_out: why }: Report): Html {
  const monthly = money !== undefined || why !== undefined
  const longer = monthly ? 'Another month (--month last-month)' : 'A longer period (--since 90d)'
  return html`<section class="nothing">
    <p><strong>No shipments in this ${monthly ? 'month' : 'period'}</strong></p>
    <p>
      ${
        Object.keys(filters).length > 0
          ? `Nothing matches these filters. ${longer} or fewer of them may find something.`
          : `${longer} may find some. For sample data to look around in: shipx local seed`
      }
    </p>
  </section>`
}

function body(report: Report): Html {
  const { totals, by_payment } = report
  if (totals.shipments === 0) return html`${nothing(report)}${returnSections(report)}`
  const payments = by_payment.map((row): Line<ShipmentFigures> => ({
    name: row.payment === 'cod' ? 'COD' : groupName(row.payment, true),
    figures: row,
  }))
  // The money of a month stands above, with its invoices; returns to origin follow it.
  const monthly = report.money !== undefined
  return html`${monthly && rtoSection(report)} ${headline(report)} ${flow(report)} ${volume(report)}
    <div class="pair">
      <div class="stack">
        ${shares('zone', 'By zone', 'Zone', linesOf(report.by_zone, 'zone', true))}
        ${shares('payment', 'COD and prepaid', 'Payment', payments)}
      </div>
      ${shares('courier', 'By courier', 'Courier', linesOf(report.by_carrier, 'carrier', false))}
    </div>
    <div class="pair">
      ${shares('city', 'Top cities', 'City', linesOf(report.by_city, 'city', false), cityNote)} ${spread(report)}
    </div>
    ${!monthly && rtoSection(report)} ${costSection(report)} ${report.money?.invoices == null && billedSection(report)}
    ${returnSections(report)}`
}

function headline({ totals, by_payment, days_to_deliver, returns }: Report): Html {
  const few = totals.few ? `, too few to say much` : ''
  const cod = by_payment.find(({ payment }) => payment === 'cod')
  const cods = cod === undefined ? 'no COD shipments' : `${count(cod.shipments)} shipments`
  const ndrs = totals.open_ndr === 0 ? 'nothing waits for an answer' : 'wait for an answer'
  const delivered = percent(totals.delivered_of_picked_up)
  const { most_within_days: most } = days_to_deliver
  const nine = most === null ? 'none has both times yet' : `nine in ten within ${most}`
  const [back, worth] =
    returns === null ? ['–', 'left out'] : [count(returns.totals.returns), `worth ${rupees(returns.totals.value)}`]
  return html`<section class="headline" aria-label="Headline figures">
    <dl class="figures">
      ${figure('Shipments', count(totals.shipments), `${count(totals.picked_up)} picked up`)}
      ${figure('Value', rupees(totals.value), `${rupees(totals.cod)} of it COD`)}
      ${figure('COD share', percent(totals.cod_share), cods)} ${figure('NDR open', count(totals.open_ndr), ndrs)}
      ${figure('Delivered', delivered, `of picked up${few}; ${percent(totals.delivered_share)} of all`)}
      ${figure('RTO', percent(totals.rto_share), `of picked up${few}; ${count(totals.rto)} shipments`)}
      ${figure('Days to deliver', days(totals.average_days), nine)} ${figure('Returns', back, worth)}
    </dl>
  </section>`
}

function flow({ flow: links, totals }: Report): Html {
  const steps = links.map(({ from, to, shipments }) => `${stageName(from)} to ${stageName(to)}: ${count(shipments)}`)
  const caption: Caption = { id: 'flow', title: 'Where shipments are', description: `${steps.join('; ')}.` }
  const lines = links.map(({ from, to, shipments }) => ({ name: stageName(from), figures: { to, shipments } }))
  const columns = [
    { header: 'To', show: ({ to }: (typeof lines)[number]['figures']) => stageName(to) },
    {
      header: 'Shipments',
      show: ({ shipments }: (typeof lines)[number]['figures']) => count(shipments),
    },
    {
      header: 'of all',
      show: ({ shipments }: (typeof lines)[number]['figures']) => percent(shipments / totals.shipments),
    },
  ]
  return html`<section>
    <h2>${caption.title}</h2>
    <p class="lead">From creation to the door or back, as of now. The height of a band is its number of shipments.</p>
    ${flowChart(caption, links, 'full')} ${flowChart(caption, links, 'phone')}
    ${table('Shipments from one stage to the next', 'From', columns, lines)}
  </section>`
}

const outcomes = (open: string): Html =>
  html`<ul class="key">
    <li class="good">Delivered</li>
    <li class="bad">RTO</li>
    <li class="open">${open}</li>
  </ul>`

function volume(report: Report): Html {
  const { step, rows, undated } = report.volume
  const { period } = report
  if (rows.length === 0) return html``
  const each = { day: 'Each day', week: 'Each week, from Monday', month: 'Each month' }[step]
  const what = period.date_field === 'created_at' ? 'created' : `with ${words(period.date_field).toLowerCase()}`
  const most = rows.reduce((top, row) => (row.shipments > top.shipments ? row : top))
  const end = istDate(Date.parse(endOf(report)))
  const begin = period.since === null ? undefined : istDate(Date.parse(period.since))
  const named = (from: string): string => stepSpan(step, from, end, begin)
  const [first, last] = [named(rows[0]!.from), named(rows.at(-1)!.from)]
  const range = first === last ? `: ${first}` : ` from ${first} to ${last}`
  const top = `The most, ${count(most.shipments)}: ${named(most.from)}.`
  const caption: Caption = {
    id: 'volume',
    title: step === 'day' ? 'Daily volume' : step === 'week' ? 'Weekly volume' : 'Monthly volume',
    description: `Shipments of each ${step}${range}. ${top}`,
  }
  return html`<section>
    <h2>${caption.title}</h2>
    <p class="lead">
      ${each} in IST, shipments ${what}, by their outcome so far, from the bottom.
      ${undated > 0 && `${count(undated)} without that date are not shown.`}
    </p>
    ${outcomes('Open, cancelled or other')} ${volumeChart(caption, report.volume, end, 'full')}
    ${volumeChart(caption, report.volume, end, 'phone')}
    ${shipmentTable(
      caption.title,
      step === 'week' ? 'Week' : step === 'month' ? 'Month' : 'Day',
      rows.map((row) => ({ name: named(row.from), figures: row })),
    )}
  </section>`
}

/** What the names of cities are. */
const cityNote = 'Cities are as the addresses name them, so New Delhi and Delhi are two.'

function shares(id: string, title: string, first: string, lines: readonly Line<ShipmentFigures>[], note = ''): Html {
  const each = lines.map(({ name, figures: f }) => {
    const shares = `${percent(f.delivered_of_picked_up)} delivered, ${percent(f.rto_share)} RTO`
    return `${name}: ${shares}, of ${count(f.picked_up)}`
  })
  const caption: Caption = {
    id,
    title: `Delivered and RTO, ${title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
    description: `Of picked-up shipments. ${each.join('; ')}.`,
  }
  return html`<section>
    <h2>${title}</h2>
    <p class="lead">Outcomes of picked-up shipments. Pale bars: too few to compare. ${note}</p>
    ${outcomes('On the way, lost or other')} ${shareChart(caption, lines, 'half')}
    ${shareChart(caption, lines, 'phone')} ${shipmentTable(caption.title, first, lines)}
  </section>`
}

function spread({ days_to_deliver: { rows, timed, average_days, half_within_days, most_within_days } }: Report): Html {
  const title = 'Days to deliver'
  if (timed === 0)
    return html`<section>
      <h2>${title}</h2>
      <p class="lead">No shipment of this period has both a pick-up and a delivery yet.</p>
    </section>`
  const caption: Caption = {
    id: 'days',
    title,
    description: `Half took at most ${half_within_days} days from pick-up, nine in ten at most ${most_within_days}.`,
  }
  const lines = rows.map(({ days: n, shipments }) => ({ name: `${n} to ${n + 1}`, figures: shipments }))
  const columns = [
    { header: 'Shipments', show: count },
    { header: 'of timed', show: (shipments: number) => percent(shipments / timed) },
  ]
  return html`<section>
    <h2>${title}</h2>
    <p class="lead">
      From pick-up to delivery: ${days(average_days)} on average, half within ${half_within_days ?? '–'}, nine in ten
      within ${most_within_days ?? '–'}.${timed < 30 && ` Only ${count(timed)} were timed: too few to say much.`}
    </p>
    ${spreadChart(caption, rows, 'half')} ${spreadChart(caption, rows, 'phone')}
    ${table('Shipments by days to deliver', 'Days', columns, lines)}
  </section>`
}

function returnSections({ returns, returns_left_out }: Report): Html {
  if (returns === null)
    return html`<section>
      <h2>Returns</h2>
      <p class="lead">${returns_left_out ?? ''}</p>
    </section>`
  const { totals, by_reason, by_refund_status } = returns
  if (totals.returns === 0)
    return html`<section>
      <h2>Returns</h2>
      <p class="lead">No returns were requested in this period.</p>
    </section>`
  const reasons = linesOf(by_reason, 'reason', true)
  const refunds = by_refund_status.map((row): Line<ReturnFigures> => ({
    name: groupName(row.refund_status, true),
    figures: row,
  }))
  const about = (lines: readonly Line<ReturnFigures>[]): string =>
    `${lines.map(({ name, figures }) => `${name}: ${count(figures.returns)}`).join('; ')}.`
  const chart = (caption: Caption, lines: readonly Line<ReturnFigures>[]): Html =>
    html`${returnChart(caption, lines, 'half')} ${returnChart(caption, lines, 'phone')}`
  const few = totals.few ? ' Too few to say much.' : ''
  return html`<div class="pair">
    <section>
      <h2>Why things come back</h2>
      <p class="lead">${count(totals.returns)} returns worth ${exactRupees(totals.value)}, by reason.${few}</p>
      ${chart({ id: 'reasons', title: 'Returns by reason', description: about(reasons) }, reasons)}
      ${returnTable('Returns by reason', 'Reason', reasons)}
    </section>
    <section>
      <h2>Refunds</h2>
      <p class="lead">
        ${count(totals.refunded)} of ${count(totals.returns)} refunded, ${count(totals.received)} received back.${few}
      </p>
      ${chart({ id: 'refunds', title: 'Returns by refund', description: about(refunds) }, refunds)}
      ${returnTable('Returns by refund', 'Refund', refunds)}
    </section>
  </div>`
}

const foot = ({ few_below, generated_at }: Report): Html =>
  html`<footer>
    <h2>How figures are counted</h2>
    <ul>
      <li><b>Picked up</b>: a courier had it. A milestone from pick-up on, or a status that comes after it.</li>
      <li><b>Delivered</b>: delivered shipments of the picked-up ones; the share of all shipments is next to it.</li>
      <li><b>RTO</b>: on the way back, back, or lost on it, of the picked-up ones.</li>
      <li><b>Days to deliver</b>: from pick-up to delivery, of shipments that have both.</li>
      <li><b>COD share</b>: COD shipments of all shipments. Amounts are rupees.</li>
      <li>Groups with fewer than ${few_below} picked-up shipments are marked with *: their shares say little.</li>
      <li>Recent shipments are still on their way: their shares will rise.</li>
    </ul>
    <p>
      Made by shipx report on ${istMinute(Date.parse(generated_at))} IST. This page makes no request and runs no script.
    </p>
  </footer>`
