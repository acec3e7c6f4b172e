// Defends what scripts rely on: a variable that is not set, a database that is not there, errors to branch on.
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderRequest } from '../support/requests.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'

let box: Sandbox
const failure = ({ stderr }: Outcome) =>
  (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: Readonly<Record<string, unknown>> }).error

beforeAll(async () => {
  box = sandbox()
  await box.shipx(['local', 'seed', '--shipments', '40', '--returns', '5', '--yes', '-q'])
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
})
afterAll(() => box.remove())

describe('a variable of a script that is not set', () => {
  test.each([
    ...[
      '--awb',
      '--order',
      '--store',
      '--zone',
      '--search',
      '--city',
      '--state',
      '--pincode',
      '--courier',
      '--sku',
    ].map((flag) => ['shipments', 'list', flag, '']),
    ['shipments', 'list', '--awb', ' , '],
    ['returns', 'list', '--warehouse', ''],
    ['shipments', 'summary', '--by', 'payment', '--store', ''],
    ['shipments', 'stuck', '--courier', ''],
    ['messages', 'list', '--order', ''],
    ['shipments', 'list', '--fields', ''],
    // A store was made with the brand of the current profile, and a database where none was named.
    ...['--profile', '--base-url', '--db', '--database', '--account'].map((flag) => ['stores', 'list', flag, '']),
  ])('was answered with everything: %s %s %s %s', async (...words) => {
    const outcome = await box.shipx([...words, '--json'])
    expect([outcome.exit, outcome.stdout]).toEqual([2, ''])
    expect(failure(outcome)['message']).toContain('is empty; give a value, or leave the flag out')
  })

  test('is no fault where an order may leave the field out', async () => {
    box.file('order.json', JSON.stringify(orderRequest({ order_id: 'UNSET-1', warehouse_id: 'WH1' })))
    const words = ['orders', 'create', '--file', 'order.json', '--tags', '', '--yes', '--json']
    expect((await box.shipx(words)).exit).toBe(0)
  })
})

describe('a database that is named and is not there', () => {
  test.each([
    ['shipments', 'list'],
    ['shipments', 'summary'],
    ['stores', 'list'],
    ['report', '--out', 'empty.html'],
    ['ratecard', 'list'],
    ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid'],
  ])('read as an empty one: %s %s', async (...words) => {
    const outcome = await box.shipx([...words, '--db', 'typo.sqlite'])
    expect([outcome.exit, outcome.stdout]).toEqual([3, ''])
    expect(outcome.stderr).toContain('there is no database at typo.sqlite, which --db names')
    expect(existsSync(join(box.folder, 'typo.sqlite'))).toBe(false)
  })

  test('also by SHIPX_DB; the usual one, which is not there yet, still reads as empty', async () => {
    const named = await box.shipx(['shipments', 'list', '--json'], { env: { SHIPX_DB: 'typo.sqlite' } })
    expect([named.exit, failure(named)['code']]).toEqual([3, 'not_found'])
    const fresh = sandbox()
    expect(await fresh.shipx(['shipments', 'list', '--ids'])).toMatchObject({ exit: 0, stdout: '' })
    fresh.remove()
  })
})

describe('amounts of an order', () => {
  const create = (over: Parameters<typeof orderRequest>[0]) => {
    box.file('order.json', JSON.stringify(orderRequest({ warehouse_id: 'WH1', ...over })))
    return box.shipx(['orders', 'create', '--file', 'order.json', '--yes', '--json'])
  }

  test('of three decimals were kept as they came, and sums in paise said another amount', async () => {
    const outcome = await create({ order_id: 'FINE-1', sub_total: 1499.999 })
    expect([outcome.exit, failure(outcome)['message']]).toEqual([
      2,
      expect.stringContaining('sub_total: has more than two decimals; write for example 1499.50'),
    ])
  })

  test('with what a sum of floating-point numbers lacks are taken to the paisa', async () => {
    expect(
      (
        await create({
          order_id: 'FINE-2',
          payment_method: 'COD',
          sub_total: 1498.9999999999998,
          cod_collectible: 1000.1000000000001,
        })
      ).exit,
    ).toBe(0)
    const { stdout } = await box.shipx([
      'shipments',
      'list',
      '--order',
      'FINE-2',
      '--csv',
      '--fields',
      'total_price,cod',
    ])
    expect(stdout.split('\n')[1]).toBe('1499,1000.1')
  })
})

test('the rules of the business named the field of the API, not the flag', async () => {
  box.file('order.json', JSON.stringify(orderRequest({ order_id: 'FLAG-1', warehouse_id: 'WH1' })))
  const outcome = await box.shipx(['orders', 'create', '--file', 'order.json', '--store', 'nostore', '--yes', '--json'])
  expect(failure(outcome)['details']).toMatchObject([{ field: '--store' }])
})
