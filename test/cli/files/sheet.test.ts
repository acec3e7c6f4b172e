// Defends the reading of tables: what people's programs write comes in as they meant it, what is no table is refused with
// the line and the way out, and nothing depends on how the bytes arrive.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ShipxError } from '../../../src/domain/errors.ts'
import { csvWriter } from '../../../src/cli/files/csv.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import type { SheetColumn } from '../../../src/cli/files/headers.ts'
import { openSheet } from '../../../src/cli/files/opensheet.ts'
import type { SheetRow } from '../../../src/cli/files/sheet.ts'
import { runs } from '../../support/size.ts'

const columns: readonly SheetColumn[] = [
  { name: 'store_name', aliases: ['store'], required: true },
  { name: 'brand_name', aliases: ['brand'] },
]

interface Got {
  readonly headers: readonly string[]
  readonly places: Readonly<Record<string, number>>
  readonly unknown: readonly string[]
  readonly rows: readonly SheetRow[]
}

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const cut of [...cuts, bytes.length]) {
    if (cut > at) yield bytes.subarray(at, cut)
    at = Math.max(at, cut)
  }
}

async function got(
  content: string | Uint8Array,
  cuts: readonly number[] = [],
  own = columns,
  map: readonly string[] = [],
): Promise<Got> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const plan = { path: 'x.csv', field: '<file>', columns: own, map, bytes: () => inPieces(bytes, cuts) }
  const { headers, places, unknown, rows } = await openSheet({} as Io, plan)
  const all: SheetRow[] = []
  for await (const batch of rows) all.push(...batch)
  return { headers, places: Object.fromEntries(places), unknown, rows: all }
}

const cellsOf = async (content: string | Uint8Array): Promise<readonly (readonly string[])[]> =>
  (await got(content)).rows.map(({ cells }) => cells)

/** The code and message that reading ends with. */
async function refusal(content: string | Uint8Array, map: readonly string[] = []): Promise<readonly [string, string]> {
  try {
    await got(content, [], columns, map)
  } catch (error) {
    if (error instanceof ShipxError)
      return [error.code, error.details.map(({ message }) => message).join('; ') || error.message]
    throw error
  }
  return ['none', '']
}

describe('what comes in', () => {
  test.each([
    ['plain', 'store_name,brand_name\na,A\n'],
    ['a BOM', '\ufeffstore_name,brand_name\na,A\n'],
    ['CRLF', 'store_name,brand_name\r\na,A\r\n'],
    ['CR alone', 'store_name,brand_name\ra,A\r'],
    ['semicolons', 'store_name;brand_name\na;A\n'],
    ['tabs', 'store_name\tbrand_name\na\tA\n'],
    ['no line end', 'store_name,brand_name\na,A'],
    ['quotes everywhere', '"store_name","brand_name"\n"a","A"\n'],
    ['empty lines', 'store_name,brand_name\n\n\na,A\n\n'],
    ['headers as people write them', ' Store Name , BRAND-name\na,A\n'],
    ['empty cells at the end', 'store_name,brand_name\na,A,,,\n'],
  ])('%s', async (_, text) => expect(await cellsOf(text)).toEqual([['a', 'A']]))

  test('line breaks, delimiters and quotes inside cells, and the lines after them', async () => {
    const { rows } = await got('store_name,brand_name\na,"one\ntwo\r\nthree"\nb,"x, ""y"""\n\nc,\n')
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, 'a', 'one\ntwo\r\nthree'],
      [5, 'b', 'x, "y"'],
      [7, 'c', ''],
    ])
  })

  test('guards against formulas are taken off, formulas of people stay', async () => {
    expect(await cellsOf('store_name,brand_name\n\'=1+1,=1+1\n\'\'=x,\'tis\n"=""012345678901""",-5\n')).toEqual([
      ['=1+1', '=1+1'],
      ["'=x", "'tis"],
      ['012345678901', '-5'],
    ])
  })

  test('200 columns, one of them 64 KB', async () => {
    const headers = ['store_name', ...Array.from({ length: 199 }, (_, i) => `c${i}`)]
    const large = 'x'.repeat(65_536)
    const { rows, unknown } = await got(`${headers.join(',')}\na,${large},${headers.slice(2).join(',')}\n`)
    expect([rows[0]!.cells.length, rows[0]!.cells[1]!.length, unknown.length]).toEqual([200, 65_536, 199])
  })

  test('headers that are names of objects are only headers', async () => {
    const { unknown, places, rows } = await got('__proto__,constructor,store_name,toString\n1,2,a,3\n')
    expect([unknown, places, rows[0]!.cells]).toEqual([
      ['__proto__', 'constructor', 'toString'],
      { store_name: 2 },
      ['1', '2', 'a', '3'],
    ])
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })

  test('a row that is none is named, and the others come in', async () => {
    const { rows } = await got('store_name,brand_name\na\nb,c,d\ne,f\ng\0,h\n')
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'has 1 cells where the header has 2'],
      [3, 'has 3 cells where the header has 2; a comma inside a cell needs quotes around it'],
      [4, undefined],
      [5, 'holds the character U+0000'],
    ])
  })

  test('however the bytes arrive: cut at every place, and a byte at a time', async () => {
    const bytes = Buffer.from('\ufeffstore;brand\r\nद-1;"ख""ग;\r\nघ"\r\n\r\n😀;x\r\n')
    const whole = await got(bytes)
    expect(whole.rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, 'द-1', 'ख"ग;\r\nघ'],
      [5, '😀', 'x'],
    ])
    for (let cut = 1; cut < bytes.length; cut++) expect(await got(bytes, [cut])).toEqual(whole)
    expect(
      await got(
        bytes,
        Array.from(bytes, (_, i) => i),
      ),
    ).toEqual(whole)
  })

  test('100,000 rows, each with its line', async () => {
    const { rows } = await got(
      `store_name,brand_name\n${Array.from({ length: 100_000 }, (_, i) => `s-${i},B ${i}\n`).join('')}`,
      Array.from({ length: 300 }, (_, i) => i * 10_007),
    )
    expect([rows.length, rows.every(({ line, cells }, i) => line === i + 2 && cells[0] === `s-${i}`)]).toEqual([
      100_000,
      true,
    ])
  })

  test('what our own writer writes reads back as it was', async () => {
    const awkward = fc.constantFrom(
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
      '\ufeff',
      'क',
      '😀',
    )
    const cell = fc.oneof(
      fc.array(awkward, { maxLength: 6 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
    )
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      )
      // Rows without a key at the end may be totals, which are left out: totals.ts.
      .map((rows) => rows.map(([key, ...rest]) => [`k${key!}`, ...rest]))
    let seen = 0
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), fc.array(fc.nat(200), { maxLength: 4 }), async (rows, excel, cuts) => {
        const { header, row } = csvWriter({ raw: false, excel, tsv: false })
        const names = rows[0]!.map((_, i) => (i === 0 ? 'store_name' : `c${i}`))
        const found = await got(
          header(names) + rows.map(row).join(''),
          cuts.toSorted((a, b) => a - b),
        )
        expect([found.headers, found.rows.map(({ cells }) => cells)]).toEqual([names, rows])
        seen += rows.length
      }),
      { numRuns: runs(60, 400) },
    )
    expect(seen).toBeGreaterThan(runs(80, 800))
  })
})

