// Tables and cards: widths, alignment, what is never cut, and both ways of drawing, with names from many scripts.

import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'

import { chooseColumns, unknownColumns, type Column } from '../../../src/cli/output/columns.ts'
import type { Paint, Screen } from '../../../src/cli/terminal/screen.ts'
import { streamTable, table } from '../../../src/cli/output/table.ts'
import { cut, folded, padEnd, padStart, widthOf } from '../../../src/cli/terminal/width.ts'
import { runs } from '../../support/size.ts'

const same = (text: string): string => text
const off: Paint = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  cyan: same,
  magenta: same,
}
const code =
  (on: number, reset: number) =>
  (text: string): string =>
    `\x1b[${on}m${text}\x1b[${reset}m`
const on: Paint = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
  blue: code(34, 39),
  cyan: code(36, 39),
  magenta: code(35, 39),
}
const screenOf = (width: number, more: Partial<Screen> = {}): Screen => ({
  width,
  paint: off,
  ascii: false,
  tz: 'Asia/Kolkata',
  now: 0,
  pii: false,
  tty: true,
  placing: false,
  wide: false,
  ...more,
})
const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
const uncoloured = (text: string): string => text.replace(escapes, '')
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

interface Parcel {
  readonly awb: string
  readonly name: string
  readonly amount: number
  readonly status: string
  readonly address: string
}
const columns: readonly Column<Parcel>[] = [
  { key: 'awb', header: 'AWB', raw: ({ awb }) => awb, whole: true, rank: 1 },
  { key: 'name', header: 'Customer', raw: ({ name }) => name, rank: 2 },
  {
    key: 'status',
    header: 'Status',
    raw: ({ status }) => status,
    show: ({ status }) => ({ text: status, paint: 'green' }),
    rank: 3,
  },
  {
    key: 'amount',
    header: 'Amount',
    raw: ({ amount }) => amount,
    show: ({ amount }) => `₹${amount}.00`,
    right: true,
    whole: true,
    rank: 2,
  },
  { key: 'address', header: 'Address', raw: ({ address }) => address, rank: 5 },
]

const names = [
  'Asha Rao',
  'राजेश कुमार शर्मा',
  'श्रीमती क्षमा',
  'தமிழ்ச்செல்வி இளங்கோவன்',
  'മോഹന്\u200dലാല്\u200d',
  'محمد علي',
  'שרה כהן',
  '山田太郎',
  '👩\u200d🚀 Crew',
  '👨\u200d👩\u200d👧',
  '🇮🇳 Bharat',
  '❤️ Shop',
  'Zoë',
  'e\u0301clair',
  '한국어',
  '\u0301',
  '',
  '⏎',
  'x\ny',
  '"quoted"',
]
const name = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
const parcel = fc.record({
  awb: fc.stringMatching(/^[0-9A-Z]{8,14}$/),
  name,
  amount: fc.integer({ min: 0, max: 100_000 }),
  status: fc.constantFrom('In transit', 'Delivered', 'RTO in transit', 'Out for delivery'),
  address: name,
})
const parcels = fc.array(parcel, { minLength: 1, maxLength: 8 })

const fixed: readonly Parcel[] = [
  { awb: '1234567890123', name: 'राजेश कुमार', amount: 1499, status: 'Delivered', address: '12 MG Road, Bengaluru' },
  { awb: '9876543210987', name: 'Asha', amount: 62, status: 'In transit', address: 'Pune' },
]

