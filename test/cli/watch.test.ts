// Defends watching and waiting: what is drawn and left on a terminal, what is written as a change, what a failure and an
// interruption do, and how a wait ends.
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { changesBetween } from '../../src/cli/commands/shipments/changes.ts'
import { sandbox } from '../support/sandbox.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { keys, shipxOn } from '../support/pty.ts'

const box = sandbox()
afterAll(() => box.remove())

interface Fields {
  readonly [name: string]: unknown
}

const recordOf = (n: number, fields: Fields = {}): string =>
  JSON.stringify({
    id: `S-${n}`,
    type: 'shipment',
    attributes: {
      tracking_number: `1434494000${1000 + n}`,
      status: 'in_transit',
      created_at: new Date(Date.UTC(2026, 8, 28, 4, n)).toISOString(),
      shipping_address: { name: 'Asha Rao', city: 'Pune', zip: '411001' },
      ...fields,
    },
  })

const put = async (db: string, ...records: readonly string[]): Promise<void> => {
  const { exit, stderr } = await box.shipx(['local', 'import', 'shipments', '-', '--db', db], {
    input: records.join('\n'),
  })
  expect([exit, stderr.includes('✗')]).toEqual([0, false])
}

describe('changes', () => {
  const page = (...ids: readonly (readonly [id: number, version?: number])[]): string[] =>
    ids.map(([id, version = 0]) => JSON.stringify({ id, version }))
  const events = (before: string[], after: string[], most: number): string[] =>
    changesBetween(before, after, most).map(
      ({ event, record }) => `${event} ${(JSON.parse(record) as { id: number }).id}`,
    )

  test('are what is new, what is another, and what is gone', () => {
    expect(events(page([3], [2], [1]), page([4], [3], [2, 1]), 9)).toEqual(['gone 1', 'new 4', 'changed 2'])
    expect(events([], page([1]), 9)).toEqual(['new 1'])
    expect(events(page([1]), [], 9)).toEqual(['gone 1'])
  })

  test('of a full page leave out what was pushed off its end and what moved up into it', () => {
    expect(events(page([3], [2], [1]), page([4], [3], [2]), 3)).toEqual(['new 4'])
    expect(events(page([3], [2], [1]), page([3], [1], [0]), 3)).toEqual(['gone 2'])
    expect(events(page([3], [2], [1]), page([6], [5], [4]), 3)).toEqual(['new 6', 'new 5', 'new 4'])
  })

  test('between pages of one list say nothing of what the list does not say (property)', () => {
    const list = fc
      .uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
      .map((ids) => ids.toSorted((a, b) => b - a))
    fc.assert(
      fc.property(list, list, fc.integer({ min: 1, max: 8 }), (old, now, most) => {
        const [before, after] = [old, now].map((ids) => page(...ids.slice(0, most).map((id) => [id] as const)))
        for (const event of events(before!, after!, most)) {
          const [what, id] = [event.split(' ')[0], Number(event.split(' ')[1])]
          if (what === 'gone') expect(after!.length < most || !now.slice(0, most).includes(id)).toBe(true)
          if (what === 'new') expect(old.slice(0, most)).not.toContain(id)
          if (what === 'changed') expect(false).toBe(true)
        }
        expect(events(before!, before!, most)).toEqual([])
      }),
    )
  })
})

