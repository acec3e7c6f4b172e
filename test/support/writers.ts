// A sheet of orders, byte for byte as Excel and Google Sheets write it: their namespaces, relations, shared and rich texts,
// formulas, merged titles, hidden sheets and ways to write a number. LibreOffice's own file lies next to its test.
import { zip } from './workbook.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const kept = 'http://schemas.openxmlformats.org/package/2006'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'

export const orderHeader = [
  'order_id',
  'order_date',
  'billing_customer_name',
  'billing_phone',
  'billing_address',
  'billing_pincode',
  'payment_method',
  'sub_total',
  'item_name',
  'item_sku',
  'item_units',
  'item_selling_price',
  'weight',
]

/** The same orders as CSV. */
export const ordersCsv = `${orderHeader.join(',')}
NOV-1,2026-09-28,Asha Rao,9812345678,"12 MG Road, Indiranagar",560038,COD,1497,Cotton romper,CR-02,2,499,0.5
NOV-1,,,,,,,,Muslin swaddle,007,1,499,
NOV-2,2026-09-27,विक्रम सिंह,9898989898,"Flat 4B & ""Lake View""",781001,PREPAID,1250,Brass lamp,BL-7,1,1250,1.2
`

const relations = (entries: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${head}<Relationships xmlns="${kept}/relationships">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** The texts of both files, by their numbers. */
const texts = [
  'Orders of November',
  ...orderHeader,
  'NOV-1',
  '12 MG Road, Indiranagar',
  'COD',
  'Cotton romper',
  'CR-02',
  'Muslin swaddle',
  '007',
  'NOV-2',
  'विक्रम सिंह',
  'Flat 4B &amp; "Lake View"',
  'PREPAID',
  'Brass lamp',
  'BL-7',
  'Total',
]
const at = (text: string): number => texts.indexOf(text)

/** As Excel 365 writes it; `date1904` as a workbook that began on an old Mac. */
export function excelOrders(date1904 = false): Buffer {
  const day = (serial: number): number => (date1904 ? serial - 1462 : serial)
  const s = (ref: string, text: string, style = ''): string => `<c r="${ref}"${style} t="s"><v>${at(text)}</v></c>`
  const header = orderHeader.map((name, i) => s(`${String.fromCharCode(65 + i)}3`, name, ' s="1"')).join('')
  const merged = [...'BCDEFGHIJKLM'].map((letter) => `<c r="${letter}1" s="2"/>`).join('')
  const sheet =
    `${head}<worksheet xmlns="${main}" xmlns:r="${office}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr xr2 xr3"` +
    ' xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision"' +
    ' xmlns:xr2="http://schemas.microsoft.com/office/spreadsheetml/2015/revision2" xmlns:xr3="http://schemas.microsoft.com/office/spreadsheetml/2016/revision3" xr:uid="{0B3F1C52-7F0A-4E6E-9C83-2A1B5C0D4E11}">' +
    '<sheetPr codeName="Sheet1"><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="A1:M7"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="3" topLeftCell="A4" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="B4" sqref="B4"/></sheetView></sheetViews>' +
    '<sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/><cols><col min="1" max="1" width="9.85546875" bestFit="1" customWidth="1"/></cols><sheetData>' +
    `<row r="1" spans="1:13" ht="18.75" x14ac:dyDescent="0.3">${s('A1', 'Orders of November', ' s="2"')}${merged}</row>` +
    `<row r="3" spans="1:13" x14ac:dyDescent="0.25">${header}</row>` +
    `<row r="4" spans="1:13" ht="30" x14ac:dyDescent="0.25">${s('A4', 'NOV-1')}<c r="B4" s="3"><v>${day(46293)}</v></c>` +
    `<c r="C4" t="str"><f>_xlfn.CONCAT("Asha"," Rao")</f><v>Asha Rao</v></c><c r="D4"><v>9812345678</v></c>${s('E4', '12 MG Road, Indiranagar', ' s="5"')}` +
    `<c r="F4" s="4"><v>560038</v></c>${s('G4', 'COD')}<c r="H4"><f>SUMPRODUCT(K4:K5,L4:L5)</f><v>1497</v></c>` +
    `${s('I4', 'Cotton romper')}${s('J4', 'CR-02')}<c r="K4"><v>2</v></c><c r="L4"><f t="shared" ref="L4:L5" si="0">500-1</f><v>499</v></c><c r="M4"><v>0.5</v></c></row>` +
    `<row r="5" spans="1:13" x14ac:dyDescent="0.25">${s('A5', 'NOV-1')}${s('I5', 'Muslin swaddle')}<c r="J5" s="6" t="s"><v>${at('007')}</v></c><c r="K5"><v>1</v></c><c r="L5"><f t="shared" si="0"/><v>499</v></c></row>` +
    `<row r="6" spans="1:13" hidden="1" x14ac:dyDescent="0.25">${s('A6', 'NOV-2')}<c r="B6" s="3"><v>${day(46292)}</v></c>${s('C6', 'विक्रम सिंह')}<c r="D6"><v>9898989898</v></c>${s('E6', 'Flat 4B &amp; "Lake View"')}` +
    `<c r="F6" s="4"><v>781001</v></c>${s('G6', 'PREPAID')}<c r="H6"><v>1250</v></c>${s('I6', 'Brass lamp')}${s('J6', 'BL-7')}<c r="K6"><v>1</v></c><c r="L6"><v>1250</v></c><c r="M6"><v>1.2</v></c></row>` +
    `<row r="7" spans="1:13" x14ac:dyDescent="0.25">${s('E7', 'Total', ' s="1"')}<c r="H7" s="1"><f>SUM(H4:H6)</f><v>2747</v></c></row>` +
    '</sheetData><sheetProtection algorithmName="SHA-512" hashValue="x" saltValue="y" spinCount="100000" sheet="1" objects="1" scenarios="1"/><mergeCells count="1"><mergeCell ref="A1:M1"/></mergeCells><phoneticPr fontId="2" type="noConversion"/>' +
    '<dataValidations count="1"><dataValidation type="list" allowBlank="1" sqref="G4:G100"><formula1>Lists!$A$1:$A$2</formula1></dataValidation></dataValidations><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"/></extLst></worksheet>'
  const items = texts.map((text) =>
    text === 'Cotton romper'
      ? '<si><r><t xml:space="preserve">Cotton </t></r><r><rPr><b/><sz val="11"/><color theme="1"/><rFont val="Calibri"/><family val="2"/></rPr><t>romper</t></r><rPh sb="0" eb="1"><t>X</t></rPh><phoneticPr fontId="2"/></si>'
      : `<si><t${text.includes('\n') ? ' xml:space="preserve"' : ''}>${text}</t><phoneticPr fontId="2"/></si>`,
  )
  const xf = (id: number, more = ''): string =>
    `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"${more}/>`
  return zip(
    new Map([
      [
        '[Content_Types].xml',
        `${head}<Types xmlns="${kept}/content-types"><Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.printerSettings"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
          'workbook:sheet.main',
          'worksheets/sheet1:worksheet',
          'worksheets/sheet2:worksheet',
          'styles:styles',
          'sharedStrings:sharedStrings',
          'calcChain:calcChain',
        ]
          .map((one) => one.split(':'))
          .map(
            ([part, type]) =>
              `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`,
          )
          .join('')}</Types>`,
      ],
      [
        '_rels/.rels',
        relations([
          ['rId3', `${office.replace('/relationships', '')}/relationships/extended-properties`, 'docProps/app.xml'],
          ['rId2', `${kept}/relationships/metadata/core-properties`, 'docProps/core.xml'],
          ['rId1', `${office}/officeDocument`, 'xl/workbook.xml'],
        ]),
      ],
      [
        'xl/workbook.xml',
        `${head}<workbook xmlns="${main}" xmlns:r="${office}"><fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="27328"/><workbookPr${date1904 ? ' date1904="1"' : ''} codeName="ThisWorkbook" defaultThemeVersion="166925"/><bookViews><workbookView xWindow="-120" yWindow="-120" windowWidth="29040" windowHeight="15720" firstSheet="1" activeTab="1"/></bookViews><sheets><sheet name="Lists" sheetId="3" state="veryHidden" r:id="rId2"/><sheet name="Nov 2026" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="1" hidden="1">'Nov 2026'!$A$3:$M$6</definedName></definedNames><calcPr calcId="191029"/></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        relations([
          ['rId3', `${office}/theme`, 'theme/theme1.xml'],
          ['rId2', `${office}/worksheet`, 'worksheets/sheet2.xml'],
          ['rId1', `${office}/worksheet`, 'worksheets/sheet1.xml'],
          ['rId6', `${office}/calcChain`, 'calcChain.xml'],
          ['rId5', `${office}/sharedStrings`, 'sharedStrings.xml'],
          ['rId4', `${office}/styles`, 'styles.xml'],
        ]),
      ],
      ['xl/worksheets/sheet1.xml', sheet],
      [
        'xl/worksheets/sheet2.xml',
        `${head}<worksheet xmlns="${main}"><dimension ref="A1"/><sheetData><row r="1"><c r="A1" t="s"><v>${at('COD')}</v></c></row></sheetData></worksheet>`,
      ],
      [
        'xl/styles.xml',
        `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="[$-4009]dd\\-mmm\\-yy;@"/><numFmt numFmtId="165" formatCode="000000"/></numFmts><fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1">${xf(14)}</cellStyleXfs><cellXfs count="7">${xf(0)}${xf(0)}${xf(0)}${xf(164, ' applyNumberFormat="1"')}${xf(165, ' applyNumberFormat="1"')}${xf(0)}${xf(49, ' quotePrefix="1"')}</cellXfs><dxfs count="0"/></styleSheet>`,
      ],
      [
        'xl/sharedStrings.xml',
        `${head}<sst xmlns="${main}" count="40" uniqueCount="${texts.length}">${items.join('')}</sst>`,
      ],
      ['xl/calcChain.xml', `${head}<calcChain xmlns="${main}"><c r="H7" i="1" l="1"/><c r="H4" i="1"/></calcChain>`],
      [
        'docProps/app.xml',
        `${head}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Microsoft Excel</Application></Properties>`,
      ],
      ['docProps/core.xml', `${head}<cp:coreProperties xmlns:cp="${kept}/metadata/core-properties"/>`],
    ]),
  )
}

/** As Google Sheets writes it: numbers with a point, no dimension, a drawing in each sheet, styled empty rows below. */
export function googleOrders(): Buffer {
  const s = (ref: string, text: string, style = 2): string => `<c r="${ref}" s="${style}" t="s"><v>${at(text)}</v></c>`
  const header = orderHeader.map((name, i) => s(`${String.fromCharCode(65 + i)}2`, name, 1)).join('')
  const spaces =
    `xmlns="${main}" xmlns:r="${office}" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
    ' xmlns:mv="urn:schemas-microsoft-com:mac:vml" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"'
  const row = (n: number, cells: string): string => `<row r="${n}" ht="15.75" customHeight="1">${cells}</row>`
  const blank = [...'ABCDEFGHIJKLM'].map((letter) => `<c r="${letter}7" s="2"/>`).join('')
  const sheet =
    `${head.trim()}<worksheet ${spaces}><sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="2.0" topLeftCell="A3" activePane="bottomLeft" state="frozen"/><selection activeCell="B4" sqref="B4" pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/><sheetData>` +
    row(1, s('A1', 'Orders of November')) +
    row(2, header) +
    row(
      3,
      `${s('A3', 'NOV-1')}<c r="B3" s="3"><v>46293.0</v></c><c r="C3" s="2" t="str"><f>CONCATENATE("Asha"," Rao")</f><v>Asha Rao</v></c><c r="D3" s="2"><v>9.812345678E9</v></c>${s('E3', '12 MG Road, Indiranagar')}<c r="F3" s="2"><v>560038.0</v></c>${s('G3', 'COD')}<c r="H3" s="2"><f>SUMPRODUCT(K3:K4,L3:L4)</f><v>1497.0</v></c>${s('I3', 'Cotton romper')}${s('J3', 'CR-02')}<c r="K3" s="2"><v>2.0</v></c><c r="L3" s="2"><v>499.0</v></c><c r="M3" s="2"><v>0.5</v></c>`,
    ) +
    row(
      4,
      `${s('A4', 'NOV-1')}<c r="B4" s="3"/>${s('I4', 'Muslin swaddle')}${s('J4', '007')}<c r="K4" s="2"><v>1.0</v></c><c r="L4" s="2"><v>499.0</v></c>`,
    ) +
    row(
      5,
      `${s('A5', 'NOV-2')}<c r="B5" s="3"><v>46292.0</v></c>${s('C5', 'विक्रम सिंह')}<c r="D5" s="2"><v>9.898989898E9</v></c>${s('E5', 'Flat 4B &amp; "Lake View"')}<c r="F5" s="2"><v>781001.0</v></c>${s('G5', 'PREPAID')}<c r="H5" s="2"><v>1250.0</v></c>${s('I5', 'Brass lamp')}${s('J5', 'BL-7')}<c r="K5" s="2"><v>1.0</v></c><c r="L5" s="2"><v>1250.0</v></c><c r="M5" s="2"><v>1.2</v></c>`,
    ) +
    row(7, blank) +
    '</sheetData><mergeCells count="1"><mergeCell ref="A1:M1"/></mergeCells><drawing r:id="rId1"/></worksheet>'
  const xf = (id: number): string =>
    `<xf borderId="0" fillId="0" fontId="0" numFmtId="${id}" xfId="0" applyAlignment="1" applyFont="1"><alignment readingOrder="0"/></xf>`
  return zip(
    new Map([
      [
        'xl/drawings/drawing1.xml',
        `${head.trim()}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`,
      ],
      ['xl/worksheets/_rels/sheet1.xml.rels', relations([['rId1', `${office}/drawing`, '../drawings/drawing1.xml']])],
      ['xl/worksheets/sheet1.xml', sheet],
      [
        'xl/_rels/workbook.xml.rels',
        relations([
          ['rId1', `${office}/theme`, 'theme/theme1.xml'],
          ['rId2', `${office}/styles`, 'styles.xml'],
          ['rId3', `${office}/sharedStrings`, 'sharedStrings.xml'],
          ['rId4', `${office}/worksheet`, 'worksheets/sheet1.xml'],
        ]),
      ],
      [
        'xl/workbook.xml',
        `${head.trim()}<workbook ${spaces}><workbookPr/><sheets><sheet state="visible" name="Sheet1" sheetId="1" r:id="rId4"/></sheets><definedNames/><calcPr/></workbook>`,
      ],
      [
        'xl/styles.xml',
        `${head.trim()}<styleSheet xmlns="${main}" xmlns:x14ac="x" xmlns:mc="y"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font><sz val="10.0"/><color rgb="FF000000"/><name val="Arial"/><scheme val="minor"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf borderId="0" fillId="0" fontId="0" numFmtId="0" applyAlignment="1" applyFont="1"/></cellStyleXfs><cellXfs count="4">${xf(0)}${xf(0)}${xf(0)}${xf(164)}</cellXfs><cellStyles count="1"><cellStyle xfId="0" name="Normal" builtinId="0"/></cellStyles><dxfs count="0"/></styleSheet>`,
      ],
      [
        'xl/sharedStrings.xml',
        `${head.trim()}<sst xmlns="${main}" count="40" uniqueCount="${texts.length}">${texts.map((text) => `<si><t${text.includes('\n') ? ' xml:space="preserve"' : ''}>${text}</t></si>`).join('')}</sst>`,
      ],
      ['_rels/.rels', relations([['rId1', `${office}/officeDocument`, 'xl/workbook.xml']])],
      [
        '[Content_Types].xml',
        `${head.trim()}<Types xmlns="${kept}/content-types"><Default ContentType="application/xml" Extension="xml"/><Default ContentType="application/vnd.openxmlformats-package.relationships+xml" Extension="rels"/></Types>`,
      ],
    ]),
  )
}
