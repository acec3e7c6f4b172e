// Defends the mail about an invoice: its reasons add up to its headline, whatever the lines are.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonCodes, type Reason } from '../../../src/domain/money/billed.ts'
import type { KeptLine } from '../../../src/engine/money/lines.ts'
import { mailText } from '../../../src/cli/commands/reconcile/mail.ts'
import type { PageFacts } from '../../../src/cli/commands/reconcile/page.ts'
import { countLine, tallyOf } from '../../../src/cli/commands/reconcile/tally.ts'
import { wholeReasons } from '../../../src/domain/money/wholelines.ts'
import type { Screen } from '../../../src/cli/terminal/screen.ts'

const screen = { ascii: false } as Screen
const facts = {
  number: 'INV/1',
  form: 'generic',
  card: 'contract',
  gst: true,
  by: 'reason',
  command: '',
} as unknown as PageFacts
const blank = {
  awb: '1',
  verdict: 'ok',
  category: 'ok',
  reasons: null,
  freight: 0,
  rto: 0,
  cod_fee: 0,
  zone: null,
  slab: null,
  fuel: 0,
  other: 0,
}
const line = (over: Partial<KeptLine>): KeptLine =>
  ({ ...blank, matched_by: 'awb', courier: null, ...over }) as KeptLine

const codes = reasonCodes.filter((code) => !wholeReasons.includes(code) && code !== 'rounding')
const paise = fc.integer({ min: -90_000, max: 90_000 })
const anyLine = fc.oneof(
  fc.record({ due: fc.nat(50_000), parts: fc.dictionary(fc.constantFrom(...codes), paise, { maxKeys: 5 }) }),
  fc.record({
    whole: fc.constantFrom(...wholeReasons),
    billed: fc.integer({ min: 1, max: 90_000 }),
    tax: fc.nat(9000),
  }),
)

test('the reasons of the mail did not add up to its headline', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 40 }), (all) => {
      const tally = tallyOf({ detailed: false, accrual: false }, false)
      let [over, lines] = [0, 0]
      for (const one of all) {
        const whole = 'whole' in one
        const reasons = whole
          ? [{ code: one.whole, amount: one.billed }]
          : Object.entries(one.parts).flatMap(([code, amount]) => (amount === 0 ? [] : [{ code, amount }]))
        const difference = reasons.reduce((sum, { amount }) => sum + amount, 0)
        const expected = whole ? 0 : one.due
        const verdict = difference > 0 ? 'over' : difference < 0 ? 'under' : 'ok'
        if (difference > 0) [over, lines] = [over + difference, lines + 1]
        const gst = whole ? Math.min(one.tax, one.billed) : 0
        const kept = line({ billed: expected + difference, expected, verdict, gst_billed: gst })
        countLine(tally, kept, reasons as unknown as readonly Reason[], 'INV/1', undefined)
      }
      const text = mailText(tally, facts, screen)
      if (lines === 0) return
      const rupees = (said: string): number => Math.round(Number(said.replace(/[₹,]/g, '')) * 100)
      expect(rupees(/^Subject: Invoice INV\/1: (₹[\d,.]+) above/.exec(text)![1]!)).toBe(over)
      const rows = text.slice(text.indexOf('By reason')).match(/^- .*?(-?₹?-?[\d,]+\.\d\d)$/gm) ?? []
      expect(rows.reduce((sum, row) => sum + rupees(/(-?₹?-?[\d,]+\.\d\d)$/.exec(row)![1]!), 0)).toBe(over)
    }),
    { numRuns: 300 },
  )
})
