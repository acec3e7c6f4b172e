// Imports as tests run them: the built command in a folder of its own, started, cut short and run again.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driver } from './sqlite.ts'
import { parse } from 'csv-parse/sync'
import { codeEnv, program as start } from './program.ts'

/** How a command ended. */
export interface Ran {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
  /** From the signal to the end, ms. */
  readonly after: number | undefined
}

/** What a command is run with. */
export interface Running {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** Sent after so many ms. */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly after: number }
  /** A program that runs it, with its arguments: strace. */
  readonly under?: readonly string[]
  /** Sent when stderr first holds the text. */
  readonly killAt?: { readonly signal: NodeJS.Signals; readonly text: string }
}

/** A folder with files and a data folder, in which the command runs. */
export interface Desk {
  readonly folder: string
  readonly database: string
  readonly path: (name: string) => string
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly read: (name: string) => string
  readonly there: (name: string) => boolean
  readonly run: (args: readonly string[], running?: Running) => Promise<Ran>
  /** Names and brands in the engine's database, by name. */
  readonly stores: () => readonly (readonly [string, string | null])[]
  /** What SQLite's own check says. */
  readonly sound: () => unknown
  readonly clear: () => void
}

/** Makes a desk; `env` goes to every run. */
export function deskOf(env: Readonly<Record<string, string>> = {}): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-import-')))
  const path = (name: string): string => join(folder, name)
  const database = path('data/shipx.sqlite')
  return {
    folder,
    database,
    path,
    write: (name, content) => {
      writeFileSync(path(name), content)
      return name
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    there: (name) => existsSync(path(name)),
    run: (args, { input, env: more = {}, kill, killAt, under = [] } = {}) =>
      new Promise((resolve, reject) => {
        const [program, ...words] = [...under, process.execPath, start, ...args]
        let signalled: number | undefined
        const signal = (name: NodeJS.Signals): void => {
          signalled = performance.now()
          child.kill(name)
        }
        const child = spawn(program!, words, {
          cwd: folder,
          env: {
            HOME: folder,
            ...codeEnv(),
            SHIPX_DATA_DIR: path('data'),
            SHIPX_CONFIG_DIR: path('config'),
            LC_ALL: 'C.UTF-8',
            ...env,
            ...more,
          },
          stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        })
        let [stdout, stderr] = ['', '']
        child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
        child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
          const before = stderr
          stderr += chunk
          if (killAt !== undefined && stderr.includes(killAt.text) && !before.includes(killAt.text))
            signal(killAt.signal)
        })
        if (input !== undefined) child.stdin!.on('error', () => undefined).end(input)
        const timer = kill === undefined ? undefined : setTimeout(() => signal(kill.signal), kill.after)
        child.on('error', reject)
        child.on('close', (code, name) => {
          clearTimeout(timer)
          const after = signalled === undefined ? undefined : performance.now() - signalled
          resolve({ exit: code ?? String(name), stdout, stderr, after })
        })
      }),
    stores: () => (existsSync(database) ? storesIn(database) : []),
    sound: () => query(database, (db) => db.pragma('integrity_check', { simple: true })),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function query<T>(path: string, work: (db: InstanceType<typeof driver>) => T): T {
  const db = new driver(path, { fileMustExist: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** What an import with `--json` says of itself at its end. */
export interface Summary {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  readonly failed: number
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly count: number }[]
  readonly failed_file: string | null
}

export const summaryOf = ({ stdout }: Pick<Ran, 'stdout'>): Summary => (JSON.parse(stdout) as { data: Summary }).data

/** The rows of a file of failed rows, none when there is no such file. */
export const failedRows = (path: string): readonly Readonly<Record<string, string>>[] =>
  existsSync(path) ? parse(readFileSync(path), { columns: true }) : []

/** Names and brands of an account's stores in a database, by name; none where a process was killed before its tables. */
export const storesIn = (path: string, account = 'default'): readonly (readonly [string, string | null])[] =>
  query(path, (db) =>
    db.prepare("select 1 from sqlite_master where name = 'stores'").get() === undefined
      ? []
      : (db
          .prepare(
            'select store_name, brand_name from stores where account_id = (select id from accounts where name = ?) order by store_name',
          )
          .raw()
          .all(account) as [string, string | null][]),
  )

/** How often each order is in a database, as shipments and as orders. */
export const ordersIn = (path: string): ReadonlyMap<string, number> =>
  query(path, (db) => {
    const shipments = db.prepare('select order_display_id as id, count(*) as n from shipments group by 1').all() as {
      id: string
      n: number
    }[]
    const orders = new Set(db.prepare('select order_id from orders').pluck().all() as string[])
    return new Map(shipments.filter(({ id }) => orders.has(id)).map(({ id, n }) => [id, n]))
  })

/** A file of so many good stores, `acme-00000` and on. */
export const storesCsv = (count: number, from = 0): string =>
  `store_name,brand_name,logo\n${Array.from({ length: count }, (_, i) => `acme-${String(from + i).padStart(5, '0')},Acme ${from + i},\n`).join('')}`

/** What those are in a database. */
export const storesOf = (count: number): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, i) => [`acme-${String(i).padStart(5, '0')}`, `Acme ${i}`] as const)

/** What `shipx orders import` is given beside the file of `ordersCsv`. */
export const orderFlags = ['--warehouse', 'WH1', '--size', '20x15x10', '--yes'] as const

const orderHeader =
  'Customer name,Customer mobile no,Order Id,Payment method,Address line 1,Customer pincode,Product name,Product SKU Id,Product quantity,Product price,Weight of the Package (in Kgs)'

/** The ids of the orders of `ordersCsv`. */
export const orderIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `IMP-${String(n).padStart(5, '0')}`)

/** A file of so many good orders, every third with two items; `over` changes a line of an order. */
export function ordersCsv(count: number, over: (line: string, n: number) => string = (line) => line): string {
  const lines = orderIds(count).flatMap((id, n) => {
    const line = (sku: string): string =>
      `Asha Rao,98123${String(10_000 + n)},${id},${n % 2 === 0 ? 'COD' : 'Prepaid'},12 MG Road,560038,Romper,${sku},2,499,0.5`
    return n % 3 === 0 ? [over(line('CR-02'), n), over(line('MS-11'), n)] : [over(line('CR-02'), n)]
  })
  return `${[orderHeader, ...lines].join('\n')}\n`
}

/** Each order of `ordersCsv` once. */
export const ordersOnce = (count: number): ReadonlyMap<string, number> => new Map(orderIds(count).map((id) => [id, 1]))