describe('watch on a terminal', () => {
  test(
    'draws in place, follows changes and sizes, and leaves the last table and code 0 at Ctrl-C',
    { tags: ['full'] },
    async () => {
      await put('a.sqlite', recordOf(1), recordOf(2))
      const terminal = shipxOn(
        box,
        ['shipments', 'watch', '--every', '1s', '--status', 'in_transit', '--db', 'a.sqlite'],
        { columns: 90 },
      )
      await terminal.shows('14:00:00 · 2 of 2 shipments · every 1s')
      await terminal.shows('no change')
      expect(terminal.screen()).toContain('14344940001002')
      await put('a.sqlite', recordOf(3), recordOf(1, { status: 'delivered' }))
      const changed = await terminal.shows('1 new, 1 gone')
      expect(changed).toContain('14344940001003')
      expect(changed).not.toContain('14344940001001')
      terminal.resize(40, 20)
      const cards = await terminal.shows(/awb: +14344940001003/)
      for (const line of cards.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
      terminal.resize(90, 6)
      await terminal.shows(/AWB +STATUS/)
      const small = terminal.raw().length
      terminal.resize(90, 30)
      await vi.waitFor(() => expect(terminal.raw().slice(small)).toContain('14344940001003'), 60_000)
      await pause(300)
      const before = terminal.raw().length
      await pause(2500)
      // Nothing is drawn anew where nothing has changed.
      expect(terminal.raw().slice(before)).not.toContain('14344940001003')
      terminal.type(keys.interrupt)
      const began = performance.now()
      expect(await terminal.ended()).toBe(0)
      expect(performance.now() - began).toBeLessThan(1000)
      const left = terminal.screen()
      expect(left).toContain('2 of 2 shipments')
      expect(left).toContain('14344940001003')
      expect(left.match(/AWB/g)).toHaveLength(1)
      expect(terminal.raw()).toMatch(/\?25h/)
    },
  )

  test('shows an empty list, and names no control sequence to a dumb terminal', { tags: ['full'] }, async () => {
    expect((await box.shipx(['local', 'init', '--db', 'none.sqlite'])).exit).toBe(0)
    const terminal = shipxOn(box, ['shipments', 'watch', '--every', '1s', '--db', 'none.sqlite'], {
      env: { TERM: 'dumb' },
    })
    await terminal.shows('No shipments match.')
    await put('none.sqlite', recordOf(1))
    await terminal.shows('14344940001001')
    terminal.type(keys.interrupt)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.raw()).not.toContain('\u001b')
  })
})

/** A command whose lines are waited for while it runs. */
function begun(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { child, ended } = box.begin(args, { env })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: string) => (out += chunk))
  child.stderr.on('data', (chunk: string) => (err += chunk))
  const until = async (what: (out: string, err: string) => boolean): Promise<void> => {
    for (const began = performance.now(); !what(out, err); await pause(20))
      if (performance.now() - began > 60_000) throw new Error(`it did not come:\n${out}\n${err}`)
  }
  return {
    ended,
    until,
    lines: () =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { event: string; at: string; id: string; attributes: Fields }),
    interrupt: () => void child.kill('SIGINT'),
  }
}

describe('watch in a pipe', () => {
  test('writes a line for each change, and ends with 0 at an interruption', { tags: ['full'] }, async () => {
    await put('b.sqlite', recordOf(1))
    const watching = begun(['shipments', 'watch', '--every', '1s', '--db', 'b.sqlite'])
    await watching.until((_, err) => err.includes('watching 1 of 1 shipment, every 1s'))
    await put('b.sqlite', recordOf(2), recordOf(1, { status: 'out_for_delivery' }))
    await watching.until((out) => out.split('\n').length > 2)
    watching.interrupt()
    expect((await watching.ended).exit).toBe(0)
    expect(watching.lines().map(({ event, at, id, attributes }) => [event, at, id, attributes['status']])).toEqual([
      ['new', '2026-09-29T08:30:00.000Z', 'S-2', 'in_transit'],
      ['changed', '2026-09-29T08:30:00.000Z', 'S-1', 'out_for_delivery'],
    ])
  })

  test('refuses what it cannot print, what is no time, and more than a page', async () => {
    const { exit, stderr } = await box.shipx(['returns', 'watch', '--csv', '--every', '5', '--limit', '101'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('3 things to fix')])
    for (const part of [
      '"5" is not a time such as 30s',
      '"101" is not a number from 1 to 100',
      'has no form for a change',
    ])
      expect(stderr).toContain(part)
  })
})

