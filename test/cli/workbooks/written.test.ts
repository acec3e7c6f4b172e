// Workbooks that --xlsx writes: what is in their cells, that our own reader and any XML reader take them, and that a file is
// written whole or not at all.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../../src/cli/command/context.ts'
import type { WorkbookCell, WorkbookColumn } from '../../../src/cli/command/workbook.ts'
import { openZip } from '../../../src/cli/workbooks/zip.ts'
import { mostRows } from '../../../src/cli/workbooks/limits.ts'
import { sheetName } from '../../../src/cli/workbooks/packageparts.ts'
import { openWorkbookFile, type WorkbookFile } from '../../../src/cli/workbooks/workbookfile.ts'
import { printedInto } from '../../../src/cli/listings/infile.ts'
import { openTempFile } from '../../../src/cli/files/tempfile.ts'
import { sandbox } from '../../support/sandbox.ts'
import { first, runs } from '../../support/size.ts'
import { workbook } from '../../support/workbook.ts'
import { io, readTable } from './reading.ts'

const box = sandbox()
const env = { SHIPX_DB: 'seeded.sqlite' }
beforeAll(async () => {
  await box.shipx(['local', 'seed', '--shipments', '300', '--returns', '20'], { env })
})
afterAll(box.remove)

const shipx = (...args: readonly string[]) => box.shipx(args, { env })
const bytesOf = (name: string): Buffer => readFileSync(join(box.folder, name))

/** The XML of each part of a workbook; throws where one is not well formed. */
async function partsOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const zip = await openZip(bytes, (what) => new Error(what) as never)
  const parts = new Map<string, string>()
  for (const name of zip.names) {
    const pieces: Buffer[] = []
    for await (const piece of zip.part(name)) pieces.push(piece)
    const xml = Buffer.concat(pieces).toString('utf8')
    const parser = new SaxesParser({ xmlns: true })
    parser.on('error', (error) => {
      throw error
    })
    parser.write(xml).close()
    parts.set(name, xml)
  }
  return parts
}

/** The bytes of a workbook that `fill` fills. */
async function made(fill: (book: WorkbookFile) => Promise<void>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const book = openWorkbookFile({
    write: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    temporary: () => openTempFile({ io }),
    version: '0.1.0',
    now: Date.parse('2026-09-29T08:30:00Z'),
  })
  try {
    await fill(book)
    await book.end()
    return Buffer.concat(pieces)
  } finally {
    book.close()
  }
}

const columns: readonly WorkbookColumn[] = [
  { header: 'awb' },
  { header: 'event' },
  { header: 'at' },
  { header: 'amount' },
]

/** What our own reader finds below these columns. */
async function readBack(rows: readonly (readonly WorkbookCell[])[]): Promise<readonly (readonly string[])[]> {
  const bytes = await made(async (book) => {
    const sheet = book.sheet('Rows', columns)
    await sheet.add(rows)
    await sheet.end()
  })
  return (await readTable(bytes)).rows.map(({ cells }) => cells.slice(0, columns.length))
}

