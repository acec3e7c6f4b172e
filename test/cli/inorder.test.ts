// Defends work on many items at a time: results in order, failures in their place, an end when it is asked for.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forEachOf, inOrder } from '../../src/cli/listings/inorder.ts'
import { ShipxError } from '../../src/domain/errors.ts'

describe('work in order', () => {
  const numbers = async function* (count: number): AsyncGenerator<number> {
    for (let i = 0; i < count; i++) yield i
  }
  const go = { asked: false }

  test('gives results in the order of the items, never more at a time than it may', async () => {
    let [running, most] = [0, 0]
    const work = async (i: number): Promise<number> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, (i * 7) % 5))
      running--
      return i
    }
    const got: number[] = []
    for await (const i of inOrder(numbers(200), work, 6, go)) got.push(i)
    expect(got).toEqual(Array.from({ length: 200 }, (_, i) => i))
    expect(most).toBe(6)
  })

  test('throws a failure in its place, and begins nothing far ahead of a slow one', async () => {
    let begun = 0
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const work = async (i: number): Promise<number> => {
      begun++
      if (i === 0) await slow
      if (i === 5) throw new ShipxError('unavailable', 'away')
      return i
    }
    const got: number[] = []
    const reading = (async () => {
      for await (const i of inOrder(numbers(1000), work, 4, go)) got.push(i)
    })()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(begun).toBeLessThanOrEqual(32)
    release()
    await expect(reading).rejects.toThrow('away')
    expect(got).toEqual([0, 1, 2, 3, 4])
  })

  test('without an order: a failure waits for what is under way, and nothing starts after it', async () => {
    const [started, ended] = [new Set<number>(), new Set<number>()]
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const work = async (i: number): Promise<void> => {
      started.add(i)
      if (i === 3) throw new ShipxError('unavailable', 'away')
      await slow
      ended.add(i)
    }
    const failing = expect(forEachOf(numbers(1000), work, 4)).rejects.toThrow('away')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(ended.size).toBe(0)
    release()
    await failing
    expect([...started].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect([...ended].toSorted((a, b) => a - b)).toEqual([0, 1, 2])
    const broken = async function* (): AsyncGenerator<number> {
      yield 10
      throw new ShipxError('invalid_file', 'cut off')
    }
    await expect(forEachOf(broken(), work, 4)).rejects.toThrow('cut off')
  })

  test('begins nothing after a stop and gives what was begun', async () => {
    const stop = { asked: false }
    const got: number[] = []
    for await (const i of inOrder(numbers(1000), async (n) => n, 4, stop)) {
      got.push(i)
      if (i === 10) stop.asked = true
    }
    expect(got.length).toBeLessThan(60)
    expect(got).toEqual(got.map((_, i) => i))
  })
})

describe('answers in order', () => {
  test('come as they were asked for, whatever takes long, and never more at a time than were allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), async (turns, width) => {
        let [running, most] = [0, 0]
        const work = async (n: number): Promise<number> => {
          most = Math.max(most, ++running)
          for (let i = 0; i < n; i++) await Promise.resolve()
          running--
          return n
        }
        const answers: number[] = []
        for await (const answer of inOrder(turns, work, width)) answers.push(answer)
        expect(answers).toEqual(turns)
        expect(most).toBeLessThanOrEqual(width)
      }),
    )
  })

  test('end with the first failure, and no other work is begun', async () => {
    let begun = 0
    const work = async (n: number): Promise<number> => {
      begun++
      if (n === 2) throw new Error('away')
      return n
    }
    const answers: number[] = []
    const reading = (async () => {
      for await (const answer of inOrder([0, 1, 2, 3, 4, 5, 6, 7, 8], work, 2)) answers.push(answer)
    })()
    await expect(reading).rejects.toThrow('away')
    expect(answers).toEqual([0, 1])
    expect(begun).toBeLessThanOrEqual(4)
  })
})
