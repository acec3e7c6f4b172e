// Defends --courier of the lists about money: it takes an id, a code or part of a name as the other lists do, and a
// courier that nobody has is refused. An empty list in its place lets a claim lapse.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox, type Outcome } from '../../support/sandbox.ts'
import { contract, prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const run = (line: string): Promise<Outcome> =>
  box.shipx(line.split(' '), { env: { NO_COLOR: '1', SHIPX_NOW: '2026-10-03T06:30:00Z' } })

beforeAll(async () => {
  const blue = { carrier_id: 'BLU', carrier_name: 'Blue Dart' }
  await prepare(
    box,
    [shipment('1001'), shipment('1002'), shipment('1003', { ...blue, is_cod: true, cod_amount: 500 })],
    contract(),
  )
  const bill = box.file(
    'SEP.csv',
    'awb,order,zone,weight_g,freight,rto,gst,total\n1001,A-1001,c,900,70,0,12.60,82.60\n',
  )
  const keep = `reconcile invoice ${bill} --courier Delhivery --number SEP --date 2026-10-03 --yes -q`
  expect(await run(keep)).toMatchObject({ exit: 0 })
  expect(await run('disputes create -q')).toMatchObject({ exit: 0 })
})

test.each([
  ['disputes list', '1001'],
  ['disputes export', '1001'],
  ['disputes create --dry-run', '"create":[]'],
  ['invoices list', 'SEP'],
  ['invoices get SEP', '1 line'],
  ['invoices unbilled', '1002'],
])('%s finds a courier by part of its name, in any case, by its code and its id', async (command, found) => {
  for (const word of ['delhi', 'DELHIVERY', ...(command.includes('get') ? [] : ['dlv', 'DLV'])]) {
    const { exit, stdout, stderr } = await run(`${command} --courier ${word}`)
    expect([word, exit, `${stdout}${stderr}`]).toEqual([word, 0, expect.stringContaining(found)])
  }
})

test.each(['disputes list', 'disputes export', 'disputes create', 'invoices list', 'invoices unbilled', 'cod due'])(
  '%s refuses a courier that nobody has, with the nearest and a list',
  async (command) => {
    const far = await run(`${command} --courier nobody`)
    expect([far.exit, far.stdout, far.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^✗ --courier: "nobody" isn't a courier of this account\.\n  One of: Blue Dart, Delhivery/),
    ])
    const near = await run(`${command} --courier delivery`)
    expect([near.exit, near.stderr]).toEqual([2, expect.stringContaining('Did you mean Delhivery?')])
  },
)

test('a courier that has none in the list is no fault, and the note names it', async () => {
  for (const [command, note] of [
    ['disputes list', 'No disputes with Blue Dart are open.'],
    ['disputes export', 'No dispute with Blue Dart waits to be raised: shipx disputes list'],
    ['invoices list', 'No invoices of Blue Dart.'],
    ['cod due --courier delhivery', 'Delhivery: no delivered COD parcel is unpaid.'],
  ] as const) {
    const { exit, stdout, stderr } = await run(command.includes('--courier') ? command : `${command} --courier dart`)
    expect([exit, stdout, stderr]).toEqual([0, '', `${note}\n`])
  }
  expect((await run('cod due --courier dart')).stdout).toContain('Blue Dart')
})

test('the sheet of disputes on 80 columns shows the amount and the reason', async () => {
  const env = { SHIPX_FORCE_TTY: '80', NO_COLOR: '1', SHIPX_NOW: '2026-10-03T06:30:00Z' }
  const { stdout } = await box.shipx('disputes export --courier delhi'.split(' '), { env })
  expect(stdout).toMatch(/^WAYBILL NUM .*DISPUTED AMOUNT +REASON/)
})

test('an invoice that another courier sent is named as such', async () => {
  const { exit, stderr } = await run('invoices get SEP --courier dart')
  expect([exit, stderr]).toEqual([
    3,
    expect.stringContaining('there is no invoice SEP of "dart"; there is one of Delhivery'),
  ])
})

test('without invoices the list of disputes hints at reading one', async () => {
  const empty = sandbox()
  const { exit, stderr } = await empty.shipx(['disputes', 'list'])
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('No disputes are open. They come from invoices: shipx reconcile invoice <file>\n'),
  ])
  empty.remove()
})

test('a sheet of disputes goes to one courier: a part of several names is refused', async () => {
  const bill = box.file('BD.csv', 'awb,order,zone,weight_g,freight,rto,gst,total\n1003,A-1003,c,900,90,0,16.2,106.2\n')
  await run(`reconcile invoice ${bill} --courier dart --number BD --date 2026-10-03 --yes -q`)
  expect(await run('disputes create -q')).toMatchObject({ exit: 0 })
  const { exit, stderr } = await run('disputes export --courier l')
  expect([exit, stderr]).toEqual([2, '✗ --courier: "l" is part of several names: Blue Dart, Delhivery\n'])
})
