// A database of some megabytes that tests only read, and commands beside it as on a terminal or in a pipe.
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { sandbox, type Outcome, type Run } from '../../support/sandbox.ts'

export const box = sandbox()
afterAll(() => box.remove())

/** A database of some megabytes that tests only read. */
export const big = join(box.folder, 'big.sqlite')
beforeAll(async () => {
  const seed = ['local', 'seed', '--shipments', '2600', '--returns', '10', '--stores', '5']
  expect((await shipx([...seed, '--db', big])).exit).toBe(0)
})

export const shipx = (args: readonly string[], { env, ...run }: Run = {}): Promise<Outcome> =>
  box.shipx(args, { env: { TERM: 'xterm', ...env }, ...run })

export const bash = (line: string, env?: Readonly<Record<string, string>>): Promise<Outcome> =>
  box.bash(line, { env: { TERM: 'xterm', ...env } })