describe('what is refused, with the way out', () => {
  const wide = (text: string, mark: readonly number[]): Buffer =>
    Buffer.concat([Buffer.from(mark), Buffer.from(text, 'utf16le')])
  test.each([
    ['UTF-16', wide('store_name,brand_name\na,A\n', [0xff, 0xfe]), 'it is UTF-16 text'],
    ['UTF-16 without a mark', wide('store_name,brand_name\na,A\n', []), 'it is UTF-16 text'],
    ['Latin-1', Buffer.from('store_name,brand_name\na,A\nb,Caf\xe9\n', 'latin1'), 'line 3 is not UTF-8 text'],
    ['a workbook', Buffer.from('PK\x03\x04rest'), 'it is a damaged workbook: its end is missing'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'it is an Excel workbook (.xls)'],
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a quote that stays open', Buffer.from('store_name,brand_name\na,"A\nb,B\n'), 'row at line 2 is never closed'],
    [
      'a quote that stays open below cells in quotes',
      Buffer.from('store_name,brand_name\n"a","A, B"\nb,"B\n'),
      'row at line 3 is never closed',
    ],
    ['a quote inside a cell', Buffer.from('store_name,brand_name\na,x"y\n'), 'line 2: there is a quote inside a cell'],
    [
      'half a character',
      Buffer.from('store_name,brand_name\na,\u0915').subarray(0, -1),
      'ends in the middle of a character',
    ],
  ])('%s', async (_, bytes, message) => {
    const [code, said] = await refusal(bytes)
    expect([code, said]).toEqual(['invalid_file', expect.stringContaining(message)])
  })

  test.each([
    ['a column is missing', 'shop,brand\na,b\n', [], 'the header lacks store_name; it has: shop, brand'],
    ['two headers for a column', 'store_name,Store Name\na,b\n', [], '2 headers mean store_name'],
    ['the same header twice', 'store_name,store_name\na,b\n', [], '2 headers mean store_name'],
    ['a map to no column', 'shop\na\n', ['shop=store_nam'], 'Did you mean store_name?'],
    ['a map from no header', 'shop\na\n', ['Laden=store_name'], 'the file has no header "Laden"'],
  ])('%s', async (_, text, map, message) => {
    expect(await refusal(text, map)).toEqual(['invalid_input', expect.stringContaining(message)])
  })

  test('a map settles which header is meant', async () => {
    const { places } = await got('store_name,Laden,Brand\na,b,c\n', [], columns, ['Laden=store_name'])
    expect(places).toEqual({ store_name: 1, brand_name: 2 })
  })
})

