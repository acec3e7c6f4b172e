// Defends pulls: after the last one the mirror holds what the deployment holds,
// whatever changed, came late or failed on the way.
import { describe, expect, test } from 'vitest'
import type { Pulled } from '../../src/cli/commands/pull/pullrun.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import type { SentKind } from '../../src/domain/foreign/records.ts'
import { chanceOf } from '../support/chance.ts'
import type { Listed, StandIn } from '../support/foreigndeployment.ts'
import { runs } from '../support/size.ts'
import { clock, hour, standIn, mirrorOf, quiet, type Mirror } from '../support/mirrors.ts'

/** Whether both hold the same records, to the byte. */
async function same(mirror: Mirror, remote: StandIn, kind: Listed): Promise<void> {
  const [here, there] = [await mirror.docs(kind), remote.texts(kind)]
  expect([...here.keys()].toSorted()).toEqual([...there.keys()].toSorted())
  for (const [id, text] of there) expect([id, here.get(id)]).toEqual([id, text])
}

/** Pulls until nothing goes wrong any more. */
async function untilDone(mirror: Mirror, kind: SentKind): Promise<Pulled> {
  for (let tries = 0; ; tries++) {
    try {
      return await mirror.pull(kind)
    } catch (error) {
      if (!(error instanceof ShipxError) || !error.retryable || tries > 60) throw error
    }
  }
}

/** Statuses under which a record can still change. */
const open = ['pending', 'in_transit', 'out_for_delivery', 'ndr_raised', 'rto_in_transit', 'manifested']

/** A deployment whose records change, come, come late and go while it is read, and that fails now and then. */
function alive(remote: StandIn, seed: number, troubles: number): void {
  const chance = chanceOf(seed)
  let n = 0
  remote.switches.trouble = ({ path }) => {
    if (path !== '/shipments' && path !== '/returns') return undefined
    const kind = path.slice(1) as Listed
    const texts = [...remote.texts(kind).values()]
    const pick = () =>
      JSON.parse(texts[Math.floor(chance() * texts.length)]!) as { id: string; attributes: Record<string, unknown> }
    const createdOf = (record: { attributes: Record<string, unknown> }) =>
      Date.parse(String(record.attributes['created_at']))
    const dice = chance()
    if (dice < 0.2) {
      const moved = pick()
      if (open.includes(String(moved.attributes['status'])))
        remote.put(kind, moved.id, createdOf(moved), {
          ...moved.attributes,
          status: chance() < 0.5 ? 'delivered' : 'in_transit',
          moved: ++n,
        })
    } else if (dice < 0.3) remote.put(kind, `NEW${++n}`, clock - n * 1000, { ...pick().attributes, status: 'pending' })
    else if (dice < 0.35) {
      const near = pick()
      remote.put(kind, `LATE${++n}`, createdOf(near) + 1, near.attributes)
    }
    const luck = chance()
    if (luck < troubles) return { kind: 'html', status: 502 }
    if (luck < troubles * 1.5) return { kind: 'limited', retry_after: '0' }
    return luck < troubles * 2 ? { kind: 'reset' } : undefined
  }
}

