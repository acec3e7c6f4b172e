// What judged COD looks like under --json, for the help.
export const codShape =
  '{data: [{awb, order, courier, delivered, due_date, due, remitted, fee, adjusted, unexplained, difference, ' +
  'verdict, utr, remitted_on, days_late, bank, fee_due, matched_by, before: [{remittance, amount}]}], ' +
  'bank: [{utr, file, bank, difference, verdict, date, narration, candidates: [{line, date, amount, narration}]}], ' +
  'deductions: [{name, amount, lines, utr}], left_out}'
