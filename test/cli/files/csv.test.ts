// CSV and TSV: what is written reads back, nothing runs as a formula; and the flat names and narrowed records behind them.

import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { csvWriter, unguard } from '../../../src/cli/files/csv.ts'
import { flatReader, nested, noObject } from '../../../src/cli/output/flatcells.ts'
import { flatNames, flatten, pick, unknownFields } from '../../../src/cli/output/flat.ts'
import { cellsIn } from '../../support/excelcells.ts'
import { runs } from '../../support/size.ts'

const plain = { raw: false, excel: false, tsv: false } as const
const number = /^-?\d+(\.\d+)?$/
const triggers = /^[=+\-@\t\r\n]/

const awkward = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  "'",
  '"',
  ',',
  ';',
  ' ',
  '1',
  '0',
  '.',
  '\ufeff',
  'क',
  '😀',
  '=HYPERLINK("x")',
]
const cell = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ maxLength: 3 })), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.stringMatching(/^\+?\d{1,15}$/),
)
const sheet = fc
  .integer({ min: 1, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))

const read = (text: string, excel = false): string[][] => parse(text, { bom: excel })

describe('csv', () => {
  test.each([
    ['plain', plain, true],
    ['raw', { ...plain, raw: true }, false],
    ['excel', { ...plain, excel: true }, true],
  ] as const)('written, read by csv-parse and unguarded, a %s sheet is the same', (_, options, unguarded) => {
    let quoted = 0
    fc.assert(
      fc.property(sheet, (rows) => {
        const writer = csvWriter(options)
        const names = rows[0]!.map((_, i) => `column_${i}`)
        const text = writer.header(names) + rows.map(writer.row).join('')
        if (text.includes('"')) quoted++
        const [header, ...cells] = read(text, options.excel)
        expect(header).toEqual(names)
        expect(unguarded ? cells.map((row) => row.map(unguard)) : cells).toEqual(rows)
      }),
      { numRuns: runs(200, 2000) },
    )
    expect(quoted).toBeGreaterThan(runs(20, 200))
  })

  test('no cell starts as a formula, unless it is a plain number', () => {
    let guarded = 0
    fc.assert(
      fc.property(sheet, (rows) => {
        for (const row of read(rows.map(csvWriter(plain).row).join(''))) {
          for (const text of row) {
            if (text.startsWith("'")) guarded++
            if (!number.test(text)) expect(text).not.toMatch(triggers)
          }
        }
      }),
      { numRuns: runs(500, 5000) },
    )
    expect(guarded).toBeGreaterThan(runs(100, 1000))
  })

  test('no cell starts as a formula where ; or a tab separates cells either', () => {
    let inside = 0
    fc.assert(
      fc.property(sheet, fc.boolean(), (rows, excel) => {
        const text = rows.map(csvWriter({ ...plain, excel }).row).join('')
        for (const row of rows) for (const own of row) if (/[;\t\n][=@]/.test(own)) inside++
        for (const separator of [';', '\t'])
          for (const part of cellsIn(text, separator))
            // A number in front of its line's other cells is none; digits that are to stay text in Excel are a formula of ours.
            if (!/^-?\d+(\.\d+)?(,|$)|^="\+?[\d -]+"/.test(part)) expect(part).not.toMatch(/^[=+\-@]/)
      }),
      { numRuns: runs(500, 5000) },
    )
    expect(inside).toBeGreaterThan(runs(1, 100))
  })

  test('a formula behind a separator inside a cell is guarded, and read back as it was', () => {
    const { row } = csvWriter(plain)
    const cells = [
      'Asha;=1+1',
      'a;"=1+1&"";b',
      "x;'=1",
      'y\n@SUM(1)',
      'z\t+1',
      '1;-5;2',
      '1;-5',
      '=1;=2',
      'plain; text',
    ]
    expect(row(cells)).toBe(
      `"Asha;'=1+1","a;'""=1+1&"""";b","x;''=1","y\n'@SUM(1)","z\t'+1","1;'-5;2","1;'-5","'=1;'=2","plain; text"\n`,
    )
    expect((parse(row(cells)) as string[][])[0]!.map(unguard)).toEqual(cells)
  })

  test('cells by example', () => {
    const { header, row } = csvWriter(plain)
    expect(header(['id', 'order.id'])).toBe('id,order.id\n')
    expect(row(['=1+1', '+91', '@x', '-a', '-5', '-5.25', '+5'])).toBe("'=1+1,'+91,'@x,'-a,-5,-5.25,'+5\n")
    expect(row(["'=1", "''-x", "'tis", 'a=b'])).toBe("''=1,'''-x,'tis,a=b\n")
    expect(row(['\tx', '\rx', '\nx'])).toBe('"\'\tx","\'\rx","\'\nx"\n')
    expect(row([null, undefined, true, -0.5, 1e21, -1e-7])).toBe(',,true,-0.5,1e+21,-1e-7\n')
    expect(row(['say "hi"', 'a,b', 'c\r\nd'])).toBe('"say ""hi""","a,b","c\r\nd"\n')
    expect(row([''])).toBe('""\n')
    expect(csvWriter({ ...plain, raw: true }).row(['=1', "'=1", '007'])).toBe("=1,'=1,007\n")
  })

  test('excel: a BOM first and long digits as text', () => {
    const { header, row } = csvWriter({ ...plain, excel: true })
    expect(header(['awb'])).toBe('\ufeffawb\n')
    expect(
      row(['12345678901', '1234567890', '+919876543221', '+91 98765 43221', '0042', '400001', '=1', 12345678901234]),
    ).toBe(
      '"=""12345678901""",1234567890,"=""+919876543221""","=""+91 98765 43221""","=""0042""",400001,\'=1,"=""12345678901234"""\n',
    )
    expect(unguard('="12345678901"')).toBe('12345678901')
  })

  test('an order id, a phone and an AWB that spreadsheets keep as text in ="…" were read with it', () => {
    for (const text of [
      '10001',
      'W-1',
      'FMPP3000023757',
      '3000007919',
      '9876543210',
      '700019',
      '00123',
      'a b',
      '',
      '=1',
    ])
      expect(unguard(`="${text}"`)).toBe(text)
    expect(unguard('=SUM(A1)')).toBe('=SUM(A1)')
    expect(unguard('="a"&"b"')).toBe('="a"&"b"')
    const { row } = csvWriter(plain)
    expect((parse(row(['="10001"'])) as string[][])[0]!.map(unguard)).toEqual(['="10001"'])
  })

  test('tsv: a line a row, the same cells with spaces for tabs and line breaks', () => {
    const writer = csvWriter({ ...plain, tsv: true })
    expect(writer.header(['id', 'note'])).toBe('id\tnote\n')
    expect(writer.row(['a\tb', '"c"\r\nd\ne', '=1', null])).toBe('a b\t"c" d e\t\'=1\t\n')
    fc.assert(
      fc.property(sheet, (rows) => {
        const lines = rows.map(writer.row).join('').slice(0, -1).split('\n')
        expect(lines).toHaveLength(rows.length)
        for (const [i, line] of lines.entries()) {
          const cells = line.split('\t')
          expect(cells).toHaveLength(rows[i]!.length)
          for (const text of cells) if (!number.test(text)) expect(text).not.toMatch(triggers)
        }
      }),
    )
  })
})

