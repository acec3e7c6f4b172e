// Defends the budget of requests on a clock of its own: never more than was allowed in any stretch of time, slower after a
// refusal, and fast again when none comes any more.
import { describe, expect, test } from 'vitest'
import { budgetOf, type BudgetPlan } from '../../src/client/budget.ts'
import { pullBudget, type Spent } from '../../src/cli/commands/pull/budget.ts'
import { chanceOf } from '../support/chance.ts'

/** A clock that goes on only while somebody waits or works, and the times at which turns came. */
function virtual(plan: Omit<BudgetPlan, 'ticks' | 'sleep'> = {}) {
  let now = 1000
  const sleep = async (ms: number): Promise<void> => {
    expect(ms).toBeGreaterThan(0)
    now += ms
  }
  const budget = budgetOf({ ...plan, ticks: () => now, sleep })
  const sent: number[] = []
  const send = async (times: number, each = 0): Promise<void> => {
    for (let i = 0; i < times; i++) {
      await budget.turn()
      sent.push(now)
      now += each
    }
  }
  const pass = (ms: number): void => void (now += ms)
  return { budget, sent, send, pass, now: () => now }
}

/** The most turns in any stretch of so many ms. */
const most = (sent: readonly number[], ms: number): number =>
  Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + ms).length))

const usual = { requests: 500, ms: 300_000 }

describe('a window of requests', () => {
  test('500 in 5 minutes are the most in any 5 minutes, and no fewer where there is work', async () => {
    const { send, sent, now } = virtual({ window: usual })
    await send(2600, 20)
    expect(most(sent, usual.ms)).toBe(500)
    expect(now()).toBeGreaterThanOrEqual(5 * usual.ms)
    expect(now()).toBeLessThan(5 * usual.ms + 600 * 20 + 2000)
  })

  test('the same for work that comes and goes', async () => {
    for (const seed of [1, 2, 3]) {
      const chance = chanceOf(seed)
      const { send, sent, pass } = virtual({ window: { requests: 50, ms: 30_000 } })
      for (let i = 0; i < 60; i++) {
        await send(Math.floor(chance() * 40), Math.floor(chance() * 50))
        pass(Math.floor(chance() * 20_000))
      }
      expect(most(sent, 30_000)).toBeLessThanOrEqual(50)
    }
  })

  test('what an earlier process sent counts', async () => {
    const before = Array.from({ length: 480 }, (_, i) => 900 - (480 - i))
    const { send, sent, now } = virtual({ window: usual, before })
    await send(20)
    expect(now()).toBe(1000)
    await send(1)
    expect(sent.at(-1)).toBe(before[0]! + usual.ms)
  })

  test('many that ask at once keep to it as well', async () => {
    let now = 0
    const waiting: { readonly at: number; readonly wake: () => void }[] = []
    const budget = budgetOf({
      window: { requests: 10, ms: 1000 },
      ticks: () => now,
      sleep: (ms) => new Promise((wake) => waiting.push({ at: now + ms, wake })),
    })
    const sent: number[] = []
    const all = Promise.all(Array.from({ length: 95 }, () => budget.turn().then(() => sent.push(now))))
    for (let i = 0; i < 200 && sent.length < 95; i++) {
      await new Promise(setImmediate)
      const next = waiting.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) continue
      now = Math.max(now, next.at)
      for (const one of waiting.splice(0))
        if (one.at <= now) one.wake()
        else waiting.push(one)
    }
    await all
    expect(most(sent, 1000)).toBe(10)
    expect(now).toBe(9000)
  })
})

describe('a pace', () => {
  test('--max-rps spaces requests evenly', async () => {
    const { send, sent, now } = virtual({ per_second: 4 })
    await send(41)
    expect(most(sent, 1000)).toBeLessThanOrEqual(5)
    expect(now()).toBe(1000 + 40 * 250)
  })

  test('a refusal halves it once for all that were on their way, and each quiet second brings a tenth back', async () => {
    const { budget, send, pass, now } = virtual({ per_second: 20 })
    await send(60)
    for (let i = 0; i < 5; i++) budget.heard(true)
    const slowFrom = now()
    await send(11)
    // Ten a second, and not less for the other four refusals; a tenth faster after a second.
    expect(now() - slowFrom).toBeGreaterThan(900)
    expect(now() - slowFrom).toBeLessThan(1400)
    pass(30_000)
    await send(1)
    const fastFrom = now()
    await send(40)
    expect(now() - fastFrom).toBeLessThanOrEqual(2000 + 50)
  })

  test('without a limit it is as slow as what was refused allows, and free again after a while', async () => {
    const { budget, send, pass, now } = virtual()
    await send(100, 10)
    expect(now()).toBe(2000)
    pass(0)
    budget.heard(true)
    const from = now()
    await send(60)
    expect(now() - from).toBeGreaterThan(700)
    for (let i = 0; i < 120; i++) {
      pass(1000)
      await send(1)
    }
    const free = now()
    await send(1000)
    expect(now() - free).toBeLessThan(500)
  })

  test('a wait that is ended rejects', async () => {
    const stop = new AbortController()
    const budget = budgetOf({
      window: { requests: 1, ms: 1000 },
      ticks: () => 0,
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(new Error('ended')))),
    })
    await budget.turn(stop.signal)
    const turn = budget.turn(stop.signal)
    stop.abort()
    await expect(turn).rejects.toThrow('ended')
  })
})

describe('the budget of a pull', () => {
  const plan = (spent: Spent, announced: ReadonlySet<string> | undefined, per_second?: number) => {
    const slept: number[] = []
    const over = new Error('it would wait')
    const made = pullBudget({
      per_second,
      spent,
      now: () => 10_000_000,
      sleep: async (ms) => {
        slept.push(ms)
        throw over
      },
      announced: () => announced,
    })
    return { ...made, slept, over }
  }

  test('is 500 in 5 minutes for a deployment that announces nothing, counted over processes', async () => {
    const { budget, spent, over } = plan(
      [
        [9_900_000, 300],
        [9_994_000, 150],
      ],
      undefined,
    )
    for (let i = 0; i < 50; i++) await budget.turn()
    await expect(budget.turn()).rejects.toBe(over)
    expect(spent().reduce((sum, [, n]) => sum + n, 0)).toBe(500)
  })

  test('forgets what was sent more than 5 minutes ago', async () => {
    const { budget } = plan([[9_000_000, 500]], new Set())
    for (let i = 0; i < 500; i++) await budget.turn()
  })

  test('is none for one that announces what shipx serve does', async () => {
    const { budget, spent } = plan([[9_999_000, 500]], new Set(['search_after']))
    for (let i = 0; i < 2000; i++) await budget.turn()
    expect(spent()).toEqual([])
  })

  test('is what the user says', async () => {
    const { budget, over, slept } = plan([], undefined, 5)
    await budget.turn()
    await expect(budget.turn()).rejects.toBe(over)
    expect(slept[0]).toBeGreaterThan(150)
    expect(slept[0]).toBeLessThanOrEqual(200)
  })
})
