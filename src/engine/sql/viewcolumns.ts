// Columns of the views that `shipx sql` reads, in SQLite's dialect.
import { amountSql } from '../database/sqlfunctions.ts'

/** A column of a view, computed from a row `r` of its table. */
export interface SqlColumn {
  readonly name: string
  readonly type: 'text' | 'integer' | 'real'
  readonly means: string
  readonly sql: string
  /** The same where a record does not say when it was created: it is stored at 0. No index serves this one. */
  readonly undated?: string
  /** The same where rows of an earlier version say it in another way. No index serves this one. */
  readonly older?: string
}

/**
 * A view: its columns, and `from`, which returns the source rows for a schema and an account's number; `scanning` says
 * that the account's records are read in their order, by no index.
 */
export interface SqlView {
  readonly name: string
  readonly means: string
  readonly columns: readonly SqlColumn[]
  readonly from: (schema: string, account: string, scanning: boolean) => string
}

/** A part of a record's attributes. */
export const attribute = (path: string): string => `(r.doc ->> '$.attributes.${path}')`
export const text = (name: string, means: string, sql: string): SqlColumn => ({ name, type: 'text', means, sql })
/** A text without the blanks around it; null where nothing else is in it. */
const unblank = (sql: string): string => `nullif(trim(${sql}, char(9, 10, 13, 32, 160)), '')`
/** Text that a row keeps as it came. */
export const shown = (name: string, means: string, sql: string): SqlColumn => text(name, means, unblank(sql))
/** Text inside a record; other deployments also send it as a number. */
export const textIn = (name: string, means: string, sql: string): SqlColumn =>
  shown(name, means, `cast(${sql} as text)`)
export const integer = (name: string, means: string, sql: string): SqlColumn => ({ name, type: 'integer', means, sql })
export const real = (name: string, means: string, sql: string): SqlColumn => ({ name, type: 'real', means, sql })

/** ISO 8601 in UTC, from ms. */
const iso = (ms: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%S', (${ms}) / 1000, 'unixepoch') || printf('.%03dZ', (${ms}) % 1000)`

/** A time twice: as text for people and spreadsheets, and as a number for arithmetic. */
export const time = (name: string, means: string, ms: string): readonly SqlColumn[] => [
  text(name, `${means}, ISO 8601 in UTC`, iso(ms)),
  integer(`${name}_ms`, `${means}, ms since 1970`, ms),
]

/** The time of creation of the rows `r`, or what stands in for it. */
export const creation = (name: string, means: string): readonly SqlColumn[] => {
  const undated = time(name, means, `nullif(r.${name}, 0)`)
  return time(name, means, `r.${name}`).map((column, i) => ({ ...column, undated: undated[i]!.sql }))
}

/** A time that rows sort by: where a record does not say it, its row has the time of creation in its place. */
export const timeOrCreation = (name: string, means: string): readonly SqlColumn[] =>
  time(
    name,
    means,
    `case when r.${name} = r.created_at then instant_ms(r.doc ->> '$.attributes.${name}') else r.${name} end`,
  )

/** An amount inside JSON: rupees as they were sent, and paise, which add up exactly. */
function amountsIn(json: string, path: string): readonly [rupees: string, paise: string] {
  const rupees = amountSql(json, `'${path}'`)
  const paise = `cast(round((${rupees}) * 100.000000000001) as integer)`
  return [rupees, `case when (${rupees}) between -1e13 and 1e13 then ${paise} end`]
}

const twice = (name: string, means: string, [rupees, paise]: readonly [string, string]): readonly SqlColumn[] => [
  real(name, `${means}, rupees`, rupees),
  integer(`${name}_paise`, `${means}, paise`, paise),
]

/** An amount inside JSON, twice. */
export const moneyIn = (name: string, means: string, json: string, path: string): readonly SqlColumn[] =>
  twice(name, means, amountsIn(json, path))

/** An amount of a record, twice. Its text is read only where it says more than the row, which has whole paise. */
export function money(name: string, means: string): readonly SqlColumn[] {
  const [rupees, paise] = amountsIn('r.doc', `$.attributes.${name}`)
  const either = (own: string, sent: string): string => `case r.whole_paise when 1 then ${own} when 0 then ${sent} end`
  return twice(name, means, [either(`r.${name} / 100.0`, rupees), either(`r.${name}`, paise)])
}

/** An amount of a row in paise: rupees, and the paise. */
export const paiseTwice = (name: string, means: string, sql: string): readonly SqlColumn[] =>
  twice(name, means, [`(${sql}) / 100.0`, sql])