describe('a deployment', { tags: ['full'] }, () => {
  const profile = (url: string, key: string): Readonly<Record<string, string>> => ({
    SHIPX_BASE_URL: url,
    SHIPX_API_KEY: key,
  })

  test('is asked for one page a look, waited for at a limit, and gone on with after a failure', async () => {
    const standIn = await startStandIn({ shipments: 30 })
    try {
      let trouble = true
      const watching = begun(
        ['shipments', 'watch', '--every', '1s', '--limit', '5', '--jsonl'],
        profile(standIn.url, standIn.key),
      )
      const looks = () => standIn.requests.filter(({ path }) => path.startsWith('/shipments')).length
      while (looks() < 2) await pause(50)
      standIn.switches.trouble = () =>
        trouble ? { kind: 'answer', status: 503, body: '{"message":"later"}' } : undefined
      await watching.until((_, err) => err.includes('next try in 1s'))
      trouble = false
      const before = looks()
      while (looks() === before) await pause(50)
      expect(
        standIn.requests.every(
          ({ path, body }) => !path.startsWith('/shipments') || (body as { per_page?: number }).per_page === 5,
        ),
      ).toBe(true)
      standIn.switches.trouble = () => ({ kind: 'limited', retry_after: '60' })
      await pause(1500)
      const began = performance.now()
      watching.interrupt()
      expect((await watching.ended).exit).toBe(0)
      expect(performance.now() - began).toBeLessThan(1000)
    } finally {
      await standIn.close()
    }
  })

  test('that refuses the key ends a watch at once', async () => {
    const standIn = await startStandIn()
    const { exit } = await box.shipx(['shipments', 'watch'], { env: profile(standIn.url, 'a-wrong-key-0123456789') })
    await standIn.close()
    expect(exit).toBe(4)
  })
})

describe('wait', { tags: ['full'] }, () => {
  const waitFor = (...args: readonly string[]) =>
    box.shipx(['shipments', 'wait', ...args, '--every', '1s', '--db', 'w.sqlite'])
  const awb = '14344940001001'

  test('ends at once where the status is there already, and prints as get does', async () => {
    await put('w.sqlite', recordOf(1, { status: 'in_transit', granular_status: 'in_transit' }))
    for (const reference of [awb, 'S-1']) {
      const { exit, stdout } = await waitFor(reference, '--for', 'delivered,in_transit', '--json')
      const got = await box.shipx(['shipments', 'get', reference, '--json', '--db', 'w.sqlite'])
      expect([exit, stdout]).toEqual([0, got.stdout])
    }
  })

  test('ends when the status comes, by its detailed name as well', async () => {
    const waiting = begun([
      'shipments',
      'wait',
      awb,
      '--for',
      'reattempt_delivery',
      '--every',
      '1s',
      '--db',
      'w.sqlite',
      '--columns',
      'awb,status',
    ])
    await waiting.until((_, err) => err.includes(`${awb} is in transit; waiting for reattempt delivery, every 1s`))
    await put('w.sqlite', recordOf(1, { status: 'out_for_delivery', granular_status: 'reattempt_delivery' }))
    const { exit, stdout } = await waiting.ended
    expect([exit, stdout]).toEqual([0, `${awb}\tout_for_delivery\n`])
  })

  test('ends with wrong_state when the status cannot come any more, with time_limit when it did not in time', async () => {
    const late = await waitFor(awb, '--for', 'delivered', '--timeout', '1s', '--json')
    expect([late.exit, late.stdout]).toEqual([6, ''])
    expect(JSON.parse(late.stderr)).toMatchObject({
      error: { code: 'time_limit', message: `not delivered within 1s; ${awb} is reattempt delivery` },
    })
    await put('w.sqlite', recordOf(1, { status: 'cancelled' }))
    const never = await waitFor(awb, '--for', 'delivered,rto_delivered')
    expect([never.exit, never.stdout]).toEqual([5, ''])
    expect(never.stderr).toContain(`${awb} is cancelled for good, and will not be delivered or RTO delivered`)
  })

  test('names what is missing, wrong or not there', async () => {
    expect((await waitFor('nothing', '--for', 'delivered')).exit).toBe(3)
    const wrong = await waitFor('--for', 'deliverd', '--timeout', 'soon')
    expect(wrong.exit).toBe(2)
    for (const part of ['<shipment>', 'Did you mean delivered?', '"soon" is not a time'])
      expect(wrong.stderr).toContain(part)
    expect((await waitFor(awb)).stderr).toContain('--for: is required')
  })

  test('an interruption ends it at once with 130', async () => {
    await put('w.sqlite', recordOf(1))
    const waiting = begun(['shipments', 'wait', awb, '--for', 'delivered', '--db', 'w.sqlite'])
    await waiting.until((_, err) => err.includes('waiting for'))
    const began = performance.now()
    waiting.interrupt()
    expect((await waiting.ended).exit).toBe(130)
    expect(performance.now() - began).toBeLessThan(1000)
  })
})
