// A column of rupees in the tables of COD.
import type { Column } from '../../output/columns.ts'
import { showMoney } from '../../output/display.ts'

/** A column of rupees; `-` where there is no amount. */
export const money = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
): Column<R> => ({
  key,
  header,
  rank,
  right: true,
  whole: true,
  kind: 'money',
  raw: (record) => record[key] as number | null,
  show: (record, screen) => (record[key] === null ? '-' : showMoney(record[key] as number, screen)),
})
