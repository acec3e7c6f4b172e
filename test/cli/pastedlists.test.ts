// Defends lists of parcels as people paste them from a chat: commas, semicolons and spaces between names.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alikeNames, namesIn } from '../../src/cli/listings/pastednames.ts'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

test.each([
  ['A,B', ['A', 'B']],
  [' A , B ;C', ['A', 'B', 'C']],
  ['#1600;1601,', ['#1600', '1601']],
  ['70464500972856 71341793020938', ['70464500972856', '71341793020938']],
  ['COR 1600', ['COR 1600']],
  [' , ', []],
])('the names in %j', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test.each([
  ['70464500972856, 71341793020938 ,72298054471531', 3],
  ['72302655543154 74397937833153', 2],
  ['#1600, #1601', 2],
  ['70464500972856,#1603', undefined],
  ['70464500972856,499', undefined],
  ['name,city', undefined],
  ['"A9,1"', undefined],
  ['70464500972856', undefined],
])('a line of a file without a header, %j, has so many names of one kind: %s', (line, many) => {
  expect(alikeNames(line)?.length).toBe(many)
})

describe('a list pasted from a chat was taken for one name', () => {
  let awbs: readonly string[]
  let orders: readonly string[]
  beforeAll(async () => {
    await box.shipx(['local', 'seed', '--shipments', '500', '--returns', '0', '--stores', '2', '-q'])
    const waiting = [
      'shipments',
      'list',
      '--granular-status',
      'ready_for_pickup,pickup_scheduled,not_picked',
      '--limit',
    ]
    const { stdout } = await box.shipx([...waiting, '3', '--csv', '--fields', 'awb,order', '-q'])
    const rows = stdout.trim().split('\n').slice(1)
    expect(rows).toHaveLength(3)
    awbs = rows.map((row) => row.split(',')[0]!)
    orders = rows.map((row) => row.split(',')[1]!)
  })
  const idsOf = async (args: readonly string[], input?: string) =>
    (await box.shipx([...args, '--ids', '-q'], input === undefined ? {} : { input })).stdout

  test('shipments get, and track, with commas and semicolons', async () => {
    const apart = await idsOf(['shipments', 'get', ...awbs])
    expect(apart.trim().split('\n')).toHaveLength(3)
    expect(await idsOf(['shipments', 'get', awbs.join(',')])).toBe(apart)
    expect(await idsOf(['track', `${awbs[0]},`, `${awbs[1]};${awbs[2]}`])).toBe(apart)
    const one = await box.shipx(['track', `${awbs[0]},`])
    expect([one.exit, one.stdout]).toEqual([0, expect.stringContaining(awbs[0]!)])
  })

  test('shipments get --file, with lines of commas and of spaces', async () => {
    const file = `${awbs[0]}, ${awbs[1]}\n${awbs[2]}\n`
    const apart = await idsOf(['shipments', 'get', ...awbs])
    expect(await idsOf(['shipments', 'get', '--file', '-'], file)).toBe(apart)
    expect(await idsOf(['shipments', 'get', '--file', '-'], awbs.join(' '))).toBe(apart)
  })

  test('orders label', async () => {
    const { stdout, stderr, exit } = await box.shipx(['orders', 'label', orders.join(','), '--out', 'l.pdf'])
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining('3 labels')])
  })

  test('ndr answer', async () => {
    const list = await box.shipx(['shipments', 'ndr', '--limit', 'all', '--csv', '--fields', 'order', '-q'])
    const [first, second] = list.stdout.trim().split('\n').slice(1)
    const args = ['shipments', 'ndr', 'answer', `${first}, ${second}`, '--rto']
    const { stdout, stderr, exit } = await box.shipx(args)
    expect([exit, stdout + stderr]).toEqual([0, expect.stringContaining('2 parcels')])
  })
})
