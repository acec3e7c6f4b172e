// The views of what couriers billed: invoices, their lines, and the reasons of each line.
import { integer, paiseTwice, real, text, time, type SqlView } from './viewcolumns.ts'

/** A document that counts: read to its end, and not replaced by another one with its number. */
const counts = (account: string): string => `d.account_id = ${account} and d.complete = 1 and d.superseded_at is null`

const invoices: SqlView = {
  name: 'invoices',
  means: 'A row for each invoice of a courier that was read (shipx reconcile invoice)',
  columns: [
    text('number', 'Number of the invoice', 'r.number'),
    text('courier', 'Whose invoice it is', "nullif(r.courier, '')"),
    text('day', 'Day of the invoice, in IST', 'r.day'),
    text('form', 'Form of the file', 'r.form'),
    text('card', 'Rate card', 'r.card'),
    text('gst', 'included or none: whether amounts have GST', 'r.gst'),
    integer('lines', 'Lines', 'r.lines'),
    ...paiseTwice('billed', 'Billed', 'r.billed'),
    ...paiseTwice('expected', 'Expected of the lines that can be judged', 'r.expected'),
    ...paiseTwice('over', 'Billed too much', 'r.over_paise'),
    integer('over_lines', 'Lines billed too much', 'r.over_lines'),
    ...paiseTwice('under', 'Billed too little', 'r.under_paise'),
    integer('under_lines', 'Lines billed too little', 'r.under_lines'),
    integer('unknown_lines', 'Lines that cannot be judged', 'r.unknown_lines'),
    integer('credit_lines', 'Credits', 'r.credit_lines'),
    ...time('read_at', 'Read', 'r.created_at'),
  ],
  from: (schema, account) =>
    `(select d.* from ${schema}.documents d where ${counts(account)} and d.kind in ('invoice', 'ledger')) r`,
}

/** A line of a box, whose parcel was found by the AWB of the whole; lines that print another AWB than their parcel. */
const [isChild, byOrder, bySuffix] = ['child', 'order', 'suffix'].map((word) => `r.matched_by like '${word} %'`)

/** Who billed a line: the courier of its invoice, else its own. */
const billedBy = text('billed_by', 'Who billed', "coalesce(nullif(r.biller, ''), r.courier)")

const lineRows = (schema: string, account: string): string =>
  `(select l.*, d.number, d.day as invoice_day, d.courier as biller from ${schema}.document_lines l ` +
  `join ${schema}.documents d on d.account_id = l.account_id and d.id = l.document_id ` +
  `where l.account_id = ${account} and ${counts(account)}) r`

const invoiceLines: SqlView = {
  name: 'invoice_lines',
  means: 'A row for each line of these invoices, with what the card says',
  columns: [
    text('invoice', 'Number of the invoice', 'r.number'),
    text('invoice_day', 'Day of the invoice, in IST', 'r.invoice_day'),
    integer('line', 'Line of the file', 'r.line'),
    text('awb', 'AWB', 'r.awb'),
    text('order_name', 'The number that the customer knows', 'r.order_name'),
    text('courier', 'Who carried the parcel; of an unknown AWB, who billed', 'r.courier'),
    billedBy,
    text('journey', 'forward, rto or reverse', 'r.journey'),
    text('status', 'Status of the parcel when the invoice was read', 'r.status'),
    ...time('picked_up_at', 'Picked up', 'r.picked_up'),
    text('origin', 'Pincode of the warehouse', 'r.origin'),
    text('state', 'State of the customer', 'r.state'),
    text('card', "The card's version", 'r.card'),
    text('zone', "The card's zone", 'r.zone'),
    text('zone_billed', 'The zone that was billed', 'r.zone_billed'),
    text('zone_by', 'card, neighbours or record: where our zone is from', 'r.zone_by'),
    real('weight_g', 'Our weight, grams', 'r.weight / 1000.0'),
    text('weight_by', 'order, skus, record, parcels or line: where our weight is from', 'r.weight_by'),
    real('weight_billed_g', 'The weight that was billed, grams', 'r.weight_billed / 1000.0'),
    real('slab_g', 'The end of our slab, grams', 'r.slab / 1000.0'),
    real('slab_billed_g', 'The end of the slab that was billed, grams', 'r.slab_billed / 1000.0'),
    ...paiseTwice('billed', 'Billed', 'r.billed'),
    ...paiseTwice('expected', 'Expected; null where the line cannot be judged', 'r.expected'),
    ...paiseTwice('difference', 'Billed less expected', 'r.billed - r.expected'),
    ...paiseTwice('gst_billed', 'GST in it', 'r.gst_billed'),
    text('verdict', 'ok, over, under, unknown or credit', 'r.verdict'),
    text('category', 'The reason with the greatest amount', 'r.category'),
    text(
      'matched_by',
      'awb, order, suffix, parcels or child: how the parcel was found',
      `case when ${isChild} then 'child' when ${byOrder} then 'order' when ${bySuffix} then 'suffix' ` +
        'else r.matched_by end',
    ),
    text(
      'child_awb',
      'The AWB of the box that the line bills',
      `case when ${isChild} then substr(r.matched_by, 7) end`,
    ),
    text(
      'printed_awb',
      'The AWB that the line prints, where its order or a suffix found the parcel',
      `case when ${byOrder} then substr(r.matched_by, 7) when ${bySuffix} then substr(r.matched_by, 8) end`,
    ),
  ],
  from: lineRows,
}