describe('a cell', () => {
  test('keeps its exact text: digits, formulas, controls, line breaks, Hindi and emoji', async () => {
    const texts = [
      '007',
      '74229551459223456789',
      '=1+1',
      '+91 98123 45678',
      ' a\tb\nc\r\n',
      '\u0007_x0007_',
      'दिल्ली 😀',
      '<&>"\'',
    ]
    const found = await readBack(texts.map((text) => ['A', text, null, null]))
    expect(found.map(([, text]) => text)).toEqual(texts)
  })

  test('keeps any text that JSON can hold', { tags: ['full'] }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 20 }),
        async (texts) => {
          const found = await readBack(texts.map((text) => ['A', text, null, null]))
          expect(found.map(([, text]) => text)).toEqual(texts)
        },
      ),
      { numRuns: runs(20, 500) },
    )
  })

  test('is a number, a day or a time of Excel where it is one', async () => {
    const [row] = await readBack([
      ['A', { serial: 46294, timed: false }, { serial: 46294 + 0.75, timed: true }, 1499.5],
    ])
    expect(row).toEqual(['A', '2026-09-29', '2026-09-29 18:00', '1499.5'])
  })

  test('of more characters than Excel takes is cut and counted, and an emoji never in half', async () => {
    let cut = 0
    const bytes = await made(async (book) => {
      const sheet = book.sheet('Rows', columns)
      await sheet.add([['A', `${'x'.repeat(32_766)}😀`, null, null]])
      await sheet.end()
      cut = book.cut()
    })
    const sheet = (await partsOf(bytes)).get('xl/worksheets/sheet1.xml')!
    expect([cut, /<t>(x+)<\/t>/.exec(sheet)![1]!.length]).toEqual([1, 32_766])
  })
})

describe('a sheet', () => {
  test('has a name that Excel takes, and no other sheet has', () => {
    const names: string[] = []
    for (const wanted of ['A/B', 'a b', "'quoted'", 'History', '', 'x'.repeat(40), 'X'.repeat(40)])
      names.push(sheetName(wanted, names))
    expect(names).toEqual(['A B', 'a b 2', '’quoted’', 'Sheet', 'Sheet 2', 'x'.repeat(31), `${'X'.repeat(29)} 2`])
  })

  test('that grows next to others has its own rows', async () => {
    const bytes = await made(async (book) => {
      const [one, other] = [book.sheet('One', columns, true), book.sheet('Other', columns, true)]
      for (let i = 0; i < 500; i++) await (i % 2 === 0 ? one : other).add([[`A-${i}`, 'delivered', null, i]])
      await one.end()
      await other.end()
    })
    const rowsOf = async (sheet: string): Promise<readonly string[]> =>
      (await readTable(bytes, { sheet })).rows.map(({ cells }) => cells[0]!)
    expect((await rowsOf('One')).at(-1)).toBe('A-498')
    expect((await rowsOf('Other')).slice(0, 2)).toEqual(['A-1', 'A-3'])
  })

  test('of more rows than Excel takes goes on in another sheet', { tags: ['full'] }, async () => {
    const bytes = await made(async (book) => {
      const sheet = book.sheet('Rows', [{ header: 'awb' }, { header: 'event' }])
      for (let at = 0; at < mostRows + 9; at += 10_000)
        await sheet.add(Array.from({ length: Math.min(10_000, mostRows + 9 - at) }, (_, i) => [`A-${at + i}`, 'x']))
      await sheet.end()
    })
    const { rows } = await readTable(bytes, { sheet: 'Rows 2' })
    expect(rows.map(({ cells }) => cells[0])).toEqual(Array.from({ length: 10 }, (_, i) => `A-${mostRows - 1 + i}`))
  })
})

