// `shipx serve` as a process: signals, and what becomes of it when its surroundings change. What it answers is in serve.test.ts.
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startServing } from './scorecard/serving.ts'

const unix = process.platform !== 'win32'

describe.skipIf(!unix)('signals', () => {
  test('SIGUSR1, which log rotation sends, opens no debugger, and SIGHUP lets running requests end', async () => {
    const serving = await startServing()
    try {
      process.kill(serving.pid, 'SIGUSR1')
      await wait(500)
      expect(serving.log()).not.toMatch(/debugger|inspector/i)
      expect((await fetch(`${serving.url}/live`)).status).toBe(200)
      process.kill(serving.pid, 'SIGHUP')
      expect(await serving.ended).toBe(0)
    } finally {
      await serving.close()
    }
  })
})
