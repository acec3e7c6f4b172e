// Untrusted text on a terminal, in pipes and in JSON: hostile strings, and the joiners that names need.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Column } from '../../../src/cli/output/columns.ts'
import { pipedLines } from '../../../src/cli/output/printer.ts'
import { isTypable, quoted, safe, safeJson, safeLines, lookedAt } from '../../../src/cli/terminal/safe.ts'
import { runs } from '../../support/size.ts'

const joiners = /[\u200c\u200d]/
const control = /[\p{Cc}\u2028\u2029]/u
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const invisible = /[\u200b\u2060\ufeff]/

const awkward = [
  ...'\0\x07\b\t\n\r\x1b\x7f\x80\x9b\x9d\x9f',
  ...'\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\u{e0041}',
  ...'\ud800x\udfffx\ude00',
  ...'क്👩🏽😀a"\\',
  '\x1b[31m',
  '\x1b]0;owned\x07',
  '\\u',
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 })
  .map((parts) => parts.join(''))

test('no hostile string leaves a raw control, bidi or invisible character or a lone surrogate', () => {
  let changed = 0
  fc.assert(
    fc.property(hostile, (text) => {
      for (const use of ['line', 'id'] as const) {
        const shown = safe(text, use)
        if (shown !== text) changed++
        expect(shown).not.toMatch(control)
        expect(shown).not.toMatch(bidi)
        expect(shown).not.toMatch(invisible)
        expect(shown.isWellFormed()).toBe(true)
        expect(safe(shown, use)).toBe(shown)
      }
      expect(safe(text, 'id')).not.toMatch(joiners)
    }),
    { numRuns: runs(500, 5000) },
  )
  expect(changed).toBeGreaterThan(runs(300, 5000))
})

test('visible escapes name the character', () => {
  expect(safe('a\nb\tc\rd')).toBe('a⏎b c\\u{d}d')
  expect(safe('\x1b[2J\x9b\x7f')).toBe('\\u{1b}[2J\\u{9b}\\u{7f}')
  expect(safe('evil\u202etxt.exe')).toBe('evil\\u{202e}txt.exe')
  expect(safe('\ud800x\udfff')).toBe('\\u{d800}x\\u{dfff}')
  expect(safe('a\u{e0041}')).toBe('a\\u{e0041}')
})

test('text without such characters is the same text', () => {
  for (const text of ['', 'Deccan Parcel', 'राजेश कुमार', '₹1,00,000.00', '😀', 'محمد', 'தமிழ்', 'é\u0301']) {
    expect(safe(text)).toBe(text)
    expect(safe(text, 'id')).toBe(text)
  }
})

test('joiners stay where they shape an Indic name or an emoji, and only in a line', () => {
  const kept = [
    'क्\u200dष',
    'क्\u200cष',
    'അവന്\u200d',
    'ശ്രീ\u200cകല',
    'র\u200d্য',
    '👩\u200d🚀',
    '🧑🏽\u200d🔧',
    '🏳️\u200d🌈',
  ]
  for (const text of kept) {
    expect(safe(text)).toBe(text)
    expect(safe(text, 'id')).not.toMatch(joiners)
  }
  for (const text of [
    'ac\u200dme',
    'acme\u200d',
    '\u200dक',
    'क\u200c',
    'क्\u200d\u200dष',
    '1\u200d2',
    '😀\u200d',
    'क\u200da',
  ]) {
    expect(safe(text)).not.toMatch(joiners)
    expect(safe(text)).toContain('\\u{200')
  }
})

test('a word in a command that is shown keeps its joiners: the copied command is the same', () => {
  for (const word of ['👨\u200d👩\u200d👧 Toys', 'क्\u200dष', 'ശ്രീ\u200cകല', '🏳️\u200d🌈']) {
    expect(quoted(word)).toBe(`'${word}'`)
    expect(isTypable(word)).toBe(true)
  }
  for (const word of ['ac\u200dme', 'acme\u200b', 'evil\u202etxt', '😀\u200d', 'a\nb', 'a\tb', '\x1b[2J']) {
    expect(quoted(word)).not.toMatch(joiners)
    expect(isTypable(word)).toBe(false)
  }
})