const invoiceReasons: SqlView = {
  name: 'invoice_reasons',
  means: 'A row for each reason of a line; those of a line add up to its difference',
  columns: [
    text('invoice', 'Number of the invoice', 'r.number'),
    integer('line', 'Line of the file', 'r.line'),
    text('awb', 'AWB', 'r.awb'),
    text('courier', 'Who carried the parcel; of an unknown AWB, who billed', 'r.courier'),
    billedBy,
    text('zone', "The card's zone", 'r.zone'),
    text('zone_billed', 'The zone that was billed', 'r.zone_billed'),
    text('verdict', 'Verdict of the line', 'r.verdict'),
    text('reason', 'Code of the reason', `(e.value ->> '$.code')`),
    real('amount', 'Its amount before GST, rupees; null where the line cannot be judged', `(e.value ->> '$.amount')`),
    integer('reason_paise', 'The same in paise', `cast(round((e.value ->> '$.amount') * 100) as integer)`),
    text('means', 'The reason in words', `(e.value ->> '$.text')`),
  ],
  from: (schema, account) => `${lineRows(schema, account)}, json_each(r.reasons) e where r.reasons is not null`,
}

/** A dispute whose window is over has lapsed, also where nobody has written that down. */
const isOver = `r.status = 'found' and r.due_at < cast(strftime('%s', 'now') as integer) * 1000`

const disputes: SqlView = {
  name: 'disputes',
  means: 'A row for each dispute with a courier (shipx disputes)',
  columns: [
    text('id', 'Number of the dispute', 'r.id'),
    text('awb', 'AWB', 'r.awb'),
    text('order_name', 'The number that the customer knows', 'r.order_name'),
    text('courier', 'Who billed', "nullif(r.courier, '')"),
    text('invoice', 'Number of the invoice', 'r.invoice'),
    text('invoice_day', 'Day of the invoice, in IST', 'r.invoice_day'),
    integer('line', 'Line of the file', 'r.line'),
    text('journey', 'forward, rto or reverse', 'r.journey'),
    text('reason', 'The reason with the greatest amount', 'r.reason'),
    text(
      'status',
      'found, raised, in_review, accepted, partly, rejected, credited, closed, lapsed, auto_accepted or withdrawn',
      `case when ${isOver} then case r.taken when 1 then 'auto_accepted' else 'lapsed' end else r.status end`,
    ),
    ...paiseTwice('amount', 'Billed too much', 'r.amount'),
    ...paiseTwice('accepted', 'What the courier accepted', 'r.settled'),
    ...paiseTwice('credited', 'What later invoices gave back', 'r.credited'),
    ...time('due_at', 'The last instant to raise it', 'r.due_at'),
    ...time('changed_at', 'Last change of its status', 'r.changed_at'),
    ...time('created_at', 'Opened', 'r.created_at'),
  ],
  from: (schema, account) => `(select p.* from ${schema}.disputes p where p.account_id = ${account}) r`,
}

const disputeEvents: SqlView = {
  name: 'dispute_events',
  means: 'A row for each change of a dispute',
  columns: [
    text('dispute', 'Number of the dispute', 'r.dispute_id'),
    text('status', 'The status that it got', 'r.status'),
    ...paiseTwice('amount', 'The amount of the change', 'r.amount'),
    ...time('at', 'When', 'r.at'),
    text('by', 'Who', 'r.by_whom'),
    text('source', 'The command, file or invoice that it comes from', 'r.source'),
    text('note', 'What the courier says', 'r.note'),
  ],
  from: (schema, account) => `(select e.* from ${schema}.dispute_events e where e.account_id = ${account}) r`,
}

