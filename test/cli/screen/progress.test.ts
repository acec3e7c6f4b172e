// Progress ends when its work ends, whatever is still being loaded, and says what is true.
import { Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../../src/cli/command/context.ts'
import { progress } from '../../../src/cli/output/progress.ts'
import { sandbox } from '../../support/sandbox.ts'
import { shipxOn } from '../../support/pty.ts'

const box = sandbox()
afterAll(() => box.remove())

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test(
  'a spinner that is still loading when the work ends does not start and keep the process alive',
  { tags: ['full'] },
  async () => {
    let written = ''
    const stream = Object.assign(
      new Writable({
        write: (chunk: Buffer, _, next) => {
          written += chunk.toString()
          next()
        },
      }),
      { isTTY: true, columns: 80, cursorTo: () => true, clearLine: () => true, moveCursor: () => true },
    )
    const context = {
      io: { stderr: { tty: true, width: 80, height: 24, stream, write: async () => undefined }, env: {} },
      flags: new Map(),
      screen: { ascii: true },
    } as unknown as Context
    const bar = await progress(context, 'Working', undefined)
    await pause(600)
    const [first, second] = [bar.advance(1), bar.advance(1)]
    await bar.end()
    await Promise.all([first, second, bar.advance(1)])
    const before = written
    await pause(400)
    expect(written).toBe(before)
  },
)

test('shipx sql names what it waits for, not a count of rows that stays 0', { tags: ['full'] }, async () => {
  await box.shipx(['local', 'seed', '--shipments', '10'])
  const endless = 'with recursive c (x) as (select 1 union all select x + 1 from c) select max(x) from c'
  const terminal = shipxOn(box, ['sql', endless, '--timeout', '4s'])
  await terminal.shows('Waiting for the first row…')
  expect(await terminal.ended()).toBe(6)
  expect(terminal.screen()).not.toContain('Rows so far')
})