describe('shipments list --all --xlsx', () => {
  test('writes the values of --excel, with times and amounts as such, and says so on stderr', async () => {
    const { exit, stdout, stderr } = await shipx('shipments', 'list', '--all', '--xlsx', 'all.xlsx')
    expect([exit, stdout, stderr]).toEqual([0, '', '✓ Wrote 300 shipments to all.xlsx\n'])
    const csv = (await shipx('shipments', 'list', '--all', '--excel')).stdout.replace('\ufeff', '')
    const { headers, rows } = await readTable(bytesOf('all.xlsx'), { columns: [{ name: 'AWB', required: true }] })
    expect(headers).toEqual(csv.split('\n')[0]!.split(','))
    const seconds = /^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/
    const cells = rows.map((row) => row.cells.map((cell) => cell.replace(seconds, '$1')).join(','))
    const lines = csv.trimEnd().split('\n').slice(1)
    expect(cells).toEqual(lines.map((line) => line.replace(/"=""(.*?)"""/g, '$1').replaceAll('"', '')))
  })

  test('is sound XML in every part, with a frozen header, a filter, widths, dates and text', async () => {
    const parts = await partsOf(bytesOf('all.xlsx'))
    expect([...parts.keys()].toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'docProps/app.xml',
      'docProps/core.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
      'xl/worksheets/sheet2.xml',
    ])
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toMatch(/<c r="A2" s="2" t="inlineStr"><is><t>\d+<\/t>/)
    expect(sheet).toMatch(/<c r="[A-Z]+2" s="3"><v>46\d{3}\.\d+<\/v>/)
    expect(sheet).toMatch(/<c r="[A-Z]+2" s="5"><v>[\d.]+<\/v>/)
    expect(sheet).toMatch(/<autoFilter ref="A1:[A-Z]+301"\/>/)
    for (const path of parts.keys())
      if (path.startsWith('xl/'))
        expect(parts.get('[Content_Types].xml')!.includes(path) || path.endsWith('.rels')).toBe(true)
  })

  test('has a second sheet with the question, the time in India and the rows', async () => {
    await shipx('shipments', 'list', '--status', 'delivered', '--all', '--xlsx', 'some.xlsx')
    const { rows } = await readTable(bytesOf('some.xlsx'), {
      sheet: 'About',
      columns: [
        { name: 'About', required: true },
        { name: 'Value', required: true },
      ],
    })
    const said = new Map(rows.map(({ cells }) => [cells[0], cells[1]]))
    expect(said.get('Command')).toBe('shipx shipments list --status delivered --all --xlsx some.xlsx')
    expect([said.get('Answered'), said.get('Time'), said.get('Time zone')]).toEqual([
      'on this computer',
      '2026-09-29 14:00',
      'Asia/Kolkata',
    ])
    expect(said.get('--status')).toBe('delivered')
  })

  test('is read by our own commands as a list of AWBs', { tags: ['full'] }, async () => {
    const { stdout } = await shipx('shipments', 'get', '--file', 'all.xlsx', '--ids')
    expect(stdout.trim().split('\n')).toHaveLength(300)
  })

  test('without a record is a sheet with its header', { tags: ['full'] }, async () => {
    const { exit, stderr } = await shipx('shipments', 'list', '--search', 'nobody-has-this', '--xlsx', 'empty.xlsx')
    expect([exit, stderr]).toEqual([0, '✓ Wrote 0 shipments to empty.xlsx\n'])
  })

  test('keeps what --fields and --columns name', { tags: ['full'] }, async () => {
    await shipx('shipments', 'list', '--fields', 'awb,created_at,total_price', '--xlsx', 'fields.xlsx')
    const { headers, rows } = await readTable(bytesOf('fields.xlsx'), { columns: [{ name: 'awb', required: true }] })
    expect(headers).toEqual(['awb', 'created_at', 'total_price'])
    expect(rows[0]!.cells[1]).toMatch(/^2026-\d\d-\d\d \d\d:\d\d/)
    await shipx('shipments', 'list', '--columns', 'city,awb', '--xlsx', 'columns.xlsx')
    expect((await readTable(bytesOf('columns.xlsx'), { columns: [{ name: 'AWB' }] })).headers).toEqual(['City', 'AWB'])
  })
})

test('--split-by courier writes one workbook with a sheet for each courier', { tags: ['full'] }, async () => {
  const { exit, stderr } = await shipx('shipments', 'list', '--split-by', 'courier', '--xlsx', 'couriers.xlsx')
  expect(exit).toBe(0)
  expect(stderr).toMatch(/^✓ Wrote 300 shipments in \d sheets to couriers\.xlsx$|phones are whole in this workbook/m)
  const names = [
    ...(await partsOf(bytesOf('couriers.xlsx'))).get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]*)"/g),
  ]
  const couriers = names.map(([, name]) => name!)
  expect(couriers.slice(-2)).toEqual(['No courier', 'About'])
  expect(couriers.slice(0, -2)).toEqual(couriers.slice(0, -2).toSorted())
  let rows = 0
  for (const sheet of couriers.slice(0, -1)) {
    const found = await readTable(bytesOf('couriers.xlsx'), { sheet, columns: [{ name: 'Courier', required: true }] })
    const at = found.headers.indexOf('Courier')
    expect(new Set(found.rows.map(({ cells }) => cells[at]))).toEqual(new Set([sheet === 'No courier' ? '' : sheet]))
    rows += found.rows.length
  }
  expect(rows).toBe(300)
})

