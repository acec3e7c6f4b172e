// `shipx serve` as a process: signals, and what becomes of it when its surroundings change. What it answers is in answers.test.ts.
import { copyFileSync, renameSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { orderOf, startServing, type Serving } from '../scorecard/serving.ts'
import { json, send } from '../support/service.ts'
import { first } from '../support/size.ts'

const unix = process.platform !== 'win32'

describe.skipIf(!unix)('signals', () => {
  test(
    'SIGUSR1, which log rotation sends, opens no debugger, and SIGHUP lets running requests end',
    { tags: ['full'] },
    async () => {
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
    },
  )
})

describe.skipIf(!unix)('storage that is gone', () => {
  const asking = async (serving: Serving) => {
    const { key } = await serving.keyOf('default')
    await serving.local('local', 'warehouse', 'set', 'WH1', '400001')
    const api = `${serving.url}/custom/api/v1`
    let n = 0
    return {
      order: () => send(`${api}/forward-order`, { ...json(orderOf(`S-${n++}`)), key }),
      list: () => send(`${api}/shipments`, { ...json({}), key }),
      ready: () => send(`${serving.url}/ready`),
    }
  }

  test('a disk without room is 503 with a time to come again, and /ready says so', { tags: ['full'] }, async () => {
    // So many KB is what a file may grow to, which stands for a full disk.
    const serving = await startServing(undefined, undefined, { under: 'ulimit -S -f 6000' })
    try {
      const { order, list, ready } = await asking(serving)
      const answers = []
      for (let tries = 0; tries < 400 && answers.at(-1)?.status !== 503; tries++) answers.push(await order())
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
      const { headers, json: said } = answers.at(-1)!
      expect([headers.get('retry-after'), said]).toEqual([
        '10',
        expect.objectContaining({ message: 'the disk of the database is full or failing' }),
      ])
      expect([(await ready()).status, (await list()).status]).toEqual([503, 200])
      expect(serving.log()).toMatch(
        /"level":"error","id":"storage","message":"the disk of the database is full or failing"/,
      )
      expect(serving.log()).not.toContain('"status":500')
    } finally {
      await serving.close()
    }
  })

  test.each(first(1, ['deleted', 'replaced by a copy']))(
    'nothing is saved into a database file that was %s',
    async (how) => {
      const serving = await startServing()
      try {
        const { order, list, ready } = await asking(serving)
        expect([(await order()).status, (await ready()).status]).toEqual([200, 200])
        renameSync(serving.db, `${serving.db}.away`)
        if (how !== 'deleted') copyFileSync(`${serving.db}.away`, serving.db)
        const refused = await order()
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
        expect((refused.json as { message: string }).message).toMatch(/^the database file was moved or replaced/)
        expect([(await ready()).status, (await list()).status]).toEqual([503, 200])
        renameSync(`${serving.db}.away`, serving.db)
        expect([(await ready()).status, (await order()).status]).toEqual([200, 200])
      } finally {
        await serving.close()
      }
    },
  )
})