const remittances: SqlView = {
  name: 'remittances',
  means: 'A row for each COD remittance of a courier that was read (shipx reconcile cod)',
  columns: [
    text('number', 'Number of the remittance', 'r.number'),
    text('courier', 'Whose remittance it is, where that was said', "nullif(r.courier, '')"),
    text('day', 'Day of its last transfer, in IST', 'r.day'),
    text('form', 'Form of the file', 'r.form'),
    integer('lines', 'Lines', 'r.lines'),
    ...paiseTwice('remitted', 'Remitted before deductions', 'r.billed'),
    ...paiseTwice('due', 'Due of its parcels', 'r.expected'),
    ...time('read_at', 'Read', 'r.created_at'),
  ],
  from: (schema, account) =>
    `(select d.* from ${schema}.documents d where ${counts(account)} and d.kind = 'remittance') r`,
}

/** The rows of a table with their documents that count. */
const documentRows = (table: string, schema: string, account: string): string =>
  `(select l.*, d.number, d.courier as biller from ${schema}.${table} l ` +
  `join ${schema}.documents d on d.account_id = l.account_id and d.id = l.document_id ` +
  `where l.account_id = ${account} and ${counts(account)}) r`

const remittanceLines: SqlView = {
  name: 'remittance_lines',
  means: 'A row for each line of these remittances, with what was due of its parcel',
  columns: [
    text('remittance', 'Number of the remittance', 'r.number'),
    integer('line', 'Line of the file', 'r.line'),
    text('awb', 'AWB; null for a deduction of a whole transfer', "nullif(r.awb, '')"),
    text('order_name', 'The number that the customer knows', 'r.order_name'),
    text('courier', 'Name of the courier', "coalesce(r.courier, nullif(r.biller, ''))"),
    text('utr', 'UTR of the transfer', 'r.utr'),
    text('remitted_on', 'Day of the transfer, in IST', 'r.remitted_on'),
    ...paiseTwice('remitted', 'Remitted by the line before deductions', 'r.remitted'),
    ...paiseTwice('fee', 'Early-COD fee taken off', 'r.fee'),
    ...paiseTwice('fee_due', 'The same by the policy of the courier', 'r.fee_due'),
    ...paiseTwice('adjusted', 'Other named deductions', 'r.adjusted'),
    ...paiseTwice('unexplained', 'Deductions that nothing explains', 'r.unexplained'),
    text('entry', 'Name of the deduction', 'r.entry'),
    ...time('delivered_at', 'Delivered', 'r.delivered'),
    text('due_date', 'Day on which COD was due, in IST', 'r.due_date'),
    ...paiseTwice('due', 'Due of the parcel', 'r.due'),
    ...paiseTwice('paid', 'Remitted of the parcel over all remittances up to this one', 'r.paid'),
    ...paiseTwice('difference', 'Paid less due', 'r.difference'),
    text('verdict', 'Verdict of the parcel when the remittance was read', 'r.verdict'),
    integer('days_late', 'Days after the due date', 'r.days_late'),
    text('matched_by', 'awb, order or suffix: how the parcel was found', 'r.matched_by'),
  ],
  from: (schema, account) => documentRows('remittance_lines', schema, account),
}

/**
 * Credits without those that another statement has as well: the second of two equal ones in a statement is the second
 * in every other (`eachOnce` of src/domain/money/bankmatch.ts).
 */
function eachOnce(credits: string): string {
  const same = 'utr, day, amount'
  const inStatement = `row_number() over (partition by document_id, ${same} order by line, id)`
  const numbered = `select *, ${inStatement} as nth from ${credits}`
  const inAll = `row_number() over (partition by ${same}, nth order by document_id)`
  return `(select * from (select *, ${inAll} as copy from (${numbered})) where copy = 1) r`
}

const bankCredits: SqlView = {
  name: 'bank_credits',
  means:
    'A row for each UTR that a credit of the bank statements names (shipx reconcile cod --bank); a credit that two ' +
    'statements have is there once',
  columns: [
    text('statement', 'Bank and days of the statement', 'r.number'),
    integer('line', 'Line of the file', 'r.line'),
    text('day', 'Day of the credit, in IST', 'r.day'),
    text('utr', 'UTR in its narration or reference', 'r.utr'),
    ...paiseTwice('amount', 'Credited; below 0 where it went back; 0 for the second UTR of a credit', 'r.amount'),
    text('narration', 'Narration, whole: it may name people', 'r.narration'),
    text('reference', 'Reference of the bank', 'r.reference'),
  ],
  from: (schema, account) => eachOnce(documentRows('bank_credits', schema, account)),
}

/** The views of money, in the order of the documentation. */
export const moneyViews: readonly SqlView[] = [
  invoices,
  invoiceLines,
  invoiceReasons,
  disputes,
  disputeEvents,
  remittances,
  remittanceLines,
  bankCredits,
]
