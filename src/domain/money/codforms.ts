// The forms of COD remittance files and of bank statements: the headers that each prints, and what they mean
// (docs/guides/cod.md; sources in docs/reference/data.md).
import { awbSpellings, weakerAwbs, type OwnColumn as Own } from './owncolumns.ts'

/** What a column of a remittance file says; amounts are rupees. */
export const codFields = [
  'awb',
  'order',
  'courier',
  'cod_amount',
  'remitted',
  'fee',
  'freight',
  'tds',
  'adjusted',
  'net',
  'utr',
  'date',
  'entry',
  'number',
] as const
export type CodField = (typeof codFields)[number]

/** What a column of a bank statement says. */
export const bankFields = [
  'date',
  'narration',
  'reference',
  'utr',
  'credit',
  'debit',
  'amount',
  'type',
  'balance',
] as const
export type BankField = (typeof bankFields)[number]

/** A column of our own names, with the names of other programs. */
interface OwnColumn<F extends string> extends Omit<Own, 'name'> {
  readonly name: F
}

/** A form by its headers. */
export interface HeaderForm<F extends string, N extends string> {
  readonly name: N
  /** `an iThink remittance`. */
  readonly title: string
  /** A file with all headers of one of these lists has the form. */
  readonly signs: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, F>>
  readonly note: string
}

/** The values of --format of remittances. */
export const codFormNames = ['ithink', 'velocity', 'shiprocket-cod', 'cod'] as const
export type CodFormName = (typeof codFormNames)[number]

/** A form of a remittance file. */
export interface CodForm extends HeaderForm<CodField, CodFormName> {
  /** A row for each item of an order: the rows of one AWB in one remittance repeat its amount. */
  readonly items?: true
}

/** The forms that couriers print. */
export const codForms: readonly CodForm[] = [
  {
    name: 'ithink',
    title: 'an iThink Logistics COD remittance',
    signs: [['AWB NO.', 'Order No.', 'Price', 'Remittance Date', 'Remittance UTR']],
    columns: {
      'AWB NO.': 'awb',
      'Order No.': 'order',
      Price: 'remitted',
      'Remittance Date': 'date',
      'Remittance UTR': 'utr',
    },
    note: 'a row for each AWB; days as 06-Jan-26; no deductions',
  },
  {
    name: 'velocity',
    title: 'a Velocity COD MIS',
    signs: [['AWB', 'Status', 'Collected Amount', 'Date']],
    columns: { AWB: 'awb', 'Collected Amount': 'remitted', Date: 'date' },
    note: 'a row for each AWB; no UTR and no deductions',
  },
  {
    name: 'shiprocket-cod',
    title: 'a Shiprocket report of orders with COD remittances',
    signs: [['AWB Code', 'CRF ID', 'COD Remittance Date', 'Remitted Amount']],
    columns: {
      'AWB Code': 'awb',
      'Order ID': 'order',
      'Courier Company': 'courier',
      'Remitted Amount': 'remitted',
      'COD Remittance Date': 'date',
      'UTR No': 'utr',
      'CRF ID': 'number',
    },
    items: true,
    note: 'a row for each item; rows of one AWB and CRF ID count once; rows without a CRF ID pay nothing',
  },
]

