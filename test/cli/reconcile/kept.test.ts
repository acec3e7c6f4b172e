// Invoices as they are kept: whole or not at all, once, and found by the next one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    ...['1001', '1002', '1003'].map((awb) => shipment(awb)),
    shipment('1004', { status: 'rto_delivered', picked_up: '2026-08-20T06:30:00Z' }),
  ]),
)

const head = 'awb,zone,weight_g,freight,rto,gst,total'
const file = (name: string, rows: readonly string[]): string => box.file(name, [head, ...rows].join('\n'))
const september = (): string =>
  file('september.csv', ['1001,c,400,40,0,7.20,47.20', '1002,d,400,45.40,0,8.17,53.57', '1004,c,400,40,0,7.20,47.20'])
const read = (path: string, ...words: string[]) =>
  box.shipx(['reconcile', 'invoice', path, '--courier', 'Delhivery', '--jsonl', '--yes', ...words])
const lines = (stdout: string): readonly Line[] =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
const query = async (statement: string): Promise<unknown> =>
  lines((await box.shipx(['sql', statement, '--jsonl'])).stdout)

describe('kept', () => {
  test('needs a number, a yes, and a file', { tags: ['full'] }, async () => {
    const code = async (words: readonly string[], input = ''): Promise<string> =>
      (
        JSON.parse((await box.shipx(['reconcile', 'invoice', ...words, '--json'], { input })).stderr) as {
          error: { code: string }
        }
      ).error.code
    expect(await code([september(), '--number', 'SEP'])).toBe('needs_answer')
    expect(await code([september(), '--yes'])).toBe('invalid_input')
    expect(await code(['-', '--yes', '--number', 'SEP'], `${head}\n`)).toBe('invalid_input')
    expect(await query('select number from invoices')).toEqual([])
  })

  test('once: the same file again prints the same bytes and changes nothing', async () => {
    const first = await read(september(), '--number', 'SEP', '--date', '2026-09-15')
    expect(first.exit).toBe(0)
    expect(lines(first.stdout).map(({ verdict }) => verdict)).toEqual(['ok', 'over', 'ok'])
    const again = await read(september(), '--number', 'SEP')
    expect([again.exit, again.stdout]).toEqual([0, first.stdout])
    const dry = await box.shipx(['reconcile', 'invoice', september(), '--jsonl', '--dry-run'])
    expect(dry.stdout).toBe(first.stdout)
    expect(await query('select number, day, courier, lines, over_paise, over_lines from invoices')).toEqual([
      { number: 'SEP', day: '2026-09-15', courier: 'Delhivery', lines: 3, over_paise: 637, over_lines: 1 },
    ])
    const other = await read(september(), '--number', 'OTHER')
    expect([other.exit, JSON.parse(other.stderr)]).toMatchObject([5, { error: { code: 'document_exists' } }])
  })

  test('under a number with a blank named a command that fails', { tags: ['full'] }, async () => {
    const path = file('blank.csv', ['1003,c,400,40,0,7.20,47.20'])
    expect((await read(path, '--number', 'INV 9')).exit).toBe(0)
    expect((await read(path, '--number', 'INV-9')).stderr).toContain("shipx invoices remove 'INV 9', then")
    expect((await box.shipx(['invoices', 'remove', 'INV 9', '--yes'])).exit).toBe(0)
  })

  test('judged by other terms was printed as if they had been applied', { tags: ['full'] }, async () => {
    const path = file('terms.csv', ['1003,d,900,115.20,0,20.74,135.94'])
    const first = await read(path, '--number', 'TERMS', '--order', 'zone')
    const { exit, stdout, stderr } = await read(path, '--order', 'weight')
    expect([exit, stdout]).toEqual([0, first.stdout])
    expect(stderr).toMatch(
      /^! shipx ignored --order: this invoice keeps its first judgement\. Judge it again: --replace\.$/m,
    )
    const dry = await read(path, '--order', 'weight', '--dry-run')
    expect(dry.stdout).not.toBe(first.stdout)
    expect(dry.stdout).not.toContain('billed_before')
    const other = await read(path, '--number', 'OTHER', '--dry-run')
    expect([other.exit, lines(other.stdout)[0]!['invoice']]).toEqual([0, 'OTHER'])
    expect((await box.shipx(['invoices', 'remove', 'TERMS', '--yes'])).exit).toBe(0)
  })

  test('its page did not say its terms and wrong totals when its file was read again', { tags: ['full'] }, async () => {
    const path = file('page.csv', ['1003,d,900,115.20,0,20.74,135.94', 'Total,,,115.20,0,20.74,999.99'])
    const page = (...words: string[]) =>
      box.shipx(['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'PAGE', '--yes', ...words])
    const first = await page('--order', 'weight', '--tolerance', '2', '--weight-tolerance', '7%')
    expect(first.exit).toBe(0)
    expect(first.stdout).toContain('Judged with: tolerance ₹2.00, 7% above your weight accepted\n')
    expect(first.stdout).toContain('In this order: whole lines, weight, zone, price, COD, others, GST.')
    expect(first.stdout).toContain('The total in line 3 says ₹999.99, and the lines add up to ₹135.94.')
    const again = await page()
    expect([again.exit, again.stdout]).toEqual([0, first.stdout])
    expect(again.stderr).toContain('! The total in line 3 is not the sum of the lines.')
    expect((await page('--tolerance', '2', '--order', 'weight', '--weight-tolerance', '7%')).stderr).not.toContain('--')
    expect((await page('--tolerance', '3', '--order', 'weight')).stderr).toContain('! shipx ignored --tolerance: ')
    const shown = await box.shipx(['invoices', 'get', 'PAGE'])
    expect(shown.stdout).toBe(first.stdout)
    expect((await box.shipx(['invoices', 'remove', 'PAGE', '--yes'])).exit).toBe(0)
  })

  test('billed before is found; RTO of August in October is not, and is priced alone', async () => {
    const october = file('october.csv', [
      '1001,c,400,40,0,7.20,47.20',
      '1004,c,400,0,40,7.20,47.20',
      '1003,c,400,40,0,7.20,47.20',
    ])
    const { stdout } = await read(october, '--number', 'OCT', '--dry-run')
    expect(lines(stdout)).toMatchObject([
      { category: 'billed_before', verdict: 'over', before: [{ invoice: 'SEP', amount: 47.2 }], expected: 0 },
      { category: 'ok', journey: 'rto', before: [{ invoice: 'SEP', amount: 47.2 }] },
      { category: 'ok', before: [] },
    ])
  })

  test(
    'other content under the number is refused; --replace keeps both, and one of them counts',
    { tags: ['full'] },
    async () => {
      const better = file('better.csv', ['1001,c,400,40,0,7.20,47.20', '1002,c,400,40,0,7.20,47.20'])
      const refused = await read(better, '--number', 'SEP')
      expect([refused.exit, JSON.parse(refused.stderr)]).toMatchObject([5, { error: { code: 'document_differs' } }])
      const { exit, stdout } = await read(better, '--number', 'SEP', '--replace', '--date', '2026-09-16')
      expect([exit, lines(stdout).map(({ category }) => category)]).toEqual([0, ['ok', 'ok']])
      expect(await query('select lines from invoices')).toEqual([{ lines: 2 }])
      const listed = await box.shipx(['invoices', 'list', '--jsonl'])
      expect(lines(listed.stdout)).toMatchObject([{ lines: 2, replaced_at: null }, { lines: 3 }])
    },
  )

  test('a credit in a later document nets, and the parcel may be billed again', { tags: ['full'] }, async () => {
    const credit = file('credit.csv', ['1002,,,-40,0,-7.20,-47.20'])
    expect(lines((await read(credit, '--number', 'CN-1')).stdout)).toMatchObject([{ verdict: 'credit', difference: 0 }])
    const again = file('again.csv', ['1002,c,400,40,0,7.20,47.20'])
    expect(lines((await read(again, '--number', 'NOV', '--dry-run')).stdout)).toMatchObject([{ category: 'ok' }])
    const { stdout } = await box.shipx(['shipments', 'cost', '1002', '--jsonl'])
    expect(lines(stdout)).toMatchObject([
      { invoice: 'SEP', billed: 47.2, net: 47.2, verdict: 'ok' },
      { invoice: 'CN-1', billed: -47.2, net: 0, verdict: 'credit' },
    ])
  })

  test('get, unbilled and remove', { tags: ['full'] }, async () => {
    const one = await box.shipx(['invoices', 'get', 'SEP', '--json'])
    expect(JSON.parse(one.stdout)).toMatchObject({ data: { number: 'SEP', lines: 2, billed: 94.4, reasons: [] } })
    const kept = await box.shipx(['invoices', 'get', 'SEP', '--lines', '--jsonl'])
    expect(lines(kept.stdout).map(({ awb, verdict }) => [awb, verdict])).toEqual([
      ['1001', 'ok'],
      ['1002', 'ok'],
    ])
    const open = await box.shipx(['invoices', 'unbilled', '--since', '2026-08-01', '--jsonl'])
    expect(lines(open.stdout)).toMatchObject([
      { awb: '1003', expected: 40, zone: 'zone_c', weight: 400 },
      { awb: '1004', expected: 80, journey: 'rto' },
    ])
    const misspelt = await box.shipx(['invoices', 'unbilled', '--courier', 'Delivery', '--jsonl'])
    expect([misspelt.exit, misspelt.stdout]).toEqual([2, ''])
    expect(misspelt.stderr).toContain("isn't a courier of this account. Did you mean Delhivery?")
    const near = await box.shipx(['invoices', 'remove', 'SEPP', '--yes'])
    expect([near.exit, near.stderr]).toEqual([3, expect.stringContaining('Did you mean SEP?') as string])
    expect((await box.shipx(['invoices', 'remove', 'SEP', '--dry-run'])).exit).toBe(0)
    expect((await box.shipx(['invoices', 'remove', 'SEP', '--yes'])).exit).toBe(0)
    expect(await query(`select number from invoices where number = 'SEP'`)).toEqual([])
    expect(await query(`select count(*) as n from invoice_lines where invoice = 'SEP'`)).toEqual([{ n: 0 }])
  })

  test('the reasons in SQL add up to the differences', { tags: ['full'] }, async () => {
    const path = file('wrong.csv', ['1003,d,1000,91.20,0,16.42,107.62'])
    expect((await read(path, '--number', 'DEC')).exit).toBe(0)
    expect(
      await query(`select sum(reason_paise) as paise, count(*) as n from invoice_reasons where invoice = 'DEC'`),
    ).toEqual([{ paise: 6042, n: 4 }])
    expect(await query(`select difference_paise as paise from invoice_lines where invoice = 'DEC'`)).toEqual([
      { paise: 6042 },
    ])
  })

  test('a file of several invoices is not kept', { tags: ['full'] }, async () => {
    const path = box.file('several.csv', 'invoice_number,awb,freight\nA,1001,40\nB,1003,40\n')
    const { exit, stderr } = await read(path)
    expect([exit, stderr]).toEqual([2, expect.stringContaining('several invoices: A, B') as string])
    expect(await query(`select number from invoices where number in ('A', 'B')`)).toEqual([])
  })

  test(
    'whole or not at all: killed in the middle it leaves nothing that counts, and the same command keeps it',
    { tags: ['full'] },
    async () => {
      const rows = Array.from({ length: 20_000 }, (_, n) => `9${n},c,400,40,0,7.20,47.20`)
      const path = file('large.csv', rows)
      const words = ['reconcile', 'invoice', path, '--number', 'BIG', '--csv', '--yes', '--force']
      const { child, ended } = box.begin(words)
      child.stdout.once('data', () => child.kill('SIGKILL'))
      await ended
      expect(await query(`select count(*) as n from invoices where number = 'BIG'`)).toEqual([{ n: 0 }])
      expect(await query(`select count(*) as n from invoice_lines where invoice = 'BIG'`)).toEqual([{ n: 0 }])
      expect((await box.shipx(words)).exit).toBe(0)
      expect(await query(`select lines from invoices where number = 'BIG'`)).toEqual([{ lines: 20_000 }])
      expect(await query(`select count(*) as n from invoice_lines where invoice = 'BIG'`)).toEqual([{ n: 20_000 }])
    },
  )
})
