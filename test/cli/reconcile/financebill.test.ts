// What a finance person stumbled over in bills as couriers send them, each found wrong once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, prepare, reasonsOf, reconciled, shipment, type Line } from './invoices.ts'

const fuel = [{ name: 'Fuel', percent: 14 }]
const box = sandbox()
afterAll(() => box.remove())
const awbs = Array.from({ length: 12 }, (_, n) => String(30_001 + n))
beforeAll(() =>
  prepare(
    box,
    awbs.map((awb) => shipment(awb)),
    contract({}, { surcharges: fuel }),
  ),
)

const keep = async (number: string, courier: string, rows: readonly string[], ...more: readonly string[]) => {
  const words = ['reconcile', 'invoice', box.file(`${number}.csv`, rows.join('\n')), '--number', number]
  const { exit, stderr } = await box.shipx([...words, '--courier', courier, '--yes', ...more])
  expect([number, exit, stderr]).toEqual([number, 0, expect.any(String)])
  return stderr
}
const judged = async (rows: readonly string[], ...more: readonly string[]) => {
  const { lines, exit, stderr } = await reconciled(box, rows.join('\n'), ['--courier', 'Delhivery', ...more])
  expect([exit, stderr]).toEqual([0, expect.any(String)])
  return { lines, stderr }
}
const mail = async (rows: readonly string[]): Promise<string> => {
  const path = box.file('mail.csv', rows.join('\n'))
  const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--dry-run', '--mail', '-q']
  return (await box.shipx(words)).stdout
}

test('a fuel rate of half a percent more vanished as rounding, and its pattern counted some lines', async () => {
  // 14.5 % of 40 rupees is 20 paise more than 14 %.
  const rows = ['awb,zone,freight,fuel', ...awbs.map((awb) => `${awb},c,40,5.80`)]
  const { lines } = await judged(rows)
  expect(lines.map(({ verdict, category }) => `${verdict} ${category}`)).toEqual(awbs.map(() => 'ok rounding'))
  const said = '12 of 12 fuel charges are 14.5 % of the freight; the card says 14 %: ₹2.40'
  expect(await mail(rows)).toContain(said)
  // Half of the lines are above the tolerance for another reason.
  const mixed = [
    'awb,zone,freight,fuel',
    ...awbs.map((awb, n) => (n % 2 === 0 ? `${awb},c,40,5.80` : `${awb},c,60,8.70`)),
  ]
  expect(await mail(mixed)).toContain('12 of 12 fuel charges are 14.5 % of the freight; the card says 14 %: ₹3.00')
})

test('a footnote below the total was a line and a parcel', async () => {
  const rows = ['awb,zone,freight,fuel,total', `${awbs[0]},c,40,5.60,45.60`, 'Total,,40,5.60,45.60']
  const notes = ['E. & O.E. subject to Mumbai jurisdiction,,,,', ',,,,For Delhivery']
  const { lines } = await judged([...rows, ...notes])
  const path = box.file('notes.csv', [...rows, ...notes].join('\n'))
  const { stderr } = await box.shipx(['reconcile', 'invoice', path, '--courier', 'Delhivery', '--dry-run'])
  expect(lines.map(({ awb }) => awb)).toEqual([awbs[0]])
  expect(stderr).toContain('Left out 2 notes that bill nothing (lines 4, 5).')
  // Without a total too, and an AWB without an amount stays a line.
  const open = [...rows.slice(0, 2), 'E. & O.E. subject to Mumbai jurisdiction,,,,', `${awbs[1]},,,,`].join('\n')
  const { lines: left, exit } = await reconciled(box, open, ['--courier', 'Delhivery'])
  expect([exit, left.map(({ awb, verdict }) => [awb, verdict])]).toEqual([
    7,
    [
      [awbs[0], 'ok'],
      [awbs[1], 'unknown'],
    ],
  ])
})