/** The columns of any other remittance, by our own names or as --map says. */
export const codColumns: readonly OwnColumn<CodField>[] = [
  {
    name: 'awb',
    required: true,
    aliases: awbSpellings,
    weaker: weakerAwbs,
  },
  { name: 'order', aliases: ['order_id', 'order_no', 'order_number', 'ref_no', 'reference', 'client_order_id'] },
  { name: 'courier', aliases: ['courier_name', 'courier_company', 'courier_partner', 'carrier', 'carrier_name'] },
  { name: 'cod_amount', aliases: ['cod', 'cod_value', 'collectable_amount', 'gross', 'gross_amount', 'gross_cod'] },
  {
    name: 'remitted',
    aliases: [
      'remitted_amount',
      'remittance_amount',
      'amount_remitted',
      'cod_remitted',
      'cod_remittance_amount',
      'collected_amount',
      'amount',
      'paid_amount',
      'amount_paid',
    ],
    weaker: ['paid_amt', 'amt_paid', 'remitted_amt', 'amt_remitted'],
  },
  {
    name: 'fee',
    aliases: ['early_cod_fee', 'early_cod_fees', 'early_cod_charge', 'early_cod_charges', 'early_cod', 'early_fee'],
  },
  {
    name: 'freight',
    aliases: [
      'freight_adjusted',
      'freight_adjustment',
      'freight_deduction',
      'freight_deducted',
      'freight_set_off',
      'freight_setoff',
      'shipping_deduction',
    ],
  },
  { name: 'tds', aliases: ['tds_amount', 'tds_deducted'] },
  {
    name: 'adjusted',
    // None of these says why: `saysWhy` looks for a reason in the words of the line.
    aliases: [
      'adjusted_amount',
      'adjustment',
      'adjustments',
      'adj',
      'deduction',
      'deductions',
      'deducted',
      'deduction_amount',
      'deducted_amount',
      'amount_deducted',
      'other_deduction',
      'other_deductions',
      'ded',
      'deds',
      'less',
      'recovery',
      'recoveries',
    ],
    weaker: ['ded_amt', 'ded_amount', 'deduction_amt'],
  },
  {
    name: 'net',
    aliases: ['net_amount', 'net_remittance', 'net_remitted', 'net_payable', 'net_paid', 'net_remittance_amount'],
  },
  {
    name: 'utr',
    aliases: ['utr_no', 'utr_number', 'utr_id', 'remittance_utr', 'bank_utr', 'bank_reference', 'transaction_utr'],
    weaker: ['utr_ref', 'utr_ref_no', 'utr_reference'],
  },
  {
    name: 'date',
    aliases: ['remittance_date', 'remitted_on', 'remitted_date', 'payment_date', 'paid_on', 'cod_remittance_date'],
    weaker: [
      'credit_date',
      'credited_on',
      'credited_date',
      'pay_dt',
      'pay_date',
      'paid_dt',
      'paid_date',
      'payment_dt',
      'remit_dt',
      'remit_date',
      'remittance_dt',
    ],
  },
  {
    name: 'entry',
    aliases: ['description', 'particulars', 'remarks', 'remark', 'entry_type', 'transaction_type', 'reason'],
  },
  { name: 'number', aliases: ['remittance_id', 'remittance_no', 'remittance_number', 'crf_id', 'batch', 'batch_id'] },
]

/** The values of --bank-format. */
export const bankFormNames = ['hdfc', 'icici', 'icici-corporate', 'sbi', 'axis', 'bank'] as const
export type BankFormName = (typeof bankFormNames)[number]

/** A form of a bank statement. */
export interface BankForm extends HeaderForm<BankField, BankFormName> {
  readonly bank: string
}

const inr = (field: BankField, ...headers: readonly string[]): Readonly<Record<string, BankField>> =>
  Object.fromEntries(headers.map((header) => [header, field]))