const shipment = {
  id: 's-1',
  type: 'shipment',
  attributes: {
    awb: 'A1',
    cod: null,
    order: { id: 'o-1', store_name: 'acme' },
    tags: ['a', 'b'],
    items: [
      { sku: 'x', qty: 1 },
      { sku: 'y', qty: 2 },
    ],
  },
}

describe('flat', () => {
  test('attributes are dropped, nested names joined, lists one cell', () => {
    expect([...flatten(shipment)]).toEqual([
      ['id', 's-1'],
      ['type', 'shipment'],
      ['awb', 'A1'],
      ['cod', null],
      ['order.id', 'o-1'],
      ['order.store_name', 'acme'],
      ['tags', '["a","b"]'],
      ['items', '[{"sku":"x","qty":1},{"sku":"y","qty":2}]'],
    ])
    expect([...flatten('zone_c')]).toEqual([['value', 'zone_c']])
    expect([...flatten([1, 2])]).toEqual([['value', '[1,2]']])
  })

  test('an attribute whose short name is taken keeps its long one, whatever comes first', () => {
    expect([...flatten({ attributes: { id: 2, __proto: 3 }, id: 1 })]).toEqual([
      ['attributes.id', 2],
      ['__proto', 3],
      ['id', 1],
    ])
    expect(pick({ attributes: { id: 2 }, id: 1 }, ['id'])).toEqual({ id: 1 })
    expect(pick({ attributes: { id: 2 }, id: 1 }, ['attributes.id'])).toEqual({ attributes: { id: 2 } })
  })

  test('the cells of columns are the values of their flat names, and tell what no column shows', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'id', '', 'attributes', '__proto__')
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.integer()))
    const tree = fc.letrec<{ tree: object }>((tie) => ({
      tree: fc.dictionary(key, fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('tree'))),
    })).tree
    const record = fc
      .oneof({ weight: 9, arbitrary: tree }, leaf)
      .map((one) => JSON.parse(JSON.stringify(one)) as unknown)
    let late = 0
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), fc.func(fc.boolean()), (records, chosen) => {
        const names = flatNames(records).filter((name) => chosen(name))
        const read = flatReader(names)
        for (const one of records) {
          const flat = flatten(one)
          const more = [...flat].some(
            ([name, value]) => !names.includes(name) && !(nested(name, names) && noObject(value)),
          )
          expect(read(one)).toEqual({ cells: names.map((name) => flat.get(name) ?? null), more })
          if (more) late++
        }
      }),
      { numRuns: runs(50, 200) },
    )
    expect(late).toBeGreaterThan(10)
  })

  test('records with ever new names read as all others do, and do not fill the memory', () => {
    const read = flatReader(['id', 'x.y'])
    for (let n = 0; n < 20_000; n++)
      expect(read({ id: n, [`new${n}`]: n, x: { y: 'z' } })).toEqual({ cells: [n, 'z'], more: true })
    for (const none of [null, '', ' ', []]) expect(read({ id: 1, x: none })).toEqual({ cells: [1, null], more: false })
    expect(read({ id: 1, x: 'z' })).toEqual({ cells: [1, null], more: true })
  })

  test('names are the union in first-seen order', () => {
    expect(
      flatNames([
        { b: 1, a: { c: 1 } },
        { d: null, b: 2 },
      ]),
    ).toEqual(['b', 'a.c', 'd'])
    expect(flatNames([])).toEqual([])
  })

  test('pick narrows and keeps the nesting', () => {
    expect(pick(shipment, ['order.id', 'id'])).toEqual({ id: 's-1', attributes: { order: { id: 'o-1' } } })
    expect(pick(shipment, ['attributes.awb', ' cod '])).toEqual({ attributes: { awb: 'A1', cod: null } })
    expect(pick(shipment, ['order'])).toEqual({ attributes: { order: { id: 'o-1', store_name: 'acme' } } })
    expect(pick(shipment, ['items.sku'])).toEqual({ attributes: { items: [{ sku: 'x' }, { sku: 'y' }] } })
    expect(pick(shipment, ['nope', 'awb.x', ''])).toEqual({})
    const hostile: unknown = JSON.parse('{"__proto__":{"polluted":1},"a":2}')
    expect(JSON.stringify(pick(hostile, ['__proto__.polluted']))).toBe('{"__proto__":{"polluted":1}}')
    expect(pick({ attributes: { constructor: 1 } }, ['constructor'])).toEqual({ attributes: { constructor: 1 } })
    expect(pick({}, ['constructor', '__proto__.toString'])).toEqual({})
  })

  test('every flat name picks just its value, and all of them the whole record', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'id', 'attributes')
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.integer()))
    const record = fc.letrec<{ tree: object }>((tie) => ({
      tree: fc.dictionary(key, fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('tree')), { minKeys: 1 }),
    })).tree
    fc.assert(
      fc.property(record, (value) => {
        const names = flatNames([value])
        expect(unknownFields([value], names)).toEqual([])
        expect(flatten(pick(value, names))).toEqual(flatten(value))
      }),
      { numRuns: runs(30, 300) },
    )
  })

  test('unknown fields are those that no record has', () => {
    expect(unknownFields([{ a: 1 }, shipment], ['a', 'awb', 'order.nope', 'nope', 'cod'])).toEqual([
      'order.nope',
      'nope',
    ])
    expect(unknownFields([], ['a'])).toEqual([])
  })
})
