// The columns of an invoice without a courier's form: our own names, and how couriers and merchants write them.
import type { MoneyField } from './forms.ts'

/** A column of the form that has our own names. */
export interface OwnColumn {
  readonly name: MoneyField
  readonly aliases?: readonly string[]
  /** Further names, which count only where no other header names the column. */
  readonly weaker?: readonly string[]
  readonly required?: true
}

/** Headers that couriers and merchants write for the AWB. */
export const awbSpellings: readonly string[] = [
  'awb_no',
  'awb_number',
  'awb_code',
  'waybill',
  'waybill_no',
  'waybill_number',
  'tracking_number',
  'tracking_id',
  'airwaybill',
  'airwaybill_no',
  'airwaybill_number',
  'consignment',
  'consignment_no',
  'consignment_number',
  'cn_no',
  'docket',
  'docket_no',
]

/** Headers that mean the AWB where no other one does. */
export const weakerAwbs: readonly string[] =
  'tracking_no docket_number lr_no lr_number cnote_no c_note_no consignment_note_no'.split(' ')

/** The columns of a file that has no courier's form: by our own names, or as --map says. */
export const ownColumns: readonly OwnColumn[] = [
  {
    name: 'awb',
    required: true,
    aliases: awbSpellings,
    weaker: weakerAwbs,
  },
  { name: 'child_awb', aliases: ['child_awb_no', 'child_awb_number', 'child_waybill', 'child_waybill_number'] },
  {
    name: 'order',
    aliases: ['order_id', 'order_no', 'order_number', 'ref_no', 'reference', 'your_ref', 'client_order_id'],
    weaker: ['order_ref', 'order_reference', 'client_ref', 'customer_ref', 'ref_number', 'reference_no'],
  },
  { name: 'line_date', aliases: ['billing_date', 'charge_date', 'transaction_date'] },
  {
    name: 'picked_up',
    aliases: ['pickup_date', 'picked_up_at', 'ship_date', 'shipped_on', 'booked_on', 'booking_date'],
    weaker: (
      'bkg_dt bkg_date booking_dt book_date booked_date date_of_booking bkd_on pickup_dt pick_up_date ' +
      'pickup_on picked_on picked_date pkup_date date_of_pickup ship_dt shipping_date shipment_date ' +
      'dispatch_date despatch_date dispatch_dt'
    ).split(' '),
  },
  {
    name: 'from',
    aliases: ['origin_pincode', 'from_pincode', 'pickup_pincode', 'source_pincode', 'warehouse_pincode'],
    weaker: (
      'origin_pin origin_pin_code org_pin orig_pin orgn_pin from_pin from_pin_code pickup_pin ' +
      'pickup_pin_code source_pin src_pin src_pincode warehouse_pin shipper_pincode consignor_pincode ' +
      'sender_pincode seller_pincode'
    ).split(' '),
  },
  {
    name: 'to',
    aliases: [
      'destination_pincode',
      'to_pincode',
      'delivery_pincode',
      'customer_pincode',
      'destination_pin',
      'pincode',
    ],
    weaker: (
      'dest_pin dest_pincode dest_pin_code destn_pin destn_pincode destination_pin_code ' +
      'dstn_pin dst_pin dst_pincode to_pin ' +
      'to_pin_code delivery_pin delivery_pin_code drop_pin drop_pincode pin pin_code consignee_pin ' +
      'consignee_pincode receiver_pincode buyer_pincode customer_pin'
    ).split(' '),
  },
  {
    name: 'zone',
    aliases: ['billed_zone', 'courier_zone', 'billing_zone', 'delivery_zone', 'zn', 'zone_cd', 'zone_code'],
  },
  {
    name: 'journey',
    aliases: ['journey_type', 'type', 'type_of_shipment', 'shipment_type', 'charge_type'],
    weaker: ['movement', 'movement_type', 'mvmt', 'mvmt_type', 'direction'],
  },
  { name: 'payment', aliases: ['payment_mode', 'payment_method', 'payment_type', 'pay_mode'] },
  { name: 'status', aliases: ['shipment_status', 'final_status', 'delivery_status'] },
  { name: 'courier', aliases: ['courier_name', 'courier_company', 'carrier', 'carrier_name'] },
  { name: 'cod_amount', aliases: ['collectable_amount', 'cod_value'] },
  {
    name: 'weight',
    aliases: ['charged_weight', 'billed_weight', 'chargeable_weight', 'charged_wt', 'chg_wt', 'chrg_wt', 'billed_wt'],
    weaker: (
      'chargeable_wt chargable_weight chargable_wt charge_weight charge_wt chg_weight chrgd_wt chgd_wt ' +
      'wt_chgd wt_chrgd wt_charged wt_chargeable wt_billed weight_charged weight_billed chgd_weight ' +
      'billing_weight billing_wt bill_weight bill_wt invoiced_weight invoice_weight'
    ).split(' '),
  },
  {
    name: 'freight',
    aliases: [
      'freight_charges',
      'freight_amount',
      'forward_charges',
      'forward_charge',
      'forward_freight',
      'basic_freight',
      'basic_frt',
      'basic',
      'basic_charge',
      'basic_charges',
      'fwd_charge',
      'fwd_charges',
      'fwd_freight',
    ],
    weaker: 'frt frt_amt frt_amount freight_amt frt_chg frt_chgs frt_charge frt_charges'.split(' '),
  },
  {
    name: 'rto',
    aliases: [
      'rto_charges',
      'rto_charge',
      'rto_chg',
      'rto_chgs',
      'rto_fee',
      'rto_fees',
      'rto_freight',
      'rto_amount',
      'return_freight',
      'return_frt',
    ],
    weaker: ['rto_frt', 'rto_amt'],
  },
  { name: 'reverse', aliases: ['reverse_charges', 'reverse_pickup_charges', 'dto_charges'] },
  { name: 'qc', aliases: ['qc_charges', 'qc_charge'] },
  { name: 'cod_fee', aliases: ['cod_charges', 'cod_charge', 'cod_fees', 'cod_chg', 'cod_chgs'] },
  {
    name: 'fuel',
    aliases: ['fuel_surcharge', 'fuel_charge', 'fuel_charges', 'fsc'],
    weaker: ['fuel_s_c', 'fuel_sc', 'fuel_amt'],
  },
  { name: 'other', aliases: ['other_charges', 'others', 'surcharge', 'surcharges', 'misc', 'misc_charges'] },
  {
    name: 'gross',
    aliases: ['gross_amount', 'taxable', 'taxable_value', 'taxable_amount', 'taxable_amt', 'base_amount', 'sub_total'],
  },
  { name: 'gst', aliases: ['gst_amount', 'gst_amt', 'tax', 'tax_amount', 'total_gst', 'gst_18'] },
  { name: 'igst', aliases: ['igst_amount', 'igst_amt', 'igst_18'] },
  { name: 'cgst', aliases: ['cgst_amount', 'cgst_amt', 'cgst_9'] },
  { name: 'sgst', aliases: ['sgst_amount', 'sgst_amt', 'sgst_9', 'sgst_ugst', 'ugst'] },
  {
    name: 'total',
    aliases: [
      'total_amount',
      'total_amt',
      'billing_amount',
      'billed_amount',
      'amount',
      'net_amount',
      'net_amt',
      'invoice_amount',
      'total_charges',
      'bill_amount',
      'bill_amt',
    ],
    weaker: (
      'bill_value bill_val billed_value bill_total total_bill total_billed total_bill_value ' +
      'total_bill_amount total_bill_amt billing_amt billing_value billed_amt net_bill net_bill_amount ' +
      'invoice_value invoice_val invoice_amt invoice_total total_invoice total_invoice_value ' +
      'total_invoice_amount inv_value inv_val inv_amount inv_amt inv_total grand_total ' +
      'gross_total total_payable net_payable amount_payable payable_amount amt_payable payable_amt'
    ).split(' '),
  },
  { name: 'debit', aliases: ['debit_amount', 'debit_rs'] },
  { name: 'credit', aliases: ['credit_amount', 'credit_rs'] },
  { name: 'entry', aliases: ['description', 'particulars', 'transaction_type', 'entry_type'] },
  {
    name: 'number',
    aliases: ['invoice', 'invoice_no', 'invoice_number', 'bill_no', 'bill_number'],
    weaker: (
      'inv_no inv_number inv_num invoice_num invoice_nr invoice_id invoice_ref tax_invoice_no bill_num ' +
      'bill_nr bill_id bill_ref'
    ).split(' '),
  },
  {
    name: 'date',
    aliases: ['invoice_date', 'bill_date', 'invoice_dt', 'bill_dt'],
    weaker: ['inv_date', 'inv_dt', 'date_of_invoice', 'date_of_bill', 'tax_invoice_date'],
  },
]
