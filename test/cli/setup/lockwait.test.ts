// How a command waits for another one that changes the same file of profiles.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { locked } from '../../../src/cli/config/lock.ts'

test('a command that was stopped while it waited was told that the file is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'config.json.lock')
  writeFileSync(path, `${process.ppid} ${crypto.randomUUID()} ${hostname()}`)
  const changed = locked(path, process.pid, async () => 'changed')
  await pause(50)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await pause(100)
  rmSync(path)
  expect(await changed).toBe('changed')
})
