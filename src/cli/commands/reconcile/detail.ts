// What a page and a workbook of an invoice show beside its sums: zones and couriers, GST, and the dearest lines.
// Amounts are integer paise.
import type { KeptLine } from '../../../engine/money/lines.ts'
import { oneZone } from './groups.ts'

/** What lines of one zone or courier add up to. */
export interface Spread {
  lines: number
  billed: number
  /** Of the lines that can be judged. */
  expected: number
  over: number
  under: number
}

/** Lines of one zone of ours that were billed as one zone. */
export interface ZoneSpread extends Spread {
  readonly zone: string | null
  readonly billedAs: string | null
}

/** The details of a document so far. */
export interface Detail {
  readonly add: (line: KeptLine) => void
  /** The dearest first; a file with thousands of names has the others as one. */
  readonly zones: () => readonly ZoneSpread[]
  readonly couriers: () => readonly (Spread & { readonly courier: string | null })[]
  readonly gst: { billed: number; expected: number }
  /** The lines that cost too much, the dearest first, up to `mostDearest`. */
  readonly dearest: () => readonly KeptLine[]
}

/** Lines that a page lists. */
export const mostDearest = 200

/** Zones and couriers with a row of their own; a file may have any words there. */
const mostRows = 500

const others = 'others'
const apart = '\u001f'

const over = ({ billed, expected }: KeptLine): number => billed - expected!

const dearer = (a: KeptLine, b: KeptLine): number => over(b) - over(a) || a.line - b.line

/** Details of no line yet. */
export function detailOf(): Detail {
  const zones = new Map<string, Spread>()
  const couriers = new Map<string, Spread>()
  const gst = { billed: 0, expected: 0 }
  let held: KeptLine[] = []
  let least = 0
  const spread = (rows: Map<string, Spread>, name: string, line: KeptLine): void => {
    let row = rows.get(name) ?? (rows.size < mostRows ? undefined : rows.get(others))
    if (row === undefined) {
      row = { lines: 0, billed: 0, expected: 0, over: 0, under: 0 }
      rows.set(rows.size < mostRows ? name : others, row)
    }
    row.lines++
    row.billed += line.billed
    if (line.expected === null) return
    if (line.verdict !== 'credit') row.expected += line.expected
    const difference = line.billed - line.expected
    if (line.verdict === 'over') row.over += difference
    if (line.verdict === 'under') row.under -= difference
  }
  const byOver = (a: Spread, b: Spread): number => b.over - a.over || b.billed - a.billed
  return {
    gst,
    add: (line) => {
      spread(zones, `${line.zone ?? ''}${apart}${line.zone_billed === null ? '' : oneZone(line.zone_billed)}`, line)
      spread(couriers, line.courier ?? '', line)
      gst.billed += line.gst_billed ?? 0
      gst.expected += line.gst_expected ?? 0
      if (line.verdict !== 'over' || line.expected === null || over(line) < least) return
      held.push(line)
      if (held.length < mostDearest * 2) return
      held = held.toSorted(dearer).slice(0, mostDearest)
      least = over(held.at(-1)!)
    },
    zones: () =>
      [...zones]
        .map(([name, row]) => {
          const [zone, billedAs] = name.split(apart)
          return { ...row, zone: zone === '' ? null : zone!, billedAs: billedAs === '' ? null : (billedAs ?? null) }
        })
        .toSorted(byOver),
    couriers: () =>
      [...couriers].map(([name, row]) => ({ ...row, courier: name === '' ? null : name })).toSorted(byOver),
    dearest: () => held.toSorted(dearer).slice(0, mostDearest),
  }
}