describe('every list that has --excel has --xlsx:', () => {
  const parcels = 'ref,from,to,weight_g,length,width,height,payment,value\nA,400001,560001,500,20,15,10,cod,1499\n'
  const lines = [
    'shipments summary --by status,day',
    'shipments stuck --days 1',
    'shipments ndr',
    'shipments get FIRST',
    'returns list',
    'stores list',
    'rates --file parcels.csv',
    'rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --cod 1499',
    'serviceability 560001 110001 --from 400001',
    'ratecard show sample',
    'pincode 560001',
    'profile list',
  ]
  test.each(lines)('%s', { tags: ['full'] }, async (line) => {
    box.file('parcels.csv', parcels)
    const awb = (await shipx('shipments', 'list', '--limit', '1', '--ids')).stdout.trim()
    const words = line.replace('FIRST', awb).split(' ')
    const csv = await shipx(...words, '--excel')
    const { exit, stdout, stderr } = await shipx(...words, '--xlsx', 'list.xlsx')
    expect([exit, stdout]).toEqual([csv.exit, ''])
    expect(stderr).toContain('to list.xlsx')
    const parts = await partsOf(bytesOf('list.xlsx'))
    const rows = parts.get('xl/worksheets/sheet1.xml')!.split('<row ').length - 1
    expect(rows).toBe(csv.stdout.trimEnd().split('\n').length)
  })

  test('shipx sql, whose times are dates and whose digits stay text', async () => {
    const query = "select tracking_number, created_at, '2026-09-01' as day, 0.1 + 0.2 as sum from shipments limit 1"
    expect((await shipx('sql', query, '--xlsx', 'sql.xlsx')).stderr).toBe('✓ Wrote 1 row to sql.xlsx\n')
    const sheet = (await partsOf(bytesOf('sql.xlsx'))).get('xl/worksheets/sheet1.xml')!
    expect(sheet).toMatch(
      /<c r="A2" s="2" t="inlineStr">.*<c r="B2" s="3"><v>46\d+\.\d+<\/v><\/c><c r="C2" s="4"><v>46266<\/v>/,
    )
  })
})

