import { expect, test } from 'vitest'
import { answerMemory, collected } from '../../src/client/answermemory.ts'

const words = 'one two three four five six seven'

test('bytes that were read into their place, and bytes that come otherwise, make the same body', () => {
  for (const expected of [words.length, 8, undefined]) {
    const body = collected(answerMemory(), expected, 1_000)
    let at = 0
    for (const [length, straight] of [
      [3, false],
      [5, true],
      [1, true],
      [9, false],
      [7, true],
      [50, true],
    ] as const) {
      const bytes = Buffer.from(words.slice(at, at + length))
      const room = body.room(bytes.length)
      at += bytes.length
      // What finds no room in the piece comes in other memory.
      if (straight && room.length === bytes.length) {
        bytes.copy(room)
        body.add(room)
      } else body.add(bytes)
      expect(body.bytes().toString()).toBe(words.slice(0, at))
    }
    expect(body.all().body.toString()).toBe(words)
  }
})

test('room is never larger than asked for, and ends with the memory of the body', () => {
  const body = collected(answerMemory(), 10, 1_000)
  expect(body.room(4)).toHaveLength(4)
  body.add(Buffer.alloc(8, 'a'))
  expect(body.room(4)).toHaveLength(2)
  body.add(Buffer.alloc(2, 'a'))
  expect(body.room(4)).toHaveLength(0)
})

test('a body is ASCII as long as all of its bytes are', () => {
  const body = collected(answerMemory(), undefined, 1_000)
  for (const [text, ascii] of [
    ['plain', true],
    ['पुणे', false],
    ['plain again', false],
  ] as const) {
    body.add(Buffer.from(text))
    expect(body.isAscii()).toBe(ascii)
  }
})