describe('table', () => {
  test('by example', () => {
    expect(table(columns, fixed, screenOf(80)).text.split('\n')).toEqual([
      'AWB            CUSTOMER   STATUS        AMOUNT  ADDRESS',
      '1234567890123  राजेश कुमार  Delivered   ₹1499.00  12 MG Road, Bengaluru',
      '9876543210987  Asha       In transit    ₹62.00  Pune',
      '',
    ])
  })

  test.each([60, 80, 120, 200])('at %i columns lines fit, columns are aligned and nothing whole is cut', (width) => {
    fc.assert(
      fc.property(parcels, fc.boolean(), (rows, colour) => {
        const { text, hidden } = table(columns, rows, screenOf(width, { paint: colour ? on : off }))
        const lines = linesOf(uncoloured(text))
        expect(lines).toHaveLength(rows.length + 1)
        for (const line of lines) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width)
          expect(line).toBe(line.trimEnd())
        }
        for (const [i, { awb, amount }] of rows.entries()) {
          expect(lines[i + 1]!.startsWith(awb)).toBe(true)
          if (lines[0]!.includes('AMOUNT')) expect(lines[i + 1]).toContain(`  ₹${amount}.00`)
        }
        const shown = ['AWB', 'CUSTOMER', 'STATUS', 'AMOUNT', 'ADDRESS'].filter((header) => lines[0]!.includes(header))
        expect(shown.length).toBe(columns.length - hidden.length)
        const end = lines[0]!.indexOf('AMOUNT') + 'AMOUNT'.length
        const status = lines[0]!.indexOf('STATUS')
        for (const [i, { amount, status: said }] of rows.entries()) {
          if (end > 'AMOUNT'.length) {
            const before = lines[i + 1]!.slice(0, lines[i + 1]!.indexOf(`₹${amount}.00`) + `₹${amount}.00`.length)
            expect(stringWidth(before)).toBe(end)
          }
          if (status > 0) expect(stringWidth(lines[i + 1]!.slice(0, lines[i + 1]!.indexOf(said)))).toBe(status)
        }
      }),
      { numRuns: runs(30, 300) },
    )
  })

  test('columns of the highest rank go first and are named, then flexible ones are cut', () => {
    const headers = (width: number): string => linesOf(table(columns, fixed, screenOf(width)).text)[0]!
    const long = fixed.map((row) => ({
      ...row,
      address: 'Shivaji Nagar '.repeat(20),
      name: 'Venkatanarasimharajuvaripeta '.repeat(3),
    }))
    expect(headers(80)).toMatch(/ADDRESS$/)
    const narrow = table(columns, long, screenOf(62))
    expect(narrow.hidden).toEqual(['Address'])
    expect(narrow.text).not.toContain('ADDRESS')
    expect(narrow.text).toContain('Venkatanarasimharajuvari…')
    expect(narrow.text).toContain('1234567890123')
    const wide = table(columns, long, screenOf(120))
    expect(wide.hidden).toEqual([])
    expect(Math.max(...linesOf(wide.text).map((line) => stringWidth(line)))).toBe(120)
    expect(table(columns, long, screenOf(120, { ascii: true })).text).toContain('...')
  })

  test('100 rows by cli-table3 and 101 by our own padding are the same bytes', () => {
    fc.assert(
      fc.property(
        fc.array(parcel, { minLength: 100, maxLength: 100 }),
        fc.constantFrom(60, 80, 120),
        fc.boolean(),
        (rows, width, colour) => {
          const screen = screenOf(width, { paint: colour ? on : off })
          const library = table(columns, rows, screen)
          const ours = table(columns, [...rows, rows[0]!], screen)
          expect(linesOf(library.text)).toHaveLength(101)
          expect(linesOf(ours.text).slice(0, 101)).toEqual(linesOf(library.text))
          expect(ours.hidden).toEqual(library.hidden)
        },
      ),
      { numRuns: runs(3, 30) },
    )
  })

  test('colour is added after the text is safe, and changes no width', () => {
    const rows = [{ ...fixed[0]!, status: '\x1b[31mred\u202e', name: '\x9b2J' }]
    const { text } = table(columns, rows, screenOf(120, { paint: on }))
    expect(text).toContain('\x1b[1mAWB\x1b[22m')
    expect(text).toContain('\x1b[32m\\u{1b}[31mred\\u{202e}\x1b[39m')
    expect(text).toContain('\\u{9b}2J')
    expect(uncoloured(text)).toBe(table(columns, rows, screenOf(120)).text)
  })

  test('no hostile string leaves a raw control, bidi or escape byte, at any width', () => {
    const awkward = [
      '\x1b]0;x\x07',
      '\x9b',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u2028',
      '\ue000',
      '\ud800',
      '\u0301',
    ]
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
      .map((parts) => parts.join(''))
    const rows = fc.array(
      fc.record({ awb: hostile, name: hostile, amount: fc.integer(), status: hostile, address: hostile }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(rows, fc.constantFrom(20, 40, 60, 80, 200), (records, width) => {
        const stream = streamTable(columns, screenOf(width))
        const texts = [table(columns, records, screenOf(width)).text, stream.header(records) + stream.rows(records)]
        for (const text of texts) {
          expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
          expect(text).not.toMatch(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/)
          expect(text).not.toMatch(/ $/m)
          expect(text.isWellFormed()).toBe(true)
        }
        if (records.length > 0 && width >= 60 && texts[0]!.startsWith('AWB '))
          expect(linesOf(texts[0]!)).toHaveLength(records.length + 1)
      }),
      { numRuns: runs(100, 1000) },
    )
  })

  test('nothing to show is no text', () => {
    expect(table(columns, [], screenOf(80))).toEqual({ text: '', hidden: [] })
    expect(table([], fixed, screenOf(80))).toEqual({ text: '', hidden: [] })
  })
})

