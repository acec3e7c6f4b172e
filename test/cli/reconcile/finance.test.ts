// What a finance person stumbled over with a courier's bill in its own form, each found wrong once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    shipment('2001'),
    shipment('2002'),
    shipment('2003', { status: 'cancelled', picked_up: null }),
    shipment('2004'),
  ]),
)

const bill = [
  'DECCAN PARCEL LOGISTICS',
  'Sl,Docket Nr,Sector,Chg Wt (kg),Frt,Taxable,Levy @18%,Net Amt',
  '1,2001,c,0.4,40,40,7.20,47.20',
  '2,2002,d,0.4,45.40,45.40,8.17,53.57',
  '3,2003,c,0.4,40,40,7.20,47.20',
  ',,,,,,Total,147.97',
].join('\n')
const maps = 'Docket Nr=awb|Sector=zone|Chg Wt (kg)=weight_kg|Frt=freight|Taxable=gross|Levy @18%=gst|Net Amt=total'
  .split('|')
  .flatMap((map) => ['--map', map])
const terminal = { SHIPX_FORCE_TTY: '160', NO_COLOR: '1' }
const read = (...more: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', box.file('bill.csv', bill), '--dry-run', '--courier', 'Delhivery', ...more])

test('a bill of which half was read gave a wrong answer in silence', { tags: ['full'] }, async () => {
  const half = ['--map', 'Docket Nr=awb', '--map', 'Frt=freight', '--jsonl']
  const refused = await read(...half)
  expect([refused.exit, refused.stdout, refused.stderr]).toEqual([2, '', expect.stringContaining('"unread_amounts"')])
  expect(refused.stderr).toContain("--map 'Levy @18%=gst'")
  const forced = await read(...half, '--force')
  expect([forced.exit, forced.stderr]).toEqual([
    0,
    expect.stringMatching(/Not read: Levy @18% \(an amount\?\), Sl, Sector\. Name them with --map/),
  ])
  const whole = await read(...maps, '--ignore', 'Sl', '--jsonl')
  expect([whole.exit, whole.stderr]).toEqual([0, expect.not.stringContaining('Not read')])
})

test('reconcile formats --check refused the maps that the file needs', { tags: ['full'] }, async () => {
  const words = ['reconcile', 'formats', '--check', box.file('bill.csv', bill)]
  expect((await box.shipx(words)).exit).toBe(2)
  const { exit, stdout } = await box.shipx([...words, ...maps])
  expect([exit, stdout]).toEqual([0, expect.stringContaining('Docket Nr\tawb\n')])
  expect((await box.shipx(['reconcile', 'formats', '--map', 'a=awb'])).stderr).toMatch(/--map: goes with --check/)
  expect((await box.shipx(['reconcile', 'formats', 'generic'])).stdout).toContain('weight_kg\tweight\n')
})

test('--only over printed the same page on a terminal: it lists the lines', { tags: ['full'] }, async () => {
  const { stdout } = await box.shipx(
    [
      'reconcile',
      'invoice',
      box.file('bill.csv', bill),
      '--dry-run',
      '--courier',
      'Delhivery',
      '--only',
      'over',
      ...maps,
    ],
    { env: terminal },
  )
  expect(stdout).toMatch(/^LINE +AWB +.*REASON.*WHY\n +4 +2002 /m)
  expect(stdout).toMatch(/2002 .*zone .*zone d in place of c \+5\.40/)
  expect(stdout).not.toMatch(/^ *\d+ +2001 /m)
})

test('the sheet for the desk was records for programs: it has reasons in words', { tags: ['full'] }, async () => {
  const { stdout } = await read('--only', 'over', '--excel', ...maps)
  const [head, first] = stdout.slice(1).split(/\r?\n/)
  expect(head).toBe(
    'Line,AWB,Order,Courier,Picked up,Zone billed,Zone,Kg billed,Kg,Billed,Due,Difference,Reason,Why,Proof,Verdict',
  )
  expect(first).toContain('Zone D,Zone C,0.4,0.4,53.57,47.2,6.37,zone,')
  expect(first).toContain('zone d in place of c +5.40; GST on the differences +0.97')
})

test(
  '--explain showed the difference and not what was billed; a parcel never picked up had a day',
  { tags: ['full'] },
  async () => {
    const { stdout } = await read('--explain', '2002', ...maps)
    expect(stdout).toContain('  lane     from 400001 to Karnataka\n  parts    freight')
    const record = (await read('--only', 'over', '--jsonl', ...maps)).stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { awb: string; picked_up: string | null; category: string })
      .find(({ awb }) => awb === '2003')
    expect(record).toMatchObject({ category: 'not_shipped', picked_up: null })
  },
)

test('a bill that names no courier was read as any courier without a word', { tags: ['full'] }, async () => {
  const path = box.file('bill.csv', bill)
  const { stderr } = await box.shipx(['reconcile', 'invoice', path, '--dry-run', ...maps])
  expect(stderr).toContain('The file names no courier. All parcels went with Delhivery: it counts as theirs.')
  expect((await read('--jsonl', ...maps)).stderr).not.toContain('names no courier')
})

test('kilograms of the sheet for the desk had 17 digits', { tags: ['full'] }, async () => {
  const heavy = bill.replace('2001,c,0.4', '2001,c,1.149').replace('2002,d,0.4', '2002,d,0.57')
  const words = ['reconcile', 'invoice', box.file('heavy.csv', heavy), '--dry-run', '--courier', 'Delhivery', '--excel']
  const { stdout } = await box.shipx([...words, ...maps])
  expect(stdout).not.toMatch(/\d\.\d{6}/)
  expect(stdout).toContain('1.149')
})

test('a misspelt courier was "nothing owed"', async () => {
  const words = ['invoices', 'unbilled', '--courier', 'delhivary', '--jsonl']
  const { exit, stdout, stderr } = await box.shipx(words)
  expect([exit, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringContaining("isn't a courier of this account. Did you mean Delhivery?"),
  ])
  const right = await box.shipx(['invoices', 'unbilled', '--courier', 'delhivery'])
  expect(right.stderr).toMatch(/No invoice bills 3 parcels; by the card ₹?[\d.,]+ before GST\./)
})

test('GST was missing among the reasons of the mail and of the page', { tags: ['full'] }, async () => {
  const mail = await read('--mail', ...maps)
  expect(mail.stdout).toMatch(
    /By reason, before GST:\n- not shipped: 1 line, .*40\.00\n- zone: 1 line, .*5\.40\n- GST on these: .*8\.17/,
  )
  const page = await read('--out', 'gst.html', '--force', ...maps)
  expect(page.exit).toBe(0)
  expect(readFileSync(join(box.folder, 'gst.html'), 'utf8').replace(/<[^>]+>/g, ' ')).toMatch(
    /GST on (these|the differences)/i,
  )
})
