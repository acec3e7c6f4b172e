// Which commands print records, and into which files.

/** The last words of commands that print records, and other commands that do. */
const listWords: ReadonlySet<string> = new Set(['list', 'get', 'show', 'summary', 'versions'])
const others: ReadonlySet<string> = new Set([
  'rates',
  'serviceability',
  'pincode',
  'sql',
  'shipments stuck',
  'shipments ndr',
  'shipments ndr export',
  'shipments cost',
  'invoices unbilled',
  'courier policy',
  'disputes create',
  'disputes export',
  'disputes evidence',
  'reconcile invoice',
  'reconcile cod',
  'cod due',
  'shipments rto',
])

/** The commands whose columns have types. */
const typed: ReadonlySet<string> = new Set([
  'shipments list',
  'shipments get',
  'shipments summary',
  'shipments stuck',
  'shipments ndr',
  'returns list',
  'returns get',
  'returns summary',
  'stores list',
  'sql',
])

/** Whether a command prints records, which `--xlsx` writes as well. */
export const printsList = (path: readonly string[]): boolean =>
  others.has(path.join(' ')) || listWords.has(path.at(-1)!)

/** Whether `--parquet` writes the records of a command. */
export const hasTypes = (path: readonly string[]): boolean => typed.has(path.join(' '))
