// M6, M7, L3: text that makes expressions slow, queries in SQL without measure, and questions of damaged files.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { chanceOf } from '../support/chance.ts'
import { expressions, slowOnes } from '../support/expressions.ts'
import { deskOf, type Desk, type Ran } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** The code of a failure that was told as JSON, or '' where none was. */
export function codeOf({ stderr }: Pick<Ran, 'stderr'>): string {
  try {
    return (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string } }).error.code
  } catch {
    return ''
  }
}

/** Runs a command and gives how it ended and how long that took, ms; killed after a minute. */
export async function taken(
  desk: Desk,
  args: readonly string[],
  how: Parameters<Desk['run']>[1] = {},
): Promise<Ran & { readonly ms: number }> {
  // prettier-ignore
  const began = performance.now()
  const ran = await desk.run(args, { kill: { signal: 'SIGKILL', after: 60_000 }, ...how })
  return { ...ran, ms: performance.now() - began }
}

const orders = (cell: string, column: number): string => {
  const cells = [
    'S-1',
    'Asha Rao',
    '9812345678',
    '12 MG Road',
    'Bengaluru',
    '560038',
    'Karnataka',
    'Prepaid',
    '499',
    'Romper',
    'CR-02',
    '1',
    '499',
    '20',
    '15',
    '10',
    '0.5',
  ]
  cells[column] = `"${cell}"`
  return `order_id,billing_customer_name,billing_phone,billing_address,billing_city,billing_pincode,billing_state,payment_method,sub_total,item_name,item_sku,item_units,item_selling_price,length,breadth,height,weight\n${cells.join(',')}\n`
}

/** M6: every expression of the program, and texts that made 26 of them slow. */
export const m6 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const all = expressions()
    const slow = slowOnes(all)
    const length = share(size, 400_000, 50_000)
    const tabs = '\t'.repeat(length)
    const desk = deskOf()
    const faults = slow.map((one) => `not linear: ${one}`)
    const files: readonly (readonly [name: string, text: string, args: readonly string[]])[] = [
      ...[8, 12, 13, 16].map(
        (column) =>
          [
            `orders-${column}.csv`,
            orders(`1${tabs}x`, column),
            ['orders', 'import', `orders-${column}.csv`, '--dry-run'],
          ] as const,
      ),
      ['page.json', `{"data":${tabs}x\n`, ['local', 'import', 'shipments', 'page.json']],
      ['blanks.txt', `=== ${' '.repeat(length / 2)}x\n`, ['messages', 'template', 'check', 'blanks.txt']],
      ['signs.txt', `=== ${'='.repeat(length / 2)}x\n`, ['messages', 'template', 'check', 'signs.txt']],
      [
        'marks.txt',
        `language: en\n=== shipped html\n${'<'.repeat(length / 4)}\n`,
        ['messages', 'template', 'check', 'marks.txt'],
      ],
      [
        'parcels.csv',
        `ref,from,to,weight,length,width,height,payment\n1,400001,560001,"1${tabs}x",1,1,1,prepaid\n`,
        ['rates', '--file', 'parcels.csv', '--csv'],
      ],
    ]
    let slowest = 0
    try {
      for (const [name, text, args] of files) {
        desk.write(name, text)
        const { ms, exit } = await taken(desk, args)
        slowest = Math.max(slowest, ms)
        if (![2, 7].includes(Number(exit)) || ms > 10_000)
          faults.push(`${name}: exit ${exit} after ${Math.round(ms)} ms`)
      }
    } finally {
      desk.clear()
    }
    return {
      row: 'M6',
      what: `${all.length} regular expressions, and ${files.length} files with ${length.toLocaleString('en-IN')} characters where one is read`,
      tried: all.length + files.length,
      result: `${slow.length} expressions that are not linear; the slowest file took ${(slowest / 1000).toFixed(1)} s`,
      target: 'none that is not linear; each file told as wrong within 10 s',
      faults: summed(faults),
    }
  })

const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000000)'
const mark = '\ufeff'

