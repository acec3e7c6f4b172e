// Defends against workbooks that are none, that ended early, or that were made to do harm: each is refused with what it is,
// quickly, and no part of it is taken for the whole.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../support/size.ts'
import { workbook, zip, type Cell } from '../../support/workbook.ts'
import { readTable, refusal } from './reading.ts'

const rows: readonly (readonly Cell[])[] = [
  ['awb', 'event'],
  ...Array.from({ length: 50 }, (_, i): readonly Cell[] => [`A-${i}`, i % 2 === 0 ? 'delivered' : 17]),
]
const sound = workbook([{ name: 'S', rows }])

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook with one sheet of this XML. */
const partsOf = (sheet: string, strings = '<sst/>'): Map<string, string> =>
  new Map([
    ['[Content_Types].xml', '<Types/>'],
    ['_rels/.rels', `<R><Relationship Id="a" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></R>`],
    [
      'xl/workbook.xml',
      `<workbook xmlns:r="${relation}"><sheets><sheet name="S" sheetId="1" r:id="b"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<R><Relationship Id="b" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="c" Type="${relation}/sharedStrings" Target="sharedStrings.xml"/></R>`,
    ],
    ['xl/worksheets/sheet1.xml', sheet],
    ['xl/sharedStrings.xml', strings],
  ])

const inSheet = (inner: string): Buffer =>
  zip(partsOf(`<worksheet><sheetData>${inner}</sheetData></worksheet>`, '<sst><si><t>awb</t></si></sst>'))

const header = '<row r="1"><c t="inlineStr"><is><t>awb</t></is></c><c t="inlineStr"><is><t>event</t></is></c></row>'

describe('a file that is no workbook is named, with the way out', () => {
  const withName = (name: string): Buffer => zip(new Map([[name, 'x']]))
  const old = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(70_000)])
  test.each<readonly [string, Buffer, string]>([
    ['.xls', old, 'it is an Excel workbook (.xls) → save it as an Excel workbook (.xlsx) or as CSV UTF-8'],
    [
      'with a password',
      Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(99)]),
      'it is a workbook with a password → open it, remove the password and save it again',
    ],
    [
      'a zip file with a password',
      zip(partsOf('<worksheet/>'), { encrypted: true }),
      'it is a workbook with a password',
    ],
    ['.xlsb', withName('xl/workbook.bin'), 'it is a binary Excel workbook (.xlsb)'],
    ['.ods', withName('content.xml'), 'it is an OpenDocument file (.ods)'],
    ['.numbers', withName('Index/Document.iwa'), 'it is an Apple document (.numbers)'],
    ['.docx', withName('word/document.xml'), 'it is a Word document (.docx)'],
    ['.zip', withName('orders.csv'), 'it is a zip file and not a workbook → unpack it and name the file that is in it'],
    ['an empty zip file', zip(new Map()), 'it is a zip file and not a workbook'],
  ])('%s', async (_, bytes, said) => expect(await refusal(bytes)).toContain(said))
})

describe('a damaged workbook', () => {
  test('that ends early is never taken for the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: sound.length - 1 }), async (length) => {
        expect(await refusal(sound.subarray(0, length))).toContain('damaged')
      }),
      { numRuns: runs(20, 1000) },
    )
  })

  test('with one wrong byte is refused, or reads the same', async () => {
    const whole = await readTable(sound)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: sound.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const wrong = Buffer.from(sound)
          wrong[at]! ^= by
          const said = await refusal(wrong)
          if (said === '') expect((await readTable(wrong)).rows).toEqual(whole.rows)
          else expect(said).toMatch(/damaged|password|not a workbook|its part .* has |the header lacks/)
        },
      ),
      { numRuns: runs(20, 1000) },
    )
  })

  test.each<readonly [string, Buffer, string]>([
    ['XML that does not end', inSheet(`${header}<row>`), 'sheet1'],
    ['rows out of order', inSheet(`${header}<row r="5"/><row r="4"/>`), 'row 4 follows row 5'],
    ['a row beyond the last', inSheet(`${header}<row r="1048577"/>`), 'it has more than 10,48,576 rows'],
    ['a column beyond the last', inSheet('<row r="1"><c r="XFE1"/></row>'), 'row 1 has more than 16,384 columns'],
    [
      'a shared text that is not there',
      inSheet('<row r="1"><c t="s"><v>7</v></c></row>'),
      'names the shared text 7 of 1',
    ],
    ['no sheet', zip(new Map([...partsOf('x')].filter(([name]) => !name.includes('sheet1')))), 'sheet1.xml is missing'],
    [
      'bytes that are no UTF-8',
      zip(new Map<string, string | Buffer>([...partsOf('x'), ['xl/workbook.xml', Buffer.from([0x3c, 0xff, 0xff])]])),
      'damaged',
    ],
    ['elements inside each other without end', inSheet('<a>'.repeat(200)), 'its elements are more than 100 deep'],
    ['a part that is longer than it says', zip(partsOf('<worksheet/>'), { claims: 5 }), 'damaged'],
  ])('is refused: %s', async (_, bytes, said) => {
    const text = await refusal(bytes)
    expect(text).toContain('damaged workbook')
    if (said !== 'sheet1') expect(text).toContain(said)
  })

  test('is refused after the rows before the fault', async () => {
    const row = (i: number): string => `<row r="${i}"><c><v>${i}</v></c><c><v>1</v></c></row>`
    const many = Array.from({ length: 5000 }, (_, i) => row(i + 2)).join('')
    expect(await refusal(inSheet(`${header}${many}<row r="3"/>`))).toContain('row 3 follows row 5001')
  })
})

describe('a workbook that was made to do harm', () => {
  test('a bomb of a gigabyte in a megabyte is refused within a second, before it is unpacked', async () => {
    const bomb = zip(
      new Map<string, string | Buffer>([...partsOf('x'), ['xl/worksheets/sheet1.xml', Buffer.alloc(2 ** 20)]]),
      {
        claims: 2 ** 31 - 1,
      },
    )
    const start = performance.now()
    const text = await refusal(bomb)
    expect(performance.now() - start).toBeLessThan(1000)
    expect(text).toContain('has 2,048 MB when it is unpacked, which is too much → save the sheet that you need as CSV')
  })

  test('a text without end does not fill the memory', async () => {
    const attribute = inSheet(`${header}<row r="2"><c r="${'A'.repeat(9_000_000)}"/></row>`)
    expect(await refusal(attribute)).toContain('it has a text of more than 41,94,304 characters')
  })

  test('entities are not expanded', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>`
    expect(await refusal(zip(partsOf(bomb)))).toContain('damaged workbook')
  })

  test('signs that steer a terminal do not reach it', async () => {
    const book = workbook([
      { name: '\u001b[2Jevil', rows: [['x']] },
      { name: 'b\u202e', rows: [['x']] },
    ])
    const text = `${await refusal(book, { sheet: 'none' })}${await refusal(
      workbook([
        {
          name: 'S',
          rows: [
            ['awb', 'event'],
            ['1', { error: '\u001b[2J' }],
          ],
        },
      ]),
    )}`
    expect([...'\u001b\u202e'].filter((sign) => text.includes(sign))).toEqual([])
  })
})