/** The forms of banks. */
export const bankForms: readonly BankForm[] = [
  {
    name: 'hdfc',
    title: 'an HDFC Bank statement',
    bank: 'HDFC Bank',
    signs: [['Narration', 'Chq./Ref.No.', 'Withdrawal Amt.', 'Deposit Amt.']],
    columns: {
      Date: 'date',
      Narration: 'narration',
      'Chq./Ref.No.': 'reference',
      'Withdrawal Amt.': 'debit',
      'Deposit Amt.': 'credit',
      'Closing Balance': 'balance',
    },
    note: 'days as 01/09/26',
  },
  {
    name: 'icici',
    title: 'an ICICI Bank statement',
    bank: 'ICICI Bank',
    signs: [
      ['Transaction Remarks', 'Withdrawal Amount (INR)', 'Deposit Amount (INR)'],
      ['Transaction Remarks', 'Debit Amount', 'Credit Amount'],
      ['Transaction Remarks', 'Transaction Type', 'Amount (INR)'],
    ],
    columns: {
      'Transaction Date': 'date',
      'Transaction Remarks': 'narration',
      'Cheque Number': 'reference',
      'Transaction Type': 'type',
      'Amount (INR)': 'amount',
      ...inr('debit', 'Withdrawal Amount (INR)', 'Debit Amount'),
      ...inr('credit', 'Deposit Amount (INR)', 'Credit Amount'),
      'Balance (INR)': 'balance',
    },
    note: 'days as 01/09/2026; some have one amount with its type, Cr or Dr',
  },
  {
    name: 'icici-corporate',
    title: 'an ICICI Bank corporate statement',
    bank: 'ICICI Bank',
    signs: [['Txn Posted Date', 'Description', 'Cr/Dr', 'Transaction Amount(INR)']],
    columns: {
      'Value Date': 'date',
      Description: 'narration',
      'ChequeNo.': 'reference',
      'Cr/Dr': 'type',
      'Transaction Amount(INR)': 'amount',
      'Available Balance(INR)': 'balance',
    },
    note: 'one amount, and a column that says CR or DR',
  },
  {
    name: 'sbi',
    title: 'an SBI statement',
    bank: 'State Bank of India',
    signs: [
      ['Txn Date', 'Description', 'Ref No./Cheque No.', 'Debit', 'Credit'],
      ['Date', 'Details', 'Ref No./Cheque No.', 'Debit', 'Credit'],
    ],
    columns: {
      ...inr('date', 'Txn Date', 'Date'),
      ...inr('narration', 'Description', 'Details'),
      'Ref No./Cheque No.': 'reference',
      Debit: 'debit',
      Credit: 'credit',
      Balance: 'balance',
    },
    note: 'days as 1 Sep 2026',
  },
  {
    name: 'axis',
    title: 'an Axis Bank statement',
    bank: 'Axis Bank',
    signs: [
      ['Tran Date', 'CHQNO', 'PARTICULARS', 'DR', 'CR'],
      ['Tran Date', 'Chq No', 'Particulars', 'Debit', 'Credit'],
    ],
    columns: {
      'Tran Date': 'date',
      ...inr('reference', 'CHQNO', 'Chq No'),
      PARTICULARS: 'narration',
      ...inr('debit', 'DR', 'Debit'),
      ...inr('credit', 'CR', 'Credit'),
      ...inr('balance', 'BAL', 'Balance'),
    },
    note: 'days as 01-09-2026; some exports have money in under DR: the balance says which column it is',
  },
]

/** The columns of any other bank statement, by our own names or as --map-bank says. */
export const bankColumns: readonly OwnColumn<BankField>[] = [
  { name: 'date', aliases: ['transaction_date', 'txn_date', 'tran_date', 'value_date', 'posted_date'] },
  {
    name: 'narration',
    aliases: ['description', 'particulars', 'details', 'remarks', 'transaction_remarks', 'transaction_details'],
  },
  { name: 'reference', aliases: ['ref_no', 'reference_no', 'chq_ref_no', 'cheque_no', 'ref_no_cheque_no'] },
  { name: 'utr', aliases: ['utr_no', 'utr_number'] },
  { name: 'credit', aliases: ['credit_amount', 'deposit', 'deposits', 'deposit_amount', 'cr', 'deposit_cr'] },
  { name: 'debit', aliases: ['debit_amount', 'withdrawal', 'withdrawals', 'withdrawal_amount', 'dr', 'withdrawal_dr'] },
  { name: 'amount', aliases: ['transaction_amount', 'amount_inr'] },
  { name: 'type', aliases: ['transaction_type', 'dr_cr', 'cr_dr', 'debit_credit'] },
  { name: 'balance', aliases: ['closing_balance', 'running_balance', 'available_balance'] },
]
