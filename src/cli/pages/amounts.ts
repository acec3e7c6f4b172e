// The format of figures on HTML pages: rupees and shares, the same in charts, tables and text.
import { showMoney } from '../output/display.ts'

/** A share from 0 to 1 as `12.3%`; a dash for null. */
export const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)}%`)

/** A share as `12%`; `<1%` or `>99%` for one close to nothing or everything. */
export function roundPercent(share: number | null): string {
  if (share === null) return '–'
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return '<1%'
  return rounded === 100 && share < 1 ? '>99%' : `${rounded}%`
}

/** Rupees for a quick look: whole ones, and crores from one crore on. */
export function rupees(value: number): string {
  if (Math.abs(value) >= 1e7) return `${showMoney(Math.round(value / 1e5) / 100)} crore`
  return showMoney(Math.round(value)).replace(/\.00$/, '')
}

/** Rupees to the paisa. */
export const exactRupees = (value: number): string => showMoney(value)

/** Text cut to this many characters. */
export function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
