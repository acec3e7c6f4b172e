// M: `reconcile invoice` of an invoice of all parcels of a database (moneydata.ts): dry, kept, the same file again and
// as a workbook, against `rates --file` of the same parcels, and the import and join of sqlite3 and DuckDB.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { moneyBook, moneyFiles, type MoneyFiles } from './moneydata.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram, type Ended, type Start } from './timing.ts'

/** Lines of the workbook. */
const bookLines = 100_000

/** The processor's time of several runs in ms, and their greatest memory. */
interface Measured {
  readonly ms: number
  readonly peakMb: number
}

const measured = (runs: readonly Ended[]): Measured => ({
  ms: median(runs.map(({ cpuMs }) => cpuMs)),
  peakMb: Math.max(...runs.map(({ peakMb }) => peakMb ?? 0)),
})

/** Runs each piece of work once in every round, the first of which does not count. */
async function interleaved<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<Ended | undefined>>>,
): Promise<ReadonlyMap<Name, Measured>> {
  const runs = new Map<Name, Ended[]>()
  for (let round = 0; round <= rounds; round++)
    for (const name of Object.keys(works) as Name[]) {
      const ended = await works[name]()
      if (round > 0 && ended !== undefined) runs.set(name, [...(runs.get(name) ?? []), ended])
    }
  return new Map([...runs].map(([name, all]) => [name, measured(all)]))
}

const join3 = `create index expected_awb on expected (awb);
create table judged as select i.*, e.expected, i.total - e.expected as difference
  from invoice i left join expected e on e.awb = i.awb;`

/** The import of both files and their join into a table, by the shell of SQLite. */
function bySqlite(folder: string, { invoice, expected }: MoneyFiles): Start | undefined {
  if (!installed('sqlite3')) return undefined
  const path = join(folder, 'money.joined.sqlite')
  for (const suffix of ['', '-journal']) rmSync(path + suffix, { force: true })
  const args = [path, '.mode csv', `.import "${invoice}" invoice`, `.import "${expected}" expected`, join3]
  return { command: 'sqlite3', args }
}

/** The same by the shell of DuckDB, into a CSV. */
function byDuckdb(folder: string, { invoice, expected }: MoneyFiles): Start | undefined {
  if (!installed('duckdb')) return undefined
  const select = `select i.*, e.expected, i.total - e.expected as difference
    from read_csv('${invoice}') i left join read_csv('${expected}') e on e.awb = i.awb`
  return { command: 'duckdb', args: ['-c', `copy (${select}) to '${join(folder, 'money.joined.csv')}' (header)`] }
}

export async function money(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  const runs = rows >= 1_000_000 ? 1 : Math.min(3, setup.runs)
  say(`M: an invoice of ${rows.toLocaleString('en-IN')} parcels`)
  const files = await moneyFiles(folder, rows)
  const { csv, book } = moneyBook(folder, files.invoice, bookLines)
  const shipx = (args: readonly string[]): Promise<Ended> =>
    runProgram({
      command: process.execPath,
      args: [program(setup), ...args, '--db', files.database, '--quiet'],
      env: { ...environment(setup), SHIPX_NOW: '2026-01-15T06:00:00Z' },
      watch: true,
    })
  const reconcile = (file: string, ...more: readonly string[]): Promise<Ended> =>
    shipx(['reconcile', 'invoice', file, '--card', files.card, '--csv', ...more])
  const other = async (start: Start | undefined): Promise<Ended | undefined> => start && runProgram(start)
  const kept = ['--number', 'M', '--yes']
  const found = await interleaved(runs, {
    rates: () => shipx(['rates', '--file', files.parcels, '--card', files.card, '--csv']),
    dry: () => reconcile(files.invoice, '--dry-run'),
    sqlite: () => other(bySqlite(folder, files)),
    duckdb: () => other(byDuckdb(folder, files)),
    kept: () => reconcile(files.invoice, ...kept),
    again: () => shipx(['reconcile', 'invoice', files.invoice, '--csv', '--yes']),
    removed: () => shipx(['invoices', 'remove', 'M', '--yes']),
    csv: () => reconcile(csv, '--dry-run'),
    book: () => reconcile(book, '--dry-run'),
  })
  for (const name of ['joined.sqlite', 'joined.csv', 'sqlite', 'sqlite-wal', 'sqlite-shm', 'part.csv', 'part.xlsx'])
    rmSync(join(folder, `money.${name}`), { force: true })
  const ratio = (
    item: string,
    work: string,
    one: Measured,
    against: string,
    theirs: Measured | undefined,
    goal: number | undefined,
    missing = '',
  ): Figure => ({
    item,
    work: `${work}, processor's time`,
    against,
    value: theirs && one.ms / theirs.ms,
    unit: 'x',
    ...(goal === undefined ? {} : { goal }),
    ours: one.ms,
    runs,
    ...(theirs === undefined ? { note: missing } : { theirs: theirs.ms }),
  })
  const memory = (work: string, { peakMb }: Measured): Figure => ({
    item: 'M3',
    work: `memory of ${work}`,
    against: 'peak RSS',
    value: peakMb,
    unit: 'MB',
    goal: 150,
    runs,
  })
  const lines = `${files.lines.toLocaleString('en-IN')} lines`
  const [dry, keeping, again, workbook] = (['dry', 'kept', 'again', 'book'] as const).map((name) =>
    found.get(name)!,
  ) as [Measured, Measured, Measured, Measured]
  const sqlite = 'import and join of sqlite3'
  const duckdb = 'read and join of DuckDB'
  return [
    ratio('M1', `reconcile invoice --dry-run, ${lines}`, dry, 'rates --file', found.get('rates'), 1.5),
    ratio('M1', 'the same', dry, sqlite, found.get('sqlite'), 1.3, 'sqlite3 is not installed'),
    ratio('M1', 'the same', dry, duckdb, found.get('duckdb'), undefined, 'duckdb is not installed'),
    ratio('M2', 'kept', keeping, 'the dry run', dry, 2),
    memory('the dry run', dry),
    memory('the kept run', keeping),
    memory('the workbook', workbook),
    ratio('M3', `${bookLines.toLocaleString('en-IN')} lines of a workbook`, workbook, 'as CSV', found.get('csv'), 3),
    ratio('M4', 'the same file again', again, 'the kept run', keeping, 0.5),
  ]
}