test('safeJson has no raw control or bidi character and parses to equal data', () => {
  let changed = 0
  fc.assert(
    fc.property(fc.jsonValue(), hostile, hostile, (value, key, text) => {
      const data = { value, [`k${key}`]: [text] }
      for (const json of [JSON.stringify(data), JSON.stringify(data, null, 2)]) {
        const shown = safeJson(json)
        if (shown !== json) changed++
        const lines = safeLines(new TextEncoder().encode(json))
        expect(typeof lines === 'string' ? lines : new TextDecoder().decode(lines)).toBe(safeJson(json.toWellFormed()))
        expect(shown).not.toMatch(/[\u007f-\u009f\u2028\u2029]/)
        expect(shown).not.toMatch(bidi)
        expect(JSON.parse(shown)).toEqual(JSON.parse(json))
      }
    }),
    { numRuns: runs(500, 5000) },
  )
  expect(changed).toBeGreaterThan(runs(200, 2000))
  expect(safeJson('{"a":"\u009b\u202e\u2028"}')).toBe('{"a":"\\u009b\\u202e\\u2028"}')
  expect(safeJson('"\ud800"')).toBe('"\\ud800"')
  expect(safeJson('{"a":"₹ राजेश 😀"}')).toBe('{"a":"₹ राजेश 😀"}')
})

test('an unsafe character is found wherever it lies between two parts of a large piece, and no other is', () => {
  const encoder = new TextEncoder()
  for (const [char, unsafe] of [
    ['\u007f', true],
    ['\u009b', true],
    ['\u061c', true],
    ['\u202e', true],
    ['\u2069', true],
    ['₹', false],
    ['राजेश', false],
  ] as const)
    for (const before of [
      lookedAt - 6,
      ...Array.from({ length: 8 }, (_, i) => lookedAt - 4 + i),
      2 * lookedAt - 1,
      200_000,
    ]) {
      const text = `"${'a'.repeat(before)}${char}${'b'.repeat(70_000)}"`
      const bytes = encoder.encode(text)
      const shown = safeLines(bytes)
      expect(shown === bytes).toBe(!unsafe)
      if (unsafe) expect(shown).toBe(safeJson(text))
    }
})

interface Row {
  readonly id: string
  readonly note: string | number | boolean | null | undefined
}
const columns: readonly Column<Row>[] = [
  { key: 'id', header: 'Id', raw: ({ id }) => id, rank: 1 },
  { key: 'note', header: 'Note', raw: ({ note }) => note, show: () => 'never piped', rank: 2 },
]

test('piped lines are exact values between tabs, whatever is in them', () => {
  expect(pipedLines(columns, [{ id: 'A1', note: 1234.5 }])).toBe('A1\t1234.5\n')
  expect(pipedLines(columns, [{ id: 'A1', note: null }])).toBe('A1\t\n')
  expect(pipedLines(columns, [{ id: 'A1', note: false }])).toBe('A1\tfalse\n')
  expect(pipedLines(columns, [{ id: 'a\tb', note: 'one\r\ntwo\nthree\rfour' }])).toBe('a b\tone two three four\n')
  expect(pipedLines(columns, [{ id: '\x1b[31m', note: undefined }])).toBe('\\u{1b}[31m\t\n')
  expect(pipedLines(columns, [])).toBe('')
  fc.assert(
    fc.property(fc.array(fc.record({ id: hostile, note: hostile }), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = pipedLines(columns, rows)
      expect(text.endsWith('\n')).toBe(true)
      const lines = text.slice(0, -1).split('\n')
      expect(lines).toHaveLength(rows.length)
      for (const line of lines) {
        expect(line.split('\t')).toHaveLength(2)
        expect(line.replaceAll('\t', '')).not.toMatch(control)
        expect(line).not.toMatch(bidi)
      }
    }),
  )
})
