// An invoice and a remittance with one line each, as the engine keeps them, for tests that need every table filled.
import { addLines, type KeptLine } from '../../src/engine/money/lines.ts'
import { keepEvidence } from '../../src/engine/money/evidence.ts'
import { makeDisputes } from '../../src/engine/money/newdisputes.ts'
import { savePolicy } from '../../src/engine/money/policies.ts'
import { keepPrints, type Print } from '../../src/engine/orders/prints.ts'
import { beginDocument, completeDocument, type NewDocument } from '../../src/engine/money/documents.ts'
import { addCredits } from '../../src/engine/money/bankcredits.ts'
import { addRemittanceLines, type RemittanceLine } from '../../src/engine/money/remittances.ts'
import type { Dialect, Work } from '../../src/engine/database/port.ts'

/** The document of a kept invoice. */
export const keptDocument: NewDocument = {
  id: 'document-1',
  kind: 'invoice',
  courier: 'Delhivery',
  number: 'INV/1',
  day: '2026-09-30',
  form: 'generic',
  card: 'contract',
  gst: 'included',
  sha256: 'a'.repeat(64),
  dispute_by: null,
  created_at: 1,
}

const line: KeptLine = {
  line: 2,
  awb: 'AWB-1',
  order_name: 'ऑर्डर 1',
  courier: 'Delhivery',
  journey: 'forward',
  status: 'delivered',
  picked_up: 1,
  card: 'contract@2026-04-01',
  zone: 'zone_c',
  zone_billed: 'zone_d',
  zone_by: 'card',
  weight: 400_000,
  weight_billed: 500_000,
  weight_by: 'record',
  slab: 500_000,
  slab_billed: 500_000,
  matched_by: 'awb',
  origin: '400001',
  state: 'Karnataka',
  billed: 5357,
  expected: 4720,
  gst_billed: 817,
  gst_expected: 720,
  freight: 4540,
  rto: 0,
  cod_fee: 0,
  fuel: 0,
  other: 0,
  verdict: 'over',
  category: 'zone',
  reasons: '[{"code":"zone","amount":5.4,"text":"zone d in place of c"}]',
  earlier: null,
}

/** Keeps the invoice. */
export function* keepInvoice(account: number): Work<void> {
  yield* beginDocument(account, keptDocument)
  yield* addLines(account, keptDocument.id, [line], 0)
  const sums = { lines: 1, billed: 5357, expected: 4720, over_paise: 637, over_lines: 1, under_paise: 0 }
  const rest = { under_lines: 0, unknown_lines: 0, credit_lines: 0, reasons: '[]' }
  yield* completeDocument(account, keptDocument, { ...sums, ...rest }, false)
}

/** The document of a kept remittance. */
export const keptRemittance: NewDocument = {
  ...keptDocument,
  id: 'document-2',
  kind: 'remittance',
  number: 'UTR-1',
  form: 'cod',
  card: '',
  gst: 'none',
  sha256: 'c'.repeat(64),
}

/** Its line. */
export const keptPayment: RemittanceLine = {
  line: 2,
  awb: 'AWB-1',
  order_name: 'ऑर्डर 1',
  courier: 'Delhivery',
  utr: 'UTR-1',
  batch: '12269675',
  remitted_on: '2026-09-14',
  remitted: 50_000,
  fee: 495,
  adjusted: 100,
  unexplained: 5,
  entry: 'TDS',
  delivered: 1,
  due_date: '2026-09-14',
  due: 50_000,
  paid: 50_000,
  difference: 0,
  fee_due: 495,
  verdict: 'adjusted',
  days_late: 0,
  matched_by: 'awb',
}

/** Keeps the remittance, and a credit of the bank under the same document. */
export function* keepRemittance(account: number): Work<void> {
  yield* beginDocument(account, keptRemittance)
  yield* addRemittanceLines(account, keptRemittance.id, [keptPayment], 0)
  const credit = { line: 2, day: '2026-09-14', utr: 'UTR-1', amount: 49_400, narration: 'NEFT अ', reference: '' }
  yield* addCredits(account, keptRemittance.id, [credit], 0)
  const sums = { lines: 1, billed: 50_000, expected: 50_000, over_paise: 0, over_lines: 0, under_paise: 0 }
  const rest = { under_lines: 0, unknown_lines: 0, credit_lines: 0, reasons: '{}' }
  yield* completeDocument(account, keptRemittance, { ...sums, ...rest }, false)
}

const printed: Print = {
  id: 'p',
  shipment_id: 'told',
  kind: 'label',
  tracking_number: 'AWB-1',
  manifest: null,
  handed_over: null,
  printed_by: 'आशा',
  printed_at: 1,
}

/** A policy, a dispute of the invoice with its evidence, and a label that was printed. */
export function* keepDispute(dialect: Dialect, account: number): Work<void> {
  yield* savePolicy(account, { courier: 'Delhivery', values: { fuel: { value: '12.5%', at: 1 } } }, { by: 'a', at: 1 })
  const { id, number, day } = keptDocument
  const document = { id, number, day, courier: 'Delhivery', ledger: false }
  const line = {
    key: `${id}:000000001`,
    line: 2,
    awb: 'AWB-1',
    order_name: null,
    courier: null,
    due_at: 9,
    announced: null,
  }
  const over = { ...line, journey: 'forward', reason: 'weight' as const, amount: 3540 }
  yield* makeDisputes(dialect, account, document, [over], { at: 5, by: 'आशा', source: 'a test', uuid: () => 'u' })
  const file = { awb: 'AWB-1', sha256: '0'.repeat(64), name: 'तौल.jpg', shows: 'scale', bytes: 9 }
  yield* keepEvidence(account, [{ ...file, added_at: 1, added_by: 'आशा' }])
  yield* keepPrints(account, () => [printed])
}