describe('JSON Lines', () => {
  test('the keys are the header, in any order and under any name that a header may have', async () => {
    const { headers, places, unknown, rows } = await got(
      '\ufeff{"Store Name":"a","brand":"A","city":"Pune"}\n\n{"brand_name":"B","store":"b"}\r\n{"store_name":"c","more":[1]}',
    )
    expect([headers, places, unknown]).toEqual([
      ['Store Name', 'brand', 'city'],
      { store_name: 0, brand_name: 1 },
      ['city'],
    ])
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'A', 'Pune'], fault: undefined },
      { line: 3, cells: ['b', 'B', ''], fault: undefined },
      { line: 4, cells: ['c', '', ''], fault: undefined },
    ])
  })
  test('numbers and true are text, null is an empty cell', async () =>
    expect(
      await cellsOf('{"store_name":14344940012345,"brand_name":null}\n{"store_name":true,"brand_name":1.5}'),
    ).toEqual([
      ['14344940012345', ''],
      ['true', '1.5'],
    ]))
  test('a column that the first line does not have may come later', async () =>
    expect(await cellsOf('{"store_name":"a"}\n{"store_name":"b","brand":"B"}')).toEqual([
      ['a', ''],
      ['b', 'B'],
    ]))
  test('text is as it is: nothing is taken for a guard, and keys of objects are no danger', async () =>
    expect(await cellsOf(`{"store_name":"'=a","brand_name":"=b","__proto__":{"x":1}}`)).toEqual([["'=a", '=b', '']]))
  test('a line that is none is named, and the others go on', async () => {
    const { rows } = await got(
      '{"store_name":"a"}\nrubbish\n[1]\n{"store_name":{"x":1}}\n{"store_name":12345678901234567890}\n{"store_name":"n\\u0000"}\n{"store_name":"b"}\n',
    )
    expect(rows.map(({ line, cells, fault }) => [line, cells[0], fault])).toEqual([
      [1, 'a', undefined],
      [2, '', 'is not JSON'],
      [3, '', 'is not a JSON object'],
      [4, '', 'store_name is neither text nor a number that JSON can hold; write it in quotes'],
      [5, '', 'store_name is neither text nor a number that JSON can hold; write it in quotes'],
      [6, '', 'holds the character U+0000'],
      [7, 'b', undefined],
    ])
  })
  test('a first line that is none, and keys that mean nothing, end it', async () => {
    expect(await refusal('{"store_name":\n')).toEqual(['invalid_file', 'x.csv: line 1 is not JSON'])
    const [code, message] = await refusal('{"data":[]}')
    expect([code, message]).toEqual([
      'invalid_input',
      expect.stringContaining('the header lacks store_name; it has: data'),
    ])
  })
  test('--map names a key for a column', async () => {
    const { places } = await got('{"x":"a","brand":"A"}', [], columns, ['x=store_name'])
    expect(places).toEqual({ store_name: 0, brand_name: 1 })
  })
  test('nothing depends on how the bytes arrive, or on how many rows there are', async () => {
    const line = (i: number): string => `{"store_name":"s${i}","brand_name":"ब्रांड ${i}"}`
    const bytes = Buffer.from(Array.from({ length: 700 }, (_, i) => line(i)).join('\n'))
    const whole = await got(bytes)
    expect(whole.rows).toHaveLength(700)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        expect(
          await got(
            bytes,
            cuts.toSorted((a, b) => a - b),
          ),
        ).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })
})

// Rows before the first one that is not simple are split by our own code.
test('every CSV has the cells that csv-parse reads, wherever a quote comes and the bytes are cut', async () => {
  const part = fc.constantFrom(
    'a',
    'longer than twelve',
    '₹',
    'é',
    '',
    ' ',
    ',',
    ';',
    '\n',
    '\r\n',
    '\r',
    '"',
    '"x,\ny"',
    '""',
    '"x, y; z"',
    '"é"',
    '"longer than twelve, and quoted"',
    'a,"b"\n',
    '"say ""so"" "',
  )
  const given = fc.record({
    bom: fc.boolean(),
    head: fc.array(
      part.filter((text) => !text.includes('"')),
      { maxLength: 30 },
    ),
    quoted: fc.array(fc.constantFrom('"x, y",b\n', 'a,"b"\r\n', '"a","é ₹"\n', '"",""\n'), { maxLength: 10 }),
    rest: fc.array(part, { maxLength: 20 }),
    cuts: fc.array(fc.nat(200), { maxLength: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ bom, head, quoted, rest, cuts }) => {
      const content = `store_name,brand_name\n${head.join('')}\n${quoted.join('')}${rest.join('')}`
      const options = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
      const own = await got(
        bom ? `\ufeff${content}` : content,
        cuts.toSorted((a, b) => a - b),
      ).then(
        ({ rows }) => rows,
        (error: unknown) => error,
      )
      let cells: readonly (readonly string[])[] | undefined
      try {
        cells = parse(content, options).slice(1) as readonly (readonly string[])[]
      } catch {
        // A quote inside a cell, or one that is never closed.
      }
      if (cells === undefined) {
        expect(own).toBeInstanceOf(ShipxError)
        return
      }
      const wide = cells.filter((row) => row.length > 1 || row[0] !== '')
      const two = wide.map((row) => [row[0]!, row[1] ?? ''])
      expect((own as readonly SheetRow[]).map((row) => row.cells)).toEqual(two)
    }),
    { numRuns: runs(100, 2000) },
  )
})
