// Defends the proof of a line without its value: it proves what JSON.parse accepts and nothing else, at its own place.
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { provenLines } from '../../src/client/lineproof.ts'
import { cutLines, provenMore, type ProvenLines } from '../../src/client/recordtext.ts'
import { runs } from '../support/size.ts'

const parses = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** Whether a text on a line of its own, between other lines, is proven to its end. */
const proven = (text: string): boolean => {
  const [before, after] = ['{"first":1}\n', '\n{"last":1}\n'].map((line) => Buffer.from(line)) as [Buffer, Buffer]
  const bytes = Buffer.concat([before, Buffer.from(text), after])
  const { count, end } = provenLines(bytes, before.length)
  return count === 2 && end === bytes.length
}

describe('a line', () => {
  test('is proven where JSON.parse reads an object, whatever is changed in it', () => {
    const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 6 })
    const sign = fc.constantFrom(...'{}[]",:\\/ \t\r0123456789-+.eEtrufalsn\u0001\u007fé', '')
    const spread = fc.constantFrom(undefined, ' ', '\t')
    const tried = runs(300, 3000)
    let [good, bad] = [0, 0]
    fc.assert(
      fc.property(value, spread, fc.array(fc.tuple(fc.nat(), sign), { maxLength: 3 }), (made, indent, changes) => {
        let text = JSON.stringify(made, undefined, indent).replaceAll('\n', '')
        for (const [place, put] of changes) {
          const at = place % (text.length + 1)
          // Replaced, inserted or taken out.
          text = text.slice(0, at) + put + text.slice(at + (place % 3 === 0 ? 0 : 1))
        }
        const whole = text.toWellFormed()
        const wanted = whole.startsWith('{') && whole.endsWith('}') && parses(whole)
        if (wanted) good++
        else bad++
        expect(proven(whole)).toBe(wanted)
      }),
      { numRuns: tried },
    )
    expect(good).toBeGreaterThan(tried / 5)
    expect(bad).toBeGreaterThan(tried / 5)
  })

  test.each([
    '{}',
    '{"a":[]}',
    '{"a":{},"b":[{},[],[[]]]}',
    '{"a":-0,"b":0.5,"c":1e5,"d":-12.25E-3,"e":2E+9,"f":12345678901234567890}',
    '{ "a" : true , "b" : [ false , null ] }',
    '{"\\u00e9\\ud83d":"\\"\\\\\\/\\b\\f\\n\\r\\t \u007f\u2028é"}',
    '{"a":1,"a":2}',
  ])('%s is proven', (text) => {
    expect(parses(text)).toBe(true)
    expect(proven(text)).toBe(true)
  })

  test.each([
    '',
    '[]',
    '1',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1}',
    '{"a":[1}]',
    '{"a":1]',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":-}',
    '{"a":--1}',
    '{"a":tru}',
    '{"a":nulls}',
    '{"a":NaN}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u12"}',
    '{"a":"\t"}',
    '{"a":"b}',
    '{"a":"b\\"}',
    "{'a':1}",
    '{a:1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1}}',
    '{"a":1}{"b":2}',
    '{"a":1},',
  ])('%s is not proven', (text) => {
    expect(proven(text)).toBe(false)
  })

  test('is read to its end wherever a sign stands in sixteen bytes, and also at the end of the answer', () => {
    const signs = ['"', '\\"', '\\u0041', '\u001f', '\u0000', '\\x', '!', '#', '[', ']', ' ', '\u007f', 'é', '₹', '🎁']
    for (const sign of signs)
      for (let length = 0; length < 18; length++)
        for (let rest = 0; rest < 9; rest++) {
          const text = `{"${'k'.repeat(length)}${sign}${'é!'.repeat(rest)}":"${'v'.repeat(rest)}${sign}"}`
          expect([text, proven(text)]).toEqual([text, parses(text)])
          expect(typeof cutLines(Buffer.from(`${text}\n`))).toBe(parses(text) ? 'object' : 'string')
        }
  })

  test('is not proven by the next line, nor by what lies behind the last one', () => {
    for (const broken of ['{"a":"b', '{"a":', '{"a":[1', '{"a":tr', '{"a":"\\', '{"a":"\\u00', '{"a":1', '{"a":-'])
      expect(cutLines(Buffer.from(`${broken}\n"}]}ue":1}\n`))).toBe('other')
    const room = Buffer.from('{"a":"b\n"}\n')
    expect(cutLines(room.subarray(0, 8))).toBe('other')
    expect(cutLines(room.subarray(0, 7))).toBe('cut')
  })

  test('is judged the same however its bytes arrive', () => {
    const good = Array.from({ length: 40 }, (_, n) => `{"id":"${n}","text":"${'é"'.repeat(n).replaceAll('"', '\\"')}"}`)
    const texts = [
      good,
      [...good.slice(0, 20), `{"long":"${'x'.repeat(70_000)}"}`, ...good.slice(20)],
      [...good.slice(0, 20), '{"a":}', ...good.slice(20)],
    ]
    for (const lines of texts) {
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      // The rest of the memory has an earlier answer, whose lines prove nothing.
      const room = Buffer.alloc(bytes.length, '{"old":1}\n')
      const whole = cutLines(bytes)
      for (const step of [1, 7, 100, 5000, bytes.length]) {
        let proven: ProvenLines = { count: 0, end: 0 }
        for (let size = 0; size < bytes.length;) {
          const next = Math.min(bytes.length, size + step)
          bytes.copy(room, size, size, next)
          size = next
          if (step > 1 || size % 97 === 0) proven = provenMore(room.subarray(0, size), proven)
        }
        const cut = cutLines(room, undefined, proven)
        if (typeof whole === 'string') expect(cut).toBe(whole)
        else expect([(cut as typeof whole).count, (cut as typeof whole).records]).toEqual([lines.length, lines])
      }
    }
  })

  test('that is deeper or longer than any record is judged by its value', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect([nested(499), nested(500)].map(proven)).toEqual([true, false])
    expect(cutLines(Buffer.from(`${nested(500)}\n`))).toMatchObject({ count: 1 })
    expect(cutLines(Buffer.from(`${nested(5000)}\n`))).toBe('deep')
    const long = `{"a":"${'b'.repeat(70_000)}"}`
    expect(proven(long)).toBe(false)
    expect(cutLines(Buffer.from(`${long}\n{"b":1} \n`))).toMatchObject({ count: 2, records: [long, '{"b":1} '] })
    expect(cutLines(Buffer.from(`{"a":[${'[],'.repeat(400_000)}1]}\n`))).toBe('crowded')
  })

  test('is proven wherever it lies in the parts that are looked at, up to 65,536 bytes', () => {
    const line = (bytes: number): string => `{"a":"${'b'.repeat(bytes - 8)}"}`
    for (const before of [1, 65_535, 65_536, 65_537, 131_070, 131_071, 131_072, 131_073, 200_000])
      for (const bytes of [65_535, 65_536, 65_537]) {
        const earlier = Array.from({ length: Math.ceil(before / 1000) }, (_, n) =>
          line(Math.min(1000, before - n * 1000 + 9) - 1),
        )
        const text = `${[...earlier, line(bytes), line(20)].join('\n')}\n`
        const { count, end } = provenLines(Buffer.from(text), 0)
        const all = bytes <= 65_536
        expect([before, bytes, count, end]).toEqual([
          before,
          bytes,
          earlier.length + (all ? 2 : 0),
          all ? text.length : earlier.join('\n').length + 1,
        ])
      }
  })

  test('many short lines that are not proven took three times as long as without a proof: each was copied with 128 KB', () => {
    const lines = 20_000
    const bytes = Buffer.from('{} \n{"a":"b"} \n'.repeat(lines / 2))
    const memory = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array
    const { set } = memory
    let copied = 0
    const counted = vi.spyOn(memory, 'set').mockImplementation(function (this: Uint8Array, part, at) {
      copied += part.length
      set.call(this, part, at)
    })
    onTestFinished(() => counted.mockRestore())
    expect(cutLines(bytes)).toMatchObject({ count: lines })
    expect(copied).toBeGreaterThan(0)
    expect(copied / lines).toBeLessThanOrEqual(4096)
  })
})

describe('where Node has no WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  test('no line is proven, and each is judged by its value', async () => {
    vi.stubGlobal('WebAssembly', undefined)
    vi.resetModules()
    const { provenLines: proof } = await import('../../src/client/lineproof.ts')
    const { cutLines: cut } = await import('../../src/client/recordtext.ts')
    const lines = ['{"a":1}', '{"b":[]}']
    expect(proof(Buffer.from(`${lines.join('\n')}\n`), 0)).toEqual({ count: 0, end: 0 })
    expect(cut(Buffer.from(`${lines.join('\n')}\n`))).toMatchObject({ count: 2, records: lines })
    expect(cut(Buffer.from('{"a":1}\n{"a":}\n'))).toBe('other')
  })
})