/** M7: questions that have no measure, and names that hide behind a mark. */
export const m7 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const desk = deskOf()
    const faults: string[] = []
    const large = share(size, 100_000_000, 30_000_000)
    const asked: readonly (readonly [statement: string, code: string, ...flags: string[]])[] = [
      [`select printf('%.*c', ${large}, 'x')`, 'statement_failed'],
      ['select json_group_array(record) from shipments, (select 1 from shipments limit 60)', 'statement_failed'],
      [`select printf('%.*c', ${large}, 'x')`, 'time_limit', '--timeout', '10ms'],
      [`${endless} select count(*) from n`, 'time_limit', '--timeout', '2s'],
      [`${endless} select i, printf('%.*c', 2000, 'x') as y from n order by y desc, i desc`, 'statement_failed'],
      ...[
        'sqlite_temp_master',
        'sqlite_master',
        'pragma_database_list',
        'pragma_table_list',
        'dbstat',
        '"sqlite_schema"',
        '[sqlite_master]',
      ].flatMap((name) =>
        [` ${mark}`, ` ${mark}${mark}`, `/**/${mark}`].map(
          (blank) => [`select * from${blank}${name}`, 'statement_refused'] as const,
        ),
      ),
    ]
    let slowest = 0
    try {
      await desk.run(['local', 'seed', '--shipments', '300', '--quiet'])
      for (const [statement, code, ...flags] of asked) {
        const ran = await taken(desk, ['sql', statement, '--json', ...flags])
        slowest = Math.max(slowest, ran.ms)
        if (codeOf(ran) !== code) faults.push(`${statement.slice(0, 60)}: ${codeOf(ran)}, exit ${ran.exit}`)
      }
    } finally {
      desk.clear()
    }
    return {
      row: 'M7',
      what: `${asked.length} queries in SQL: values of up to 100 MB, a sort without end, names behind a byte-order mark`,
      tried: asked.length,
      result: `each ended with its code, the slowest after ${(slowest / 1000).toFixed(1)} s`,
      target: 'each ends within a minute with the code that says why',
      faults: summed(faults),
    }
  })

/** L3: questions of so many of 60 damaged files, by four commands each. */
export const l3 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const mutants = share(size, 60, 4)
    const [desk, chance] = [deskOf(), chanceOf(3)]
    const faults: string[] = []
    let told = 0
    const commands = [
      ['sql', 'select count(record), max(city), sum(total_price_paise) from shipments'],
      ['shipments', 'list', '--all', '--jsonl'],
      ['shipments', 'summary'],
      ['local', 'check'],
    ]
    try {
      await desk.run(['local', 'seed', '--shipments', '200', '--quiet'])
      await desk.run(['local', 'backup', 'whole.sqlite', '--quiet'])
      for (let n = 0; n < mutants; n++) {
        copyFileSync(desk.path('whole.sqlite'), desk.path('mutant.sqlite'))
        const bytes = readFileSync(desk.path('mutant.sqlite'))
        const at = Math.floor(chance() * bytes.length)
        const end = n % 3 === 0 ? at + 1 : n % 3 === 1 ? at + 4096 : bytes.length
        if (n % 2 === 0) bytes.fill(Math.floor(chance() * 256), at, Math.min(end, bytes.length))
        writeFileSync(desk.path('mutant.sqlite'), n % 2 === 0 ? bytes : bytes.subarray(0, at))
        for (const args of commands) {
          const ran = await taken(desk, [
            ...args,
            '--db',
            'mutant.sqlite',
            ...(args.includes('--jsonl') ? [] : ['--json']),
          ])
          const code = codeOf(ran)
          if (ran.exit !== 0) told++
          if (ran.exit === 'SIGKILL' || code === 'internal' || (ran.exit !== 0 && code === ''))
            faults.push(`${args[0]} ${args[1]}: exit ${ran.exit} ${code} ${ran.stderr.slice(0, 200)}`)
        }
      }
      const { exit, stderr } = await desk.run(['sql', 'select 1', '--json'], { env: { TMPDIR: desk.path('nowhere') } })
      if (codeOf({ stderr }) !== 'output_failed')
        faults.push(`no temporary folder: exit ${exit} ${stderr.slice(0, 200)}`)
    } finally {
      desk.clear()
    }
    return {
      row: 'L3',
      what: `${mutants} damaged files asked by ${commands.length} commands, and a temporary folder that is not there`,
      tried: mutants * commands.length + 1,
      result: `${told} times the damage was told, never as a fault inside shipx`,
      target: 'no crash, no hang, and a code that says what is wrong',
      faults: summed(faults),
    }
  })
