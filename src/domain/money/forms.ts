// The forms of couriers' invoices: the headers that each courier prints, and what they mean (docs/guides/money.md).

/** The parts that an amount of a line may be broken into. */
export const partFields = ['freight', 'rto', 'reverse', 'qc', 'cod_fee', 'fuel', 'other'] as const

/** The fields that hold an amount; where several columns are one field, their amounts are added up. */
export const amountFields = [...partFields, 'gross', 'gst', 'igst', 'cgst', 'sgst', 'total', 'debit', 'credit'] as const

/** What a column of an invoice says; amounts are rupees. */
export const moneyFields = [
  'awb',
  'child_awb',
  'order',
  'line_date',
  'picked_up',
  'from',
  'to',
  'zone',
  'journey',
  'payment',
  'status',
  'courier',
  'cod_amount',
  'weight',
  'applied_weight',
  ...amountFields,
  'entry',
  'number',
  'date',
] as const
export type MoneyField = (typeof moneyFields)[number]

/** A form of an invoice. */
export interface Form {
  readonly name: FormName
  /** `a Delhivery billing MIS`. */
  readonly title: string
  /** Whose invoice it is, where the form says that. */
  readonly courier?: string
  /** A row for each AWB with its charges in columns, or a row for each charge. */
  readonly shape: 'wide' | 'ledger'
  /** What its weights are; undefined where only the header says it. */
  readonly unit?: 'g' | 'kg'
  /** A file with all of these headers has the form. */
  readonly signs: readonly string[]
  readonly columns: Readonly<Record<string, MoneyField>>
  /** Further headers that begin like this are named components. */
  readonly others?: string
  /** How it shows tax and negative amounts, in a sentence. */
  readonly note: string
}

/** The values of --format. */
export const formNames = ['delhivery', 'bluedart', 'shiprocket', 'passbook', 'pickrr', 'generic', 'ledger'] as const
export type FormName = (typeof formNames)[number]

const delhivery: Form = {
  name: 'delhivery',
  title: 'a Delhivery billing MIS',
  courier: 'Delhivery',
  shape: 'wide',
  unit: 'g',
  signs: ['waybill_num', 'charged_weight', 'charge_DL', 'gross_amount', 'total_amount'],
  columns: {
    waybill_num: 'awb',
    order_id: 'order',
    pickup_date: 'picked_up',
    destination_pin: 'to',
    zone: 'zone',
    payment_mode: 'payment',
    status: 'status',
    cod_amount: 'cod_amount',
    charged_weight: 'weight',
    charge_DL: 'freight',
    charge_RTO: 'rto',
    charge_DTO: 'reverse',
    charge_QC: 'qc',
    charge_COD: 'cod_fee',
    charge_FSC: 'fuel',
    gross_amount: 'gross',
    IGST: 'igst',
    CGST: 'cgst',
    'SGST/UGST': 'sgst',
    total_amount: 'total',
  },
  others: 'charge_',
  note: 'total_amount has GST, which three columns name; every other charge_ column is a component of its own',
}

const bluedart: Form = {
  name: 'bluedart',
  title: 'a Blue Dart billing annexure',
  courier: 'Blue Dart',
  shape: 'wide',
  unit: 'kg',
  signs: ['AWB_NO', 'CHRG_WT', 'FREIGHT', 'AMOUNT'],
  columns: {
    AWB_NO: 'awb',
    REF_NO: 'order',
    PICKUP_DT: 'picked_up',
    PIN_CODE: 'to',
    CHRG_WT: 'weight',
    FREIGHT: 'freight',
    FS: 'fuel',
    CAF: 'other',
    IDC: 'other',
    AMOUNT: 'total',
  },
  note: 'it names no zone, no COD fee and no GST: amounts count as before GST',
}

const shiprocket: Form = {
  name: 'shiprocket',
  title: 'a Shiprocket statement of charges',
  shape: 'wide',
  unit: 'kg',
  signs: ['AWB Number', 'Freight Forward Amount', 'Freight RTO Amount', 'Freight Total Amount'],
  columns: {
    'AWB Number': 'awb',
    'Order Number': 'order',
    'Date, Time': 'line_date',
    'Courier Name': 'courier',
    'Payment Mode': 'payment',
    Zone: 'zone',
    'Applied Weight': 'applied_weight',
    'Charged Weight': 'weight',
    'Freight Forward Amount': 'freight',
    'Excess Forward Amount': 'freight',
    'Freight RTO Amount': 'rto',
    'Excess RTO Amount': 'rto',
    'Freight Cod Charges': 'cod_fee',
    'Freight Cod Adjusted': 'cod_fee',
    'Other Adjustments': 'other',
    'Freight Total Amount': 'total',
  },
  note: 'an empty or NA Charged Weight is the Applied Weight; amounts on hold are not billed yet; no GST columns',
}

const passbook: Form = {
  name: 'passbook',
  title: 'a Shiprocket passbook',
  shape: 'ledger',
  unit: 'kg',
  signs: ['awb_code', 'debit_amount', 'credit_amount'],
  columns: {
    awb_code: 'awb',
    channel_order_id: 'order',
    created_at: 'line_date',
    charged_weight: 'weight',
    applied_weight: 'applied_weight',
    description: 'entry',
    debit_amount: 'debit',
    credit_amount: 'credit',
  },
  note: 'a row for each charge; debits count against you, credits for you; no GST columns',
}

const pickrr: Form = {
  name: 'pickrr',
  title: 'a Pickrr sheet of charges',
  shape: 'wide',
  signs: ['Tracking ID', 'Client Order ID', 'COD Charges', 'Freight Charges'],
  columns: {
    'Tracking ID': 'awb',
    'Client Order ID': 'order',
    'Pickup Date': 'picked_up',
    'COD Charges': 'cod_fee',
    'Freight Charges': 'freight',
  },
  note: 'an order that ends in -RP is a reverse pickup; no zone, weight, RTO or GST',
}

/** The forms that couriers print. */
export const courierForms: readonly Form[] = [delhivery, bluedart, shiprocket, passbook, pickrr]

/** A sheet that is no invoice, or whose columns of charges no courier publishes. */
export interface RefusedForm {
  readonly name: string
  readonly signs: readonly string[]
  readonly why: string
}

/** What is refused by name. */
export const refusedForms: readonly RefusedForm[] = [
  {
    name: 'ithink',
    signs: ['Remittance Date', 'Remittance UTR', 'Order No.', 'Price'],
    why: 'iThink Logistics publishes no invoice columns; this sheet is a COD remittance: shipx reconcile cod <file>',
  },
  {
    name: 'velocity',
    signs: ['AWB', 'Status', 'Collected Amount', 'Date'],
    why: 'Velocity publishes no invoice columns; this sheet is a COD MIS: shipx reconcile cod <file>',
  },
  {
    name: 'shiprocket orders',
    signs: ['Order ID', 'Channel SKU', 'Product Quantity', 'Freight Total Amount'],
    why: 'a Shiprocket orders report has a row for each item and repeats the charge of the AWB in each of them',
  },
]
