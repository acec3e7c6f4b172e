// The names of SQLite's result codes, as better-sqlite3 has them (https://www.sqlite.org/rescode.html).

/** The primary codes, from 1 on. */
const primary = (
  'ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL ' +
  'EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'
).split(' ')

/** The extended codes that the engine tells apart from others of their primary code. */
const extended: Readonly<Record<number, string>> = {
  [8 | (4 << 8)]: 'SQLITE_READONLY_DBMOVED',
  [10 | (3 << 8)]: 'SQLITE_IOERR_WRITE',
  [10 | (25 << 8)]: 'SQLITE_IOERR_GETTEMPPATH',
  [19 | (6 << 8)]: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  [19 | (8 << 8)]: 'SQLITE_CONSTRAINT_UNIQUE',
}

/** The name of a code; an extended one without a name has that of its primary code, and its number. */
export function codeNamed(code: number): string {
  const name = `SQLITE_${primary[(code & 0xff) - 1] ?? 'ERROR'}`
  return extended[code] ?? (code > 0xff ? `${name}_${code >> 8}` : name)
}
