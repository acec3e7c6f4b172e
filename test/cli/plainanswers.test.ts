// Defends answers to small mistakes: each says what to type instead.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys, shipxOn } from '../support/pty.ts'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
const said = async (...words: readonly string[]): Promise<readonly [unknown, string]> => {
  const { exit, stdout, stderr } = await box.shipx(words, { env: { SHIPX_NOW: '2026-11-27T06:30:00Z' } })
  return [exit, stdout + stderr]
}
beforeAll(() => said('local', 'seed', '--shipments', '60', '-q'))
afterAll(() => box.remove())

test.each<[string, readonly string[], string]>([
  ['a pincode in two words', ['pincode', '110', '001'], '✗ "110 001" is two words; write 110001\n'],
  [
    'a month as a day',
    ['shipments', 'list', '--since', 'last month'],
    '✗ --since: "last month" is a month: write --month 2026-10 for all of it, or a day, for example 2026-10-01\n',
  ],
  [
    'a month as the last day',
    ['shipments', 'list', '--until', 'October'],
    '✗ --until: "October" is a month: write --month 2026-10 for all of it, or a day, for example 2026-10-31\n',
  ],
])('%s', async (_, words, text) => {
  const [exit, out] = await said(...words)
  expect([exit, out]).toEqual([2, expect.stringContaining(text)])
})

test('an unknown courier is answered with names, and ids behind them', async () => {
  const [exit, out] = await said('shipments', 'list', '--courier', 'blue line')
  expect([exit, out]).toEqual([2, expect.stringMatching(/Did you mean BlueLine Surface \(\w+\)\?/)])
})

test('a name in other capitals proposes the one record, and no id that contains it', async () => {
  const { stdout } = await box.shipx(['shipments', 'list', '--all', '--fields', 'order', '--jsonl'])
  const [name = ''] = /(?<="display_id":")[A-Z]{3}-\d+/.exec(stdout) ?? []
  const [exit, out] = await said('track', name.toLowerCase())
  expect([exit, out]).toEqual([3, expect.stringContaining(`; did you mean ${name}?\n`)])
})

test('a list of cards says yes and no', async () => {
  const { stdout } = await box.shipx(['ratecard', 'list'], { env: { SHIPX_FORCE_TTY: '100', NO_COLOR: '1' } })
  expect(stdout).toMatch(/^sample +yes /m)
})

test('a bare Enter at an amount asks for one, and does not quote nothing', async () => {
  const terminal = shipxOn(box, 'rates --from 400001 --to 560001 -w 500g -s 10x10x10'.split(' '))
  await terminal.shows('? Payment')
  terminal.type(`${keys.down}${keys.enter}`)
  await terminal.shows('? Value of the parcel in rupees')
  terminal.type(keys.enter)
  await terminal.shows('✗ write an amount in rupees, for example 1499')
  terminal.kill()
})

test('a watch on a narrow window names the columns that it has no room for', async () => {
  const terminal = shipxOn(box, ['shipments', 'watch', '--every', '1m'], { columns: 60 })
  await terminal.shows(/hidden: .*store.* \(--wide\)/)
  terminal.type(keys.interrupt)
  expect(await terminal.ended()).toBe(0)
})