describe('a deployment that moves while it is read', { tags: ['full'] }, () => {
  test.each([1, 2, 3, 4].slice(0, runs(2, 4)))('is what the mirror holds after the last pull (%i)', async (seed) => {
    const chance = chanceOf(seed * 77)
    const remote = await standIn({ shipments: 700, returns: 260, depth: seed % 2 === 0 ? 200 : 5000 })
    const mirror = await mirrorOf(remote)
    alive(remote, seed, 0.05)
    for (const kind of ['shipments', 'returns'] as const) {
      for (let i = 0; i < 4; i++) await mirror.pull(kind, {}, 1 + Math.floor(chance() * 6)).catch(() => undefined)
      await untilDone(mirror, kind)
    }
    quiet(remote)
    for (const kind of ['shipments', 'returns'] as const) {
      await mirror.pull(kind)
      await same(mirror, remote, kind)
      const again = await mirror.pull(kind)
      expect(again).toMatchObject({ new: 0, changed: 0, removed: 0 })
    }
  })

  test('what was settled and then changed is found by --full, and so is what went', async () => {
    const remote = await standIn({ shipments: 400 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    const settled = [...remote.texts('shipments').values()]
      .map((text) => JSON.parse(text) as { id: string; attributes: Record<string, unknown> })
      .find(({ attributes }) => attributes['status'] === 'delivered')!
    remote.put('shipments', settled.id, Date.parse(String(settled.attributes['created_at'])), {
      ...settled.attributes,
      note: 'x',
    })
    remote.drop(
      'shipments',
      remote.ids('shipments').find((id) => id !== settled.id)!,
    )
    const pulled = await mirror.pull('shipments', { full: true })
    expect(pulled).toEqual({ new: 0, changed: 1, unchanged: 398, removed: 1 })
    await same(mirror, remote, 'shipments')
  })

  test('a late record is found by its count, with few requests', async () => {
    const remote = await standIn({ shipments: 3000 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    const old = JSON.parse([...remote.texts('shipments').values()][2900]!) as { attributes: Record<string, unknown> }
    remote.put('shipments', 'LATE', clock - 50 * 24 * hour, { ...old.attributes, status: 'delivered' })
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })
})

describe('a run', () => {
  test('counts each record once, over new, changed and unchanged', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 730, depth: 200 })
    const mirror = await mirrorOf(remote)
    expect(await mirror.pull('shipments')).toEqual({ new: 730, changed: 0, unchanged: 0, removed: 0 })
    const { covered, run } = await mirror.state('shipments')
    expect([covered, run]).toEqual([{ from: 0, until: clock / 1000 }, undefined])
  })

  test('goes on after an interruption and reads no page twice that was saved', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 1000, depth: 5000 })
    const mirror = await mirrorOf(remote)
    await expect(mirror.pull('shipments', {}, 4)).rejects.toMatchObject({ code: 'interrupted' })
    expect((await mirror.docs('shipments')).size).toBe(400)
    remote.forget()
    const pulled = await mirror.pull('shipments')
    expect(pulled.new).toBe(600)
    const whole = remote.requests.map(({ body }) => (body ?? {}) as { page?: number; start_time?: number })
    const pages = whole.flatMap(({ page, start_time }) => (start_time === undefined && page !== undefined ? page : []))
    expect([Math.min(...pages), pages.includes(5)]).toEqual([5, true])
    await same(mirror, remote, 'shipments')
  })

  test('ends at one moment: what is created meanwhile comes with the next one', async () => {
    const remote = await standIn({ shipments: 300 })
    let now = clock
    const mirror = await mirrorOf(remote, () => now)
    remote.switches.trouble = () => {
      now += 1000
      remote.put('shipments', `NOW${now}`, now, { status: 'pending' })
      return undefined
    }
    await mirror.pull('shipments')
    for (const { body, path } of remote.requests)
      if (path === '/shipments') expect((body as { end_time: number }).end_time).toBeLessThanOrEqual(clock / 1000 + 2)
    quiet(remote)
    now += 10_000
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })

  test('reads again only where something can still change', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 2000 })
    for (const text of remote.texts('shipments').values()) {
      const { id, attributes } = JSON.parse(text) as { id: string; attributes: Record<string, unknown> }
      const at = Date.parse(String(attributes['created_at']))
      remote.put('shipments', id, at, {
        ...attributes,
        status: at > clock - 8 * 24 * hour ? 'in_transit' : 'delivered',
        sub_status: null,
      })
    }
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    remote.forget()
    const { unchanged } = await mirror.pull('shipments')
    expect(unchanged).toBeLessThan(500)
    expect(remote.requests.length).toBeLessThan(12)
  })

  test('sees what becomes of a parcel that the deployment counted under others', async () => {
    const remote = await standIn({ shipments: 60 })
    const all = [...remote.texts('shipments').values()].map(
      (text) => JSON.parse(text) as { id: string; attributes: Record<string, unknown> },
    )
    const put = ({ id, attributes }: (typeof all)[number], status: string): void =>
      remote.put('shipments', id, Date.parse(String(attributes['created_at'])), {
        ...attributes,
        status,
        sub_status: null,
      })
    const other = all[30]!
    for (const record of all) put(record, record === other ? 'others' : 'delivered')
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    put(other, 'rto_delivered')
    expect(await mirror.pull('shipments')).toMatchObject({ changed: 1 })
    await same(mirror, remote, 'shipments')
  })

  test('--since limits how far back, and a later one without it fills the rest', async () => {
    const remote = await standIn({ shipments: 600 })
    const mirror = await mirrorOf(remote)
    const since = clock / 1000 - 20 * 86_400
    await mirror.pull('shipments', { since })
    const some = (await mirror.docs('shipments')).size
    const recent = [...remote.texts('shipments').values()].filter(
      (text) =>
        Date.parse((JSON.parse(text) as { attributes: { created_at: string } }).attributes.created_at) >= since * 1000,
    )
    expect(some).toBe(recent.length)
    expect((await mirror.state('shipments')).covered!.from).toBe(since)
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })

  test('is overtaken by one that begins after it', async () => {
    const remote = await standIn({ shipments: 500 })
    const mirror = await mirrorOf(remote)
    let begun: Promise<Pulled> | undefined
    remote.switches.trouble = ({ path }) => {
      if (path === '/shipments' && begun === undefined) begun = mirror.pull('shipments')
      return undefined
    }
    await expect(mirror.pull('shipments')).rejects.toThrow(/another shipx pull/)
    await begun
    await same(mirror, remote, 'shipments')
  })

  test('keeps under the depth that a deployment shows, and asks no deeper again', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 2000, depth: 400 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
    expect((await mirror.state('shipments')).most).toBe(400)
    remote.forget()
    await mirror.pull('shipments', { full: true })
    const pages = remote.requests.flatMap(({ body }) => (body as { page?: number } | undefined)?.page ?? 0)
    expect(Math.max(...pages)).toBeLessThanOrEqual(4)
  })

  test('says so where time does not tell records apart', async () => {
    const remote = await standIn({ shipments: 300, depth: 200 })
    const mirror = await mirrorOf(remote)
    // A deployment that ignores what it is asked for: every answer begins with the oldest of all.
    const text = [...remote.texts('shipments').values()].slice(0, 100).join(',')
    remote.switches.trouble = ({ path }) =>
      path === '/shipments'
        ? { kind: 'answer', status: 200, body: `{"data":[${text}],"meta":{"total":9000}}` }
        : undefined
    await expect(mirror.pull('shipments')).rejects.toMatchObject({ code: 'bad_answer' })
    expect(remote.requests.length).toBeLessThan(20)
  })
})
