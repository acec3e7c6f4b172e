// How a process waits for the lock of another one (src/engine/database/sqlitewait.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { patiently, takingTurns } from '../../src/engine/database/sqlitewait.ts'
import { openEngine, temporaryPath } from '../support/engine.ts'
import { driver, opener } from '../support/sqlite.ts'

/** Runs JavaScript with a file open as `db` in another process, until the test ends; resolves when that says a word. */
async function elsewhere(path: string, text: string): Promise<void> {
  const script = `const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const db = ${opener}(${JSON.stringify(path)})
    db.exec("pragma busy_timeout = 5000")
    const ready = () => require("fs").writeSync(1, "ready")
    ${text}`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
}

describe('a file that another process has locked', () => {
  test('many quick writers keep one out for as long as it waits', async () => {
    const path = temporaryPath()
    const { service, close } = await openEngine(path)
    onTestFinished(close)
    await elsewhere(
      path,
      `ready(); for (;;) { db.exec("begin immediate; pragma user_version"); wait(98); db.exec("commit"); wait(1) }`,
    )
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      await pause(130)
      const began = performance.now()
      await service.createStore({ store_name: `${n}`, brand_name: 'Chai' })
      waits.push(performance.now() - began)
    }
    expect(Math.max(...waits)).toBeLessThan(4000)
  }, 60_000)

  test('the thread is free while writes wait, and they come in their order', async () => {
    const path = temporaryPath()
    const { service, close } = await openEngine(path)
    onTestFinished(close)
    await elsewhere(path, `db.exec("begin immediate"); ready(); wait(300); db.exec("commit"); wait(10000)`)
    let turns = 0
    const counting = setInterval(() => turns++, 5)
    const names = ['a', 'b', 'c', 'd']
    const ended: string[] = []
    await Promise.all(
      names.map(async (name) => {
        await service.createStore({ store_name: name, brand_name: name })
        ended.push(name)
      }),
    )
    clearInterval(counting)
    expect(ended).toEqual(names)
    expect(turns).toBeGreaterThan(5)
  })

  test('is read as soon as it is free', async () => {
    const path = temporaryPath()
    const db = new driver(path, { timeout: 0 })
    onTestFinished(() => void db.close())
    db.exec('create table t (a); insert into t values (7)')
    await elsewhere(path, `db.exec("begin exclusive"); ready(); wait(200); db.exec("commit"); wait(10000)`)
    const read = (): unknown => db.prepare('select a from t').pluck().get()
    expect(read).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    expect(patiently(db, read)).toBe(7)
    expect(db.pragma('busy_timeout', { simple: true })).toBe(0)
  })
})

const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })

describe('looks at a lock', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test('end after 5 s with the error, however many wait', async () => {
    const locked = takingTurns(() => {
      throw busy
    })
    const ends: number[] = []
    const told = (error: unknown): void => void ends.push(error === busy ? performance.now() : NaN)
    const began = performance.now()
    for (let n = 0; n < 20; n++) Promise.resolve(locked(() => 0)).catch(told)
    await vi.advanceTimersByTimeAsync(4900)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(ends).toHaveLength(20)
    expect(Math.max(...ends) - began).toBeLessThan(5100)
  })

  test('go on in a process that was stopped meanwhile', async () => {
    let held = true
    const locked = takingTurns(() => {
      if (held) throw busy
    })
    const written = locked(() => 'written')
    await vi.advanceTimersByTimeAsync(100)
    const stopped = performance.now() + 60_000
    vi.spyOn(performance, 'now').mockImplementation(() => stopped)
    await vi.advanceTimersByTimeAsync(10)
    held = false
    await vi.advanceTimersByTimeAsync(10)
    expect(await written).toBe('written')
  })

  test('an error of another kind is told at once', () => {
    const full = Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })
    const locked = takingTurns(() => {
      throw full
    })
    expect(() => locked(() => 0)).toThrow(full)
  })
})

describe('one that writes again and again', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** The moments at which the lock was free for 4 ms or more, in ms from the start, when a write takes 2 ms. */
  async function rests(begin: () => void, forMs: number): Promise<readonly number[]> {
    const locked = takingTurns(begin)
    const start = performance.now()
    const found: number[] = []
    let freed = start
    while (performance.now() - start < forMs) {
      const turn = locked(() => {
        if (performance.now() - freed >= 4) found.push(Math.round(performance.now() - start))
        vi.advanceTimersByTime(2)
        freed = performance.now()
      })
      await Promise.race([turn, vi.advanceTimersByTimeAsync(10)])
      await turn
    }
    return found
  }

  test('leaves the lock free for a moment, seldom while nobody else is seen', async () => {
    const found = await rests(() => {}, 2100)
    expect(found.length).toBeGreaterThanOrEqual(4)
    expect(found.length).toBeLessThanOrEqual(6)
  })

  test('leaves it free often while others were seen', async () => {
    let looks = 0
    const found = await rests(() => {
      if (looks++ === 0) throw busy
    }, 500)
    expect(found.length).toBeGreaterThanOrEqual(15)
  })
})
