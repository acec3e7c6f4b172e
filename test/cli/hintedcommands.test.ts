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

test('a hinted command about a rate card with a space in its name did not run', async () => {
  const box = sandbox()
  const wrote = await box.shipx(['ratecard', 'template', '--out', 'my contract.csv'])
  expect(wrote.stderr).toContain(`then: shipx ratecard import 'my contract.csv' --use`)
  const sample = (await box.shipx(['ratecard', 'export', 'sample', '--json'])).stdout
  const card = { ...(JSON.parse(sample) as object), name: 'My contract' }
  const { stderr } = await box.shipx(['ratecard', 'import', box.file('card.json', JSON.stringify(card))])
  const [, hint] = /Quote with it: (shipx .*)\n/.exec(stderr) ?? []
  expect(hint).toBe(`shipx ratecard use 'My contract'`)
  expect(await box.bash(hint!)).toMatchObject({ exit: 0 })
  box.remove()
})