test('a total that is not the sum of the lines was not in the mail, the report and the list', async () => {
  const rows = ['awb,zone,freight,fuel,total', `${awbs[0]},c,40,5.60,45.60`, 'Total,,40,5.60,545.60']
  expect(await mail(rows)).toContain(
    'The total in line 3 of your file is ₹545.60, ₹500.00 more than the sum of its lines, ₹45.60.',
  )
  await keep('FOOT', 'Delhivery', rows, '--date', '2026-10-01')
  const data = async (...words: readonly string[]) =>
    (JSON.parse((await box.shipx([...words, '--json'])).stdout) as { data: unknown }).data
  const wrong = { number: 'FOOT', wrong_totals: [{ line: 3, printed: 545.6, sum: 45.6 }] }
  expect(await data('invoices', 'list')).toMatchObject([wrong])
  expect(await data('report', '--month', '2026-09')).toMatchObject({
    money: {
      invoices: { rows: [wrong] },
      findings: expect.arrayContaining([
        'The total of an invoice is not the sum of its lines: FOOT says ₹546, and its lines add up to ₹46.',
      ]) as unknown,
    },
  })
  expect((await box.shipx(['invoices', 'remove', 'FOOT', '--yes'])).exit).toBe(0)
})

test('a line of the right courier was billed before by a courier that never had the parcel', async () => {
  const [awb, other] = [awbs[2]!, awbs[3]!]
  await keep('BD-1', 'Blue Dart', ['awb,zone,freight,fuel', `${awb},c,40,5.60`], '--date', '2026-10-01', '--force')
  const unbilled = await box.shipx(['invoices', 'unbilled', '--ids'])
  expect(unbilled.stdout.split('\n')).toContain(awb)
  const right = ['awb,zone,freight,fuel', `${awb},c,40,5.60`, `${other},c,40,5.60`]
  const { lines } = await judged(right)
  expect(lines.map((one) => [one.verdict, one.category, one['before']])).toEqual([
    ['ok', 'ok', [{ invoice: 'BD-1', amount: 45.6 }]],
    ['ok', 'ok', []],
  ])
  // The wrong one is still wrong, and its credit finds its own line.
  const wrong = await box.shipx(['invoices', 'get', 'BD-1', '--lines', '--json'])
  expect((JSON.parse(wrong.stdout) as { data: Line[] }).data.map(reasonsOf)).toEqual([{ other_courier: 45.6 }])
  await keep('DL-1', 'Delhivery', right, '--date', '2026-10-02')
  const note = box.file('cn.csv', `awb,freight,fuel\n${awb},-40,-5.60`)
  const more = ['--dry-run', '--jsonl', '--courier', 'Blue Dart', '--force']
  const credit = await box.shipx(['reconcile', 'invoice', note, ...more])
  expect(JSON.parse(credit.stdout)).toMatchObject({ verdict: 'credit' })
  // Its own courier bills it a second time.
  const again = await judged([right[0]!, right[1]!], '--force')
  expect(again.lines.map(({ category }) => category)).toEqual(['billed_before'])
})

test.each(['20-Nov-26', '20-Nov-2026', '20/11/2026', '20 November 2026'])('--date %s was refused', async (day) => {
  const rows = ['awb,zone,freight,fuel', `${awbs[4]},c,40,5.60`]
  await keep('DAY', 'Delhivery', rows, '--date', day)
  const { stdout } = await box.shipx(['invoices', 'list', '--jsonl'])
  expect(stdout).toContain('"number":"DAY","state":"kept","courier":"Delhivery","day":"2026-11-20"')
  expect((await box.shipx(['invoices', 'remove', 'DAY', '--yes'])).exit).toBe(0)
})

test('a weight and a number of a parcel were offered as charges that --ignore leaves out', async () => {
  const rows = ['awb,zone,freight,fuel,total,Wt Chgd,Child Docket,Green cess']
  for (const awb of awbs) rows.push(`${awb},c,40,5.60,49.60,0.5,${awb}.5,4.00`)
  const refused = await reconciled(box, rows.join('\n'), ['--courier', 'Delhivery', '--unit', 'kg'])
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('"unread_amounts"')])
  expect(refused.stderr).toContain("--map 'Green cess=other'")
  expect(refused.stderr).not.toMatch(/(?:map|ignore) '?(?:Wt Chgd|Child Docket)/)
  const { lines } = await judged(rows, '--unit', 'kg', '--map', 'Green cess=other')
  expect(lines[0]!['weight_billed']).toBe(500)
})
