// Rows that a later line of their file proves wrong: they are bad before the question, in a dry run and at the end alike.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { summaryOf } from '../../support/imports.ts'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
})
afterAll(() => box.remove())

const header =
  'Order Id,Customer name,Customer mobile no,Address line 1,Customer pincode,Payment method,Product SKU Id,' +
  'Product quantity,Product price,Weight (gms),LxBxH (cm),Store'
const line = (id: string, pieces = '1', store = ''): string =>
  `${id},Asha Rao,9812345678,12 MG Road,560001,Prepaid,G,${pieces},500,500,20x15x10,${store}\n`
const imported = (file: string, ...more: readonly string[]): Promise<Outcome> =>
  box.shipx(['orders', 'import', file, '--warehouse', 'WH1', ...more])

test('a dry run counted an order as new whose later line makes it fail, and its price', async () => {
  box.file('d.csv', `${header}\n${line('D-1')}${line('D-2')}${line('D-1')}`)
  box.file('one.csv', `${header}\n${line('D-2')}`)
  const dry = await imported('d.csv', '--dry-run', '--json')
  expect([dry.exit, JSON.parse(dry.stdout)]).toMatchObject([7, { dry_run: { create: 1, bad: 2 } }])
  const env = { SHIPX_FORCE_TTY: '200', NO_COLOR: '1' }
  const sentence = async (file: string): Promise<string | undefined> =>
    /Would create 1 order on this computer, about \S+ before GST/.exec(
      (({ stdout, stderr }) => stdout + stderr)(
        await box.shipx(['orders', 'import', file, '--warehouse', 'WH1', '--dry-run'], { env }),
      ),
    )?.[0]
  expect(await sentence('d.csv')).toMatch(/about ₹[1-9]/)
  expect(await sentence('d.csv')).toBe(await sentence('one.csv'))
  const real = await imported('d.csv', '--yes', '--json')
  expect([real.exit, summaryOf(real)]).toMatchObject([7, { created: 1, failed: 2 }])
})

test('the bad rows before an import were not those of its end', async () => {
  box.file('g4.csv', `${header}\n${line('Q-1')}${line('Q-2', '1', 'gone')}${line('Q-3', '1 pc')}${line('Q-1')}`)
  const { exit, stderr } = await imported('g4.csv', '--yes')
  expect(exit).toBe(2)
  expect(stderr).toMatch(/^! 4 bad rows\n {2}line 2: .*\n {2}line 3: .*\n {2}line 4: .*\n {2}line 5: /m)
  expect(stderr).toMatch(/4 failed\n +4 {2}bad rows \(found before sending\)\n {2}Failed rows/)
  const again = summaryOf(await imported('g4.csv', '--yes', '--json'))
  expect(again.reasons.map(({ code, message, count }) => [code, message, count])).toEqual([
    ['invalid_input', 'wrong values or lines (found before sending)', 3],
    ['unknown_store', expect.any(String), 1],
  ])
})
