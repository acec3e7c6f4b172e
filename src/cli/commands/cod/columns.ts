// Columns in the tables of COD: values as they are, days, and rupees.
import type { Column } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'

/** A column with the value of a field as it is. */
export const plain = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
  over: Partial<Column<R>> = {},
): Column<R> => ({ key, header, rank, raw: (record) => record[key] as string | number | null, ...over })

/** A column of IST days; `-` where there is none. */
export const day = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
  over: Partial<Column<R>> = {},
): Column<R> =>
  plain(key, header, rank, {
    kind: 'day',
    show: (record) => (record[key] === null ? '-' : showDay(String(record[key]))),
    ...over,
  })

/** A column of rupees; `-` where there is no amount. */
export const money = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
  over: Partial<Column<R>> = {},
): Column<R> =>
  plain(key, header, rank, {
    right: true,
    whole: true,
    kind: 'money',
    show: (record, screen) => (record[key] === null ? '-' : showMoney(record[key] as number, screen)),
    ...over,
  })

/** A column of rupees that a table leaves out while all of them are 0. */
export const moneyIfAny = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
): Column<R> =>
  money(key, header, rank, {
    sparse: true,
    show: (record, screen) => (record[key] === 0 ? '' : showMoney(record[key] as number, screen)),
  })