describe('cards', () => {
  test('by example at 40 and 20 columns', () => {
    expect(table(columns, [fixed[1]!], screenOf(40)).text).toBe(
      [
        'AWB:      9876543210987',
        'Customer: Asha',
        'Status:   In transit',
        'Amount:   ₹62.00',
        'Address:  Pune',
        '',
      ].join('\n'),
    )
    expect(table(columns, [{ ...fixed[0]!, name: '' }], screenOf(20)).text).toBe(
      ['AWB: 1234567890123', 'Status: Delivered', 'Amount: ₹1499.00', 'Address:', '  12 MG Road, Benga…', ''].join(
        '\n',
      ),
    )
  })

  test.each([20, 40, 59])('at %i columns lines fit and whole values are all there', (width) => {
    fc.assert(
      fc.property(parcels, fc.boolean(), (rows, colour) => {
        const { text, hidden } = table(columns, rows, screenOf(width, { paint: colour ? on : off }))
        const lines = linesOf(uncoloured(text))
        expect(hidden).toEqual([])
        for (const line of lines) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width)
          expect(line).toBe(line.trimEnd())
        }
        const packed = lines.map((line) => line.trimStart()).join('')
        for (const { awb, amount } of rows) {
          expect(packed.replace(/: +/g, ':')).toContain(`AWB:${awb}`)
          expect(packed).toContain(`₹${amount}.00`)
        }
        expect(lines.filter((line) => line === '')).toHaveLength(rows.length - 1)
      }),
      { numRuns: runs(30, 300) },
    )
  })

  test('a whole value wider than the screen makes cards and is wrapped, not cut', () => {
    const awb = 'A'.repeat(150)
    const { text, hidden } = table(columns, [{ ...fixed[0]!, awb }], screenOf(80))
    expect(hidden).toEqual([])
    expect(linesOf(text).slice(0, 3)).toEqual(['AWB:', `  ${'A'.repeat(78)}`, `  ${'A'.repeat(72)}`])
  })

  test('a hostile whole value is wrapped in linear time', { tags: ['full'] }, () => {
    const rows = [{ ...fixed[0]!, awb: 'क'.repeat(100_000) }]
    const started = performance.now()
    expect(linesOf(table(columns, rows, screenOf(80)).text).length).toBeGreaterThan(1200)
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('columns that the user names all stay: narrower, and cards where they do not fit', () => {
    const named = columns.map((column) => ({ ...column, named: true as const }))
    const row = { ...fixed[0]!, address: 'House 12, Lake View Road, Kodihalli, Bengaluru' }
    for (const width of [80, 62]) {
      const { text, hidden } = table(named, [row], screenOf(width))
      expect([width, hidden]).toEqual([width, []])
      expect(Math.max(...linesOf(text).map(widthOf))).toBeLessThanOrEqual(width)
      expect(text.toLowerCase()).toContain('address')
    }
    expect(table(columns, [row], screenOf(62)).hidden).not.toEqual([])
  })

  test('even a screen of one column ends', () => {
    expect(table(columns, fixed, screenOf(1)).text).toContain('1\n2\n3\n')
    expect(table(columns, [{ ...fixed[0]!, awb: '山' }], screenOf(1)).text).toContain('山')
  })
})

describe('streamTable', () => {
  test('the first page fixes the widths; later pages are aligned, cut, and never cut what is whole', () => {
    const stream = streamTable(columns, screenOf(90))
    const header = stream.header(fixed)
    const later = stream.rows([{ ...fixed[1]!, name: 'Venkatanarasimharajuvaripeta Rao', status: 'Out for delivery' }])
    expect(header).toMatch(/^AWB +CUSTOMER +STATUS +AMOUNT +ADDRESS\n$/)
    expect(later).toContain('9876543210987  Venkatanarasimh…  Out for delivery  ')
    expect(later.indexOf('₹62.00') + 6).toBe(header.indexOf('AMOUNT') + 6)
    expect(stream.rows([{ ...fixed[0]!, awb: 'X'.repeat(20) }])).toContain('X'.repeat(20))
    expect(stream.hidden()).toEqual([])
    expect(stream.rows([])).toBe('')
  })

  test('a page that fills the screen looks like the table', () => {
    fc.assert(
      fc.property(parcels, (rows) => {
        const wide = rows.map((row) => ({
          ...row,
          name: `${row.name} and sons, Bengaluru`,
          status: 'Out for delivery',
          address: 'Marathahalli Bridge',
        }))
        const stream = streamTable(columns, screenOf(100))
        const drawn = table(columns, wide, screenOf(100))
        expect(stream.header(wide) + stream.rows(wide)).toBe(drawn.text)
        expect(stream.hidden()).toEqual(drawn.hidden)
      }),
      { numRuns: runs(20, 100) },
    )
  })

  test('cards on a narrow screen, with a blank line between pages', () => {
    const stream = streamTable(columns, screenOf(40))
    expect(stream.header(fixed)).toBe('')
    const text = stream.rows([fixed[0]!]) + stream.rows([fixed[1]!])
    expect(text).toBe(table(columns, fixed, screenOf(40)).text)
  })
})

