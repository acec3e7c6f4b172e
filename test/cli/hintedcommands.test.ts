// Defends commands in hints: each runs as it stands.
import { expect, test } from 'vitest'
import { sandbox } from '../support/sandbox.ts'

test('the hint after an answer to a failed delivery lacked --out and did not run', async () => {
  const box = sandbox()
  const ok = async (...words: readonly string[]) => {
    const outcome = await box.shipx(words)
    expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, outcome.stderr])
    return outcome
  }
  await ok('local', 'seed', '--shipments', '200')
  const awb = (await ok('shipments', 'ndr', '--ids', '--limit', '1')).stdout.trim()
  const { stderr } = await ok('shipments', 'ndr', 'answer', awb, '--reattempt', 'tomorrow')
  const [, hint] = /For its sheet: (shipx .*)\n/.exec(stderr)!
  const sheets = await box.bash(hint!)
  expect([sheets.exit, sheets.stderr]).toEqual([0, expect.stringContaining('phones are whole in this sheet')])
  box.remove()
})

test('the hint after a template did not run where its file has a space in its name', async () => {
  const box = sandbox()
  const { exit, stderr } = await box.shipx(['ratecard', 'template', '--out', 'my contract.csv'])
  expect([exit, stderr]).toEqual([0, expect.stringContaining(`then: shipx ratecard import 'my contract.csv' --use`)])
  box.remove()
})