describe('a file', () => {
  test('of our own is replaced, any other is not, and nothing is left behind', { tags: ['full'] }, async () => {
    const list = ['shipments', 'list', '--limit', '2', '--xlsx', 'daily.xlsx'] as const
    expect((await shipx(...list)).exit).toBe(0)
    expect((await shipx(...list)).exit).toBe(0)
    const other = workbook([{ name: 'S', rows: [['awb'], ['1']] }])
    writeFileSync(join(box.folder, 'daily.xlsx'), other)
    const refused = await shipx(...list)
    expect([refused.exit, bytesOf('daily.xlsx').equals(other)]).toEqual([2, true])
    expect(refused.stderr).toContain(
      'daily.xlsx is there already, and not as shipx wrote it; name another file, or replace it with --force',
    )
    expect((await shipx('stores', 'list', '--xlsx', 'daily.xlsx')).stderr).toContain('wrote it; name another file\n')
    expect([(await shipx(...list, '--force')).exit, bytesOf('daily.xlsx').equals(other)]).toEqual([0, false])
    expect(readdirSync(box.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test.each(
    first(2, [
      ['shipments list --xlsx -', 'needs the name of a file'],
      ['shipments list --xlsx list.csv', 'does not end in .xlsx, and Excel would not open it'],
      ['shipments list --xlsx no/where.xlsx', 'no: there is no such folder'],
      ['shipments list --xlsx a.xlsx --csv', 'are two formats; choose one'],
      ['shipments list --xlsx a.xlsx --no-header', '--no-header: does not go with --xlsx'],
      ['shipments list --xlsx a.xlsx --split-by courier --out x', '--out: is left out: --xlsx writes one workbook'],
      ['stores create --name acme --xlsx a.xlsx', 'is for commands that print a list; shipx stores create does not'],
      ['shipments ndr export --split-by courier --xlsx a.xlsx', '--split-by: writes a file for each courier'],
    ]),
  )('is refused before anything is done: %s', async (line, said) => {
    const { exit, stderr } = await shipx(...line.split(' '))
    expect([exit, stderr]).toEqual([2, expect.stringContaining(said)])
    expect(existsSync(join(box.folder, 'a.xlsx'))).toBe(false)
  })

  const counting = 'with recursive n (i) as (select 1 union all select i + 1 from n limit 30000)'
  const overflowing = `${counting} select iif(i = 29000, abs(-9223372036854775807 - 1), i) as i from n`
  const deployed = { SHIPX_BASE_URL: 'http://127.0.0.1:9', SHIPX_API_KEY: 'no-service-there' }
  test('of a command that fails is not there, and none of its parts', { tags: ['full'] }, async () => {
    const failing: readonly (readonly [readonly string[], number, Readonly<Record<string, string>>?])[] = [
      [['sql', overflowing, '--limit', 'all', '--xlsx', 'gone.xlsx'], 2],
      [['sql', overflowing, '--limit', 'all', '--parquet', 'gone.parquet'], 2],
      [['shipments', 'list', '--xlsx', 'lost.xlsx'], 6, deployed],
      [['shipments', 'list', '--split-by', 'courier', '--out', 'lost'], 6, deployed],
      [['stores', 'export', '--out', 'lost.csv'], 6, deployed],
      [['report', '--store', 'nobody', '--out', 'gone.html'], 2],
    ]
    const before = readdirSync(box.folder)
    const ends = await Promise.all(failing.map(([args, , more = {}]) => box.shipx(args, { env: { ...env, ...more } })))
    expect(ends.map(({ exit }) => exit)).toEqual(failing.map(([, code]) => code))
    expect(readdirSync(box.folder)).toEqual(before)
  })

  test('is not there after Ctrl-C', { tags: ['full'] }, async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'
    const { child, ended } = box.begin(['sql', endless, '--limit', 'all', '--xlsx', 'stopped.xlsx'], { env })
    setTimeout(() => child.kill('SIGINT'), 1500)
    const { exit, stderr } = await ended
    expect([exit, stderr]).toEqual([130, expect.stringContaining('stopped')])
    expect(readdirSync(box.folder).filter((name) => /stopped|\.tmp$/.test(name))).toEqual([])
  })

  test('that Ctrl-C stopped while it was finished said that something went wrong inside shipx', async () => {
    let stop = (): void => undefined
    const onInterrupt = (stopped: () => void): (() => void) => {
      stop = stopped
      return () => undefined
    }
    const context = { io: { onInterrupt }, flags: new Map() } as unknown as Context
    let finishing = false
    const book = openWorkbookFile({
      write: () => {
        if (finishing) stop()
      },
      temporary: () => openTempFile({ io }),
      version: '0.1.0',
      now: 0,
    })
    const work = async (): Promise<number> => {
      // Sheets that wait in files are read when the workbook is finished.
      for (const name of ['one', 'two']) {
        const sheet = book.sheet(name, [{ header: 'n' }], true)
        const row = (): readonly [string] => [Array.from({ length: 30 }, () => Math.random()).join()]
        await sheet.add(Array.from({ length: 10_000 }, row))
        await sheet.end()
      }
      finishing = true
      return 0
    }
    let told = false
    const finish = async (): Promise<void> => {
      await book.end()
      told = true
    }
    const output = { begun: () => true, placed: () => false, finish, drop: book.close }
    const failure = await printedInto(context, 'a.xlsx', output, work).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'interrupted', message: 'stopped; a.xlsx was not written' })
    // What was still read from the closed files must not end the process either.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(told).toBe(false)
  })

  test('that a command finished before Ctrl-C was said not to be written', async () => {
    let interrupt = (): void => undefined
    const io = { onInterrupt: (stop: () => void) => ((interrupt = stop), () => undefined) }
    const context = { io, flags: new Map() } as unknown as Context
    let placed = false
    const output = {
      begun: () => true,
      placed: () => placed,
      finish: async () => undefined,
      drop: () => undefined,
    }
    const work = async (): Promise<number> => {
      placed = true
      interrupt()
      return 0
    }
    await expect(printedInto(context, 'a.xlsx', output, work)).rejects.toMatchObject({
      code: 'interrupted',
      message: 'stopped; a.xlsx is written, and what follows was not done',
    })
  })

  test('of parcels of which some have no price is there, and the exit says so', { tags: ['full'] }, async () => {
    box.file(
      'bad.csv',
      'ref,from,to,weight_g,length,width,height,payment\nA,400001,560001,500,20,15,10,prepaid\nB,400001,1,500,20,15,10,prepaid\n',
    )
    const { exit, stderr } = await shipx('rates', '--file', 'bad.csv', '--xlsx', 'bad.xlsx')
    expect([exit, existsSync(join(box.folder, 'bad.xlsx'))]).toEqual([7, true])
    expect(stderr).toContain('✓ Wrote 2 parcels to bad.xlsx')
  })
})

test.skipIf(process.platform !== 'linux')('many rows take no memory', { tags: ['full'] }, async () => {
  const numbers = 'with recursive c (x) as (select 1 union all select x + 1 from c limit 300000)'
  const many = `${numbers} select x as id, hex(x) || '-text' as text, '2026-09-29T08:30:00Z' as at, x * 1.5 as n from c`
  const { child, ended } = box.begin(['sql', many, '--limit', 'all', '--timeout', '0', '--xlsx', 'many.xlsx'], { env })
  let most = 0
  const looking = setInterval(() => {
    if (!existsSync(`/proc/${child.pid!}/status`)) return
    const status = readFileSync(`/proc/${child.pid!}/status`, 'utf8')
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 100)
  const { exit, stderr } = await ended
  clearInterval(looking)
  expect([exit, stderr]).toEqual([0, '✓ Wrote 3,00,000 rows to many.xlsx\n'])
  expect(most).toBeGreaterThan(30)
  expect(most).toBeLessThan(150)
})

test(
  'answers for one courier go into a workbook, and are marked as sent after it is written',
  { tags: ['full'] },
  async () => {
    const parcels = JSON.parse((await shipx('shipments', 'ndr', '--json')).stdout) as {
      readonly data: readonly { readonly tracking_number: string; readonly courier: string }[]
    }
    const { tracking_number: awb, courier } = parcels.data[0]!
    await shipx('shipments', 'ndr', 'answer', awb, '--rto')
    const going = ['shipments', 'ndr', 'export', '--courier', courier, '--xlsx', 'ndr.xlsx'] as const
    const { exit, stderr } = await shipx(...going)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('✓ Wrote 1 parcel to ndr.xlsx')])
    expect(stderr).toContain('phones are whole in this sheet: send it to its courier only')
    const { rows } = await readTable(bytesOf('ndr.xlsx'), { columns: [{ name: 'AWB', required: true }] })
    expect(rows.map(({ cells }) => cells[0])).toEqual([awb])
    expect((await shipx(...going, '--again')).stderr).toContain('--force replaces it')
  },
)