describe('columns', () => {
  const all: readonly Column<Parcel>[] = [
    ...columns,
    { key: 'zone', header: 'Zone', raw: () => 'c', rank: 9, wide: true },
  ]
  const keys = (chosen: readonly Column<Parcel>[]): string[] => chosen.map(({ key }) => key)

  test('named ones in the order named, wide ones only when asked for, by their words or the names of the API', () => {
    expect(keys(chooseColumns({ columns: all, paths: { awb: 'tracking_number' } }, undefined, false))).toEqual([
      'awb',
      'name',
      'status',
      'amount',
      'address',
    ])
    expect(keys(chooseColumns({ columns: all, paths: { awb: 'tracking_number' } }, undefined, true))).toEqual([
      'awb',
      'name',
      'status',
      'amount',
      'address',
      'zone',
    ])
    expect(
      keys(chooseColumns({ columns: all, paths: { awb: 'tracking_number' } }, ['zone', ' AWB', 'zone', 'nope'], false)),
    ).toEqual(['zone', 'awb'])
    const named = ['tracking_number', 'zone']
    expect(keys(chooseColumns({ columns: all, paths: { awb: 'tracking_number' } }, named, false))).toEqual([
      'awb',
      'zone',
    ])
    expect(unknownColumns({ columns: all, paths: { awb: 'tracking_number' } }, ['zone', 'nope', 'Awb', 'x'])).toEqual([
      'nope',
      'x',
    ])
  })
})

describe('width', () => {
  test('the fast path measures as string-width does', () => {
    for (let point = 0x20; point < 0x300; point++) {
      const char = String.fromCodePoint(point)
      expect([point, widthOf(`a${char}b`)]).toEqual([point, stringWidth(`a${char}b`)])
    }
    for (const mark of '₹–—•…·⏎✓✗') expect(widthOf(mark)).toBe(stringWidth(mark))
    expect(widthOf(on.red('राजेश'))).toBe(stringWidth('राजेश'))
  })

  test('padding and cutting give the width asked for, at grapheme borders', () => {
    expect(padEnd('₹5', 4)).toBe('₹5  ')
    expect(padStart(on.red('山'), 4)).toBe(`  ${on.red('山')}`)
    expect(padEnd('longer', 3)).toBe('longer')
    expect(cut('Bengaluru', 5)).toBe('Beng…')
    expect(cut('Bengaluru', 9)).toBe('Bengaluru')
    expect(cut('山田太郎', 4)).toBe('山…')
    expect(cut('👨\u200d👩\u200d👧👨\u200d👩\u200d👧', 3)).toBe('👨\u200d👩\u200d👧…')
    expect(cut(`${on.red('Bengaluru')} city`, 5)).toBe('\x1b[31mBeng…\x1b[39m')
    expect([cut('abc', 1), cut('abc', 0), cut('abc', 2, '...')]).toEqual(['…', '', '..'])
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, n, colour) => {
        const given = colour ? on.red(text) : text
        const taken = cut(given, n)
        expect(stringWidth(taken)).toBeLessThanOrEqual(n)
        expect(stringWidth(taken) === stringWidth(text) || uncoloured(taken).endsWith('…')).toBe(true)
        expect(text.startsWith(uncoloured(taken).replace(/…$/, ''))).toBe(true)
        expect(stringWidth(padEnd(taken, n))).toBe(n)
        expect(padStart(taken, n).endsWith(taken)).toBe(true)
      }),
      { numRuns: runs(200, 2000) },
    )
  })

  test('lines are filled with words, and a word that is too wide is broken between graphemes', () => {
    const family = '👨\u200d👩\u200d👧'
    expect(folded('महाराष्ट्र राज्य विद्युत', 8)).toEqual(['महाराष्ट्र', 'राज्य विद्युत'])
    expect(folded(`₹1,499 ${family}${family}${family}`, 4)).toEqual(['₹1,4', '99', `${family}${family}`, family])
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), fc.integer({ min: 2, max: 30 }), (names, n) => {
        const text = names.join(' ')
        const lines = folded(text, n)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
        const graphemes = (line: string): number => [...new Intl.Segmenter().segment(line)].length
        for (const line of lines) expect(widthOf(line) <= n || graphemes(line) === 1).toBe(true)
      }),
    )
  })
})
