// Defends what one account costs the others who ask the service: turns by account, few that wait, and a main thread that is only
// asked what is over at once.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../src/domain/contract.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { embeddedService } from '../../src/engine/service.ts'
import { turnsOf } from '../../src/server/turns.ts'
import { testHost, testNow } from '../support/engine.ts'
import { json, send, startService, type TestService } from '../support/service.ts'

describe('turns', () => {
  test('a question whose asker has gone is not worked off, and takes no place among those who wait', async () => {
    const turns = turnsOf({ places: 1, each: 1, waiting: 2 })
    const leave = await turns.place(1)
    let gone = false
    const left = [turns.place(1, () => gone), turns.place(1, () => gone)].map((one) =>
      expect(one).rejects.toMatchObject({ code: 'unavailable' }),
    )
    await expect(turns.place(1)).rejects.toMatchObject({ code: 'rate_limited', retry_after_ms: 1000 })
    gone = true
    const next = turns.place(1)
    await Promise.all(left)
    leave()
    ;(await next)()
  })

  test('accounts take turns, whoever came first with how many', async () => {
    const turns = turnsOf({ places: 1, each: 1 })
    const leave = await turns.place(1)
    const order: number[] = []
    const asked = [1, 1, 1, 1, 2, 2, 3].map(async (account) => {
      const free = await turns.place(account)
      order.push(account)
      free()
    })
    leave()
    await Promise.all(asked)
    expect(order).toEqual([1, 2, 3, 1, 2, 1, 1])
  })

  test('one account does not hold every place', async () => {
    const turns = turnsOf({ places: 3, each: 2 })
    await turns.place(1)
    await turns.place(1)
    let third = false
    const waiting = turns.place(1).then((leave) => {
      third = true
      return leave
    })
    const other = await turns.place(2)
    expect(third).toBe(false)
    other()
    await Promise.resolve()
    expect(third).toBe(false)
    waiting.catch(() => undefined)
  })

  test('a question that waits too long for its turn is refused with a time to come again', async () => {
    const turns = turnsOf({ places: 1, each: 1, patienceMs: 20 })
    const leave = await turns.place(1)
    await expect(turns.place(2)).rejects.toMatchObject({ code: 'unavailable', retry_after_ms: 1000 })
    leave()
    ;(await turns.place(2))()
  })
})

describe('the service', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ readers: 2 })
    await service.engine.save(
      'shipment',
      seedShipments({ shipments: 3000, returns: 0, stores: 2, days: 30, seed: 2, now: testNow }),
    )
  })
  afterAll(() => service.close())

  test(
    'another account is served while one account’s slow searches wait, and what is too much of them is 429',
    { tags: ['full'] },
    async () => {
      const { key } = await service.keyFor('other')
      const words = [...'aeior'].join(' ')
      let answered = 0
      const slow = Array.from({ length: 200 }, async (_, n) => {
        const answer = await send(`${service.api}/shipments`, {
          ...json({ search: `${words} ${n}` }),
          key: service.key,
        })
        answered++
        return answer
      })
      await Promise.race(slow)
      const other = await send(`${service.api}/returns`, { ...json({ search: 'nothing' }), key })
      expect(other.status).toBe(200)
      expect(answered).toBeLessThan(200)
      const answers = await Promise.all(slow)
      const refused = answers.filter(({ status }) => status !== 200)
      for (const { status, headers } of refused)
        expect([`429 1`, `503 1`]).toContain(`${status} ${headers.get('retry-after')}`)
      expect(refused.some(({ status }) => status === 429)).toBe(true)
    },
  )

  test('large bodies that never arrive fill the account’s share and no more; its small requests are served', async () => {
    const { port, hostname } = new URL(service.url)
    const answers: string[] = []
    const sockets = Array.from({ length: 25 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      socket.once('data', (bytes) => answers.push(bytes.toString('latin1').slice(0, 12)))
      socket.write(
        `POST /custom/api/v1/shipments HTTP/1.1\r\nhost: x\r\nauthorization: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`,
      )
      return socket
    })
    try {
      for (let n = 0; n < 200 && answers.length < 9; n++) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(answers).toEqual(Array.from({ length: 9 }, () => 'HTTP/1.1 429'))
      expect((await send(`${service.api}/shipments`, { ...json({ per_page: 1 }), key: service.key })).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  test('the main thread is asked for no total: /live does not wait for one', async () => {
    const { database, account } = service.engine
    const { near, listShipments } = embeddedService(database, account, testHost())
    const elsewhere = (input: Input<'listShipments'>) => near.elsewhere('shipment', input, () => listShipments(input))
    const listing = (raw: object) => parseInput('listShipments', { ...raw })
    for (const raw of [
      { search: 'a' },
      { zone: ['zone_a', 'zone_b'] },
      { page: 100 },
      { is_cod: true, zone: ['zone_c'] },
    ]) {
      const input = listing(raw)
      await elsewhere(input)
      expect(await near.page('shipment', input)).toBeUndefined()
    }
    for (const raw of [
      {},
      { status: 'delivered' },
      { per_page: 100, page: 2 },
      { sort_order: 'asc' },
      { per_page: 7, search_after: (await listShipments(listing({ per_page: 3 }))).meta.next_search_after },
    ]) {
      const input = listing(raw)
      const { records, meta } = await elsewhere(input)
      expect(records.length).toBeGreaterThan(0)
      // The database joins the records: the same texts in the same order, and the same cursor.
      expect(await near.page('shipment', input)).toEqual({ joined: records.join(','), meta })
    }
    const none = listing({ search_after: ['1', 'x'] })
    expect(await near.page('shipment', none)).toEqual(await elsewhere(none))
    // Whatever changes the database makes every total unknown again.
    await service.keyFor('third')
    expect(await near.page('shipment', listing({}))).toBeUndefined()
  })
})
