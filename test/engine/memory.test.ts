// What several ask for at the same time where a database cannot tell that it is unchanged: shared, and never out of date.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readCache } from '../../src/engine/database/cache.ts'

describe('memory of a database that does not tell its changes', () => {
  it('gives everybody what was there when they asked, or later', async () => {
    const remember = readCache({}, 1)
    let [stored, reads] = [0, 0]
    const read = async (): Promise<number> => {
      reads++
      const seen = stored
      await pause(3)
      return seen
    }
    const asked: Promise<void>[] = []
    for (let i = 0; i < 200; i++) {
      stored = i
      asked.push(Promise.resolve(remember('key', read)).then((value) => expect(value).toBeGreaterThanOrEqual(i)))
      if (i % 10 === 0) await pause(1)
    }
    await Promise.all(asked)
    expect(reads).toBeLessThan(60)
    stored = 1000
    expect(await remember('key', read)).toBe(1000)
  })

  it('does not keep a failure, and does not mix names', async () => {
    const remember = readCache({}, 1)
    let fails = true
    const read = async (): Promise<string> => {
      await pause(1)
      if (fails) throw new Error('away')
      return 'there'
    }
    const first = remember('a', read)
    const [second, other] = [remember('a', read), remember('b', async () => 'b')]
    await expect(first).rejects.toThrow('away')
    fails = false
    expect(await second).toBe('there')
    expect(await other).toBe('b')
    fails = true
    await expect(remember('a', read)).rejects.toThrow('away')
    fails = false
    expect(await remember('a', read)).toBe('there')
  })
})

describe('memory of a database that tells its changes', () => {
  it('gives what is known at once until the database changes, and keeps nothing that a change overtook', async () => {
    let changes = 1
    const remember = readCache({ changes: () => changes }, 1)
    const read = (value: string | undefined) => async () => {
      await pause(1)
      return value
    }
    expect(await remember('key', read('first'))).toBe('first')
    expect(remember('key', read('second'))).toBe('first')
    expect(await remember('none', read(undefined))).toBeUndefined()
    expect(remember('none', read('late'))).toBeUndefined()
    changes++
    // The database is asked once in a turn of the event loop.
    await pause(1)
    const overtaken = remember('key', read('third'))
    expect(overtaken).toBeInstanceOf(Promise)
    changes++
    expect(await overtaken).toBe('third')
    await pause(1)
    expect(await remember('key', read('fourth'))).toBe('fourth')
  })

  it('asks once in a turn of the event loop for the memories of keys and of cards together', async () => {
    let [asked, state] = [0, 1]
    const changes = (): number => {
      asked++
      return state
    }
    const [keys, cards] = [readCache({ changes }, 1), readCache({ changes }, 1)]
    const other = readCache({ changes: () => 7 }, 1)
    for (const remember of [keys, cards, other]) await remember('one', async () => 'kept')
    await pause(1)
    asked = 0
    for (const remember of [keys, cards, other]) expect(remember('one', async () => 'read')).toBe('kept')
    expect(asked).toBe(1)
    state++
    await pause(1)
    for (const remember of [keys, cards]) expect(await remember('one', async () => 'anew')).toBe('anew')
    expect(await other('one', async () => 'anew')).toBe('kept')
  })
})
