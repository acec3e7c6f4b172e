// Bills that are removed, replaced and read again, each found wrong once by a finance person: of the bills of a parcel,
// the later ones claim.
// @module-tag full: an import and two dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { keptBill, prepare, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    Array.from({ length: 12 }, (_, n) => shipment(String(4001 + n))),
  ),
)

/** The rows of a bill; no two bills have one content. */
const rowsOf = (number: string, awbs: readonly string[]): readonly string[] => [
  'AWB,Order No,Zone,Weight (kg),Freight,Total',
  ...awbs.map((awb) => `${awb},in ${number},c,0.4,40,40`),
]
const keep = (number: string, awbs: readonly string[], more: readonly string[] = []): Promise<readonly Line[]> =>
  keptBill(box, number, rowsOf(number, awbs), ['--force', ...more])
const run = async (...words: readonly string[]) => {
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return { stdout, stderr }
}
const linesOf = async (number: string) => {
  const { stdout } = await run('invoices', 'get', number, '--lines', '--json')
  return (JSON.parse(stdout) as { data: readonly Line[] }).data.map(({ awb, verdict, category }) => [
    awb,
    verdict,
    category,
  ])
}
/** What each of some invoices bills too much, as the list has it. */
const overIn = async (...numbers: readonly string[]) => {
  const { data } = JSON.parse((await run('invoices', 'list', '--json')).stdout) as {
    data: readonly { number: string; state: string; over: number; unknown_lines: number }[]
  }
  return numbers.map((number) => {
    const { over, unknown_lines: unknown } = data.find((one) => one.number === number && one.state === 'kept')!
    return [number, over, unknown]
  })
}
const claimed = async (...numbers: readonly string[]) => {
  for (const number of numbers) await run('disputes', 'create', '--from', 'invoice', number)
  const { data } = JSON.parse((await run('disputes', 'list', '--limit', 'all', '--json')).stdout) as {
    data: readonly { invoice: string; awb: string; amount: number }[]
  }
  return data.filter(({ invoice }) => numbers.includes(invoice)).map((one) => [one.invoice, one.awb, one.amount])
}

test('a bill that was removed and read again and the later one claimed each other', async () => {
  await keep('S1', ['4001', '4002'])
  await keep('O1', ['4001'])
  const { stderr } = await run('invoices', 'remove', 'S1', '--yes')
  expect(stderr).toContain(
    "Invoice O1: 1 line was billed before in what is gone, and cannot be judged; judge it anew: shipx reconcile invoice '<file of O1>' --replace",
  )
  expect(await linesOf('O1')).toEqual([['4001', 'unknown', 'unknown']])
  expect(await overIn('O1')).toEqual([['O1', 0, 1]])
  expect((await keep('S1', ['4001', '4002'])).map(({ verdict }) => verdict)).toEqual(['ok', 'ok'])
  expect(await linesOf('O1')).toEqual([['4001', 'over', 'billed_before']])
  expect(await overIn('S1', 'O1')).toEqual([
    ['S1', 0, 0],
    ['O1', 40, 0],
  ])
  expect(await claimed('S1', 'O1')).toEqual([['O1', '4001', 40]])
})

test('a later bill claimed a parcel that the bill before no longer has after it was replaced', async () => {
  await keep('S2', ['4003', '4004'])
  await keep('O2', ['4003', '4004'])
  await keep('S2', ['4004'], ['--replace'])
  expect(await linesOf('O2')).toEqual([
    ['4003', 'unknown', 'unknown'],
    ['4004', 'over', 'billed_before'],
  ])
  expect(await claimed('S2', 'O2')).toEqual([['O2', '4004', 40]])
  // Its own file says what is due.
  await keep('O2', ['4003', '4004'], ['--replace'])
  expect(await linesOf('O2')).toEqual([
    ['4003', 'ok', 'ok'],
    ['4004', 'over', 'billed_before'],
  ])
})

test('of three bills of a parcel the later ones claim, whichever is removed and read again', async () => {
  const numbers = ['S3', 'O3', 'N3']
  for (const number of numbers) await keep(number, ['4005'])
  const late = [
    ['S3', 0, 0],
    ['O3', 40, 0],
    ['N3', 40, 0],
  ]
  expect(await overIn(...numbers)).toEqual(late)
  for (const number of numbers) {
    await run('invoices', 'remove', number, '--yes')
    await keep(number, ['4005'])
    expect([number, await overIn(...numbers)]).toEqual([number, late])
  }
  // All but the last are gone, and come in another order.
  await run('invoices', 'remove', 'S3', '--yes')
  await run('invoices', 'remove', 'O3', '--yes')
  expect(await overIn('N3')).toEqual([['N3', 0, 1]])
  await keep('O3', ['4005'])
  await keep('S3', ['4005'])
  expect(await overIn(...numbers)).toEqual([
    ['S3', 40, 0],
    ['O3', 0, 0],
    ['N3', 40, 0],
  ])
})

test('a bill that takes the place of one under another number keeps what later bills found there', async () => {
  await keep('S4', ['4006'])
  await keep('O4', ['4006'])
  const again = await keptBill(box, 'S4B', rowsOf('S4', ['4006']), ['--replace', '--force'])
  expect(again.map(({ verdict }) => verdict)).toEqual(['ok'])
  expect(await overIn('S4B', 'O4')).toEqual([
    ['S4B', 0, 0],
    ['O4', 40, 0],
  ])
})
