// Defends the limit on what a page may weigh: an account with huge records is listed whole, and no record is lost or doubled.
// @module-tag full: waits for slow readers of large pages
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { clientOf, json, send, startService, type TestService } from '../support/service.ts'

interface Listed {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly per_page: number; readonly total: number; readonly next_search_after: readonly string[] }
  readonly message?: string
}

const count = 30

describe.each(['in the main thread', 'by readers'])('pages of an account with huge records, %s', (where) => {
  let service: TestService
  let wanted: readonly string[]
  beforeAll(async () => {
    service = await startService({ readers: where === 'by readers' ? 2 : 0 })
    const shipments = [...seedShipments({ shipments: count, returns: 0, stores: 2, days: 30, seed: 3, now: testNow })]
    // Every second one has 1 MB; the others are as they always are.
    const huge = shipments.map((one, n) =>
      n % 2 === 0 ? one : { ...one, attributes: { ...one.attributes, tags: ['x'.repeat(1_000_000)] } },
    )
    await service.engine.save('shipment', huge)
    wanted = shipments.map(({ id }) => id).toSorted()
  })
  afterAll(() => service.close())

  const list = async (body: object) => {
    const { status, json: found, text } = await send(`${service.api}/shipments`, { ...json(body), key: service.key })
    return { ...(found as Listed), status, bytes: text.length }
  }

  test('a page ends early at 4 MB and says so; along the cursor every record comes once', async () => {
    const ids: string[] = []
    let after: readonly string[] | undefined
    for (let pages = 0; pages < count; pages++) {
      const page = await list({ per_page: 100, ...(after === undefined ? {} : { search_after: after }) })
      expect(page.status).toBe(200)
      expect(page.bytes).toBeLessThan(4_300_000)
      if (page.data.length === 0) break
      if (ids.length + page.data.length < count) expect(page.meta.per_page).toBe(page.data.length)
      expect(page.meta.total).toBe(count)
      ids.push(...page.data.map(({ id }) => id))
      after = page.meta.next_search_after
    }
    expect(ids.toSorted()).toEqual(wanted)
  })

  test('by number a page that is too large, or that follows one, is refused with the way out; nothing is left out in silence', async () => {
    expect((await list({ per_page: 10, page: 1 })).meta.per_page).toBeLessThan(10)
    for (const page of [2, 3]) {
      const { status, message } = await list({ per_page: 10, page })
      expect([page, status, message]).toEqual([
        page,
        422,
        expect.stringMatching(/more than 4 MB.*per_page.*next_search_after/),
      ])
    }
    const ids: string[] = []
    for (let page = 1; page <= count / 3; page++)
      ids.push(...(await list({ per_page: 3, page })).data.map(({ id }) => id))
    expect(ids.toSorted()).toEqual(wanted)
  })

  test('our own client gives pages and walks as if there were no limit', async () => {
    const client = clientOf(service, service.key)
    try {
      await client.listStores({})
      const { records, meta } = await client.listShipments({ per_page: 20 })
      expect([records.length, meta.per_page, meta.current_page]).toEqual([20, 20, 1])
      const { batches } = await client.walkShipments({})
      const ids: string[] = []
      for await (const batch of batches)
        ids.push(...batch.records.map((record) => (JSON.parse(record) as { id: string }).id))
      expect(ids.toSorted()).toEqual(wanted)
      expect(records.map((record) => (JSON.parse(record) as { id: string }).id)).toEqual(ids.slice(0, 20))
    } finally {
      await client.close()
    }
  })

  test('answers that are not read hold a few megabytes and no more: further ones are 429, other accounts are served', async () => {
    const { port, hostname } = new URL(service.url)
    // Four requests on each connection: what the system's own buffers take, a whole answer at some settings, is one of them.
    const body = '{"per_page":100}'
    const request = `POST /custom/api/v1/shipments HTTP/1.1\r\nhost: x\r\nauthorization: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      socket.pause().write(request.repeat(4))
      return socket
    })
    try {
      let refused: Awaited<ReturnType<typeof list>> | undefined
      for (let n = 0; n < 100 && refused === undefined; n++) {
        const answer = await list({ per_page: 100 })
        if (answer.status !== 200) refused = answer
      }
      expect(refused).toMatchObject({ status: 429, message: 'too many answers of this account are waiting to be read' })
      const { key } = await service.keyFor('other')
      expect((await send(`${service.api}/shipments`, { ...json({}), key })).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    for (let n = 0; n < 100; n++) {
      if ((await list({ per_page: 100 })).status === 200) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('what was held is not free again')
  })
})
