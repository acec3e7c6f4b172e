// What lines of one kind cost in a bill: the amount that most of them have, and the COD fees and slabs of its couriers
// (docs/guides/money.md, Without a contract). Amounts are integer paise before GST, weights hundredths of a gram.
import { codRuleOf, fewestAlike, leastAlike, type CodRule } from './codrule.ts'
import {
  alikeParts,
  billedIn,
  gridsOf,
  kindKey,
  usualGst,
  type AlikePart,
  type BillCounts,
  type Cell,
} from './kinds.ts'
import { gridOf, slabEnd, type SlabGrid } from './slabgrid.ts'

/** An amount, the lines that have it, and all lines of the kind. */
export interface Alike {
  readonly amount: number
  readonly lines: number
  readonly of: number
}

/** Lines that ought to cost the same. */
export interface Kind {
  readonly lines: number
  readonly parts: Readonly<Record<AlikePart, Alike>>
}

/** What the lines of a bill cost, to compare each of them with. */
export interface Comparison {
  readonly grids: ReadonlyMap<string, SlabGrid>
  readonly kinds: ReadonlyMap<string, Kind>
  /** The COD fees of a courier on a journey; undefined where no rule explains two thirds of them. */
  readonly codRule: (courier: string, journey: Cell['journey']) => CodRule | undefined
  readonly gstPercent: number
}

/** Whether most lines of a kind agree on an amount: two thirds of them, and at least three. */
export const agreed = ({ lines, of }: Alike): boolean => lines >= fewestAlike && lines >= of * leastAlike

interface Making {
  lines: number
  readonly amounts: Record<AlikePart, Map<number, number>>
}

const makingOf = (): Making => ({
  lines: 0,
  amounts: {
    freight: new Map(),
    rto: new Map(),
    reverse: new Map(),
    qc: new Map(),
    fuel: new Map(),
    other: new Map(),
    total: new Map(),
  },
})

/** The amount of most lines, of two equal ones the lesser; lines without the part have 0. */
function commonOf(amounts: ReadonlyMap<number, number>, lines: number): Alike {
  let others = 0
  for (const n of amounts.values()) others += n
  let best: Alike = { amount: 0, lines: lines - others, of: lines }
  for (const [amount, n] of amounts)
    if (n > best.lines || (n === best.lines && amount < best.amount)) best = { amount, lines: n, of: lines }
  return best
}

/** The kinds of cells. */
function kindsIn(cells: readonly Cell[], grids: ReadonlyMap<string, SlabGrid>): ReadonlyMap<string, Kind> {
  const making = new Map<string, Making>()
  for (const cell of cells) {
    const grid = grids.get(cell.courier)
    if (grid === undefined || cell.weight === 0 || cell.zone === '') continue
    const key = kindKey(cell, slabEnd(grid, cell.weight))
    let kind = making.get(key)
    if (kind === undefined) making.set(key, (kind = makingOf()))
    kind.lines += cell.lines
    for (const part of alikeParts)
      for (const { amount, lines } of billedIn(cell, part)) {
        const own = kind.amounts[part]
        own.set(amount, (own.get(amount) ?? 0) + lines)
      }
  }
  return new Map(
    [...making].map(([key, { lines, amounts }]) => [
      key,
      {
        lines,
        parts: Object.fromEntries(alikeParts.map((part) => [part, commonOf(amounts[part], lines)])) as Kind['parts'],
      },
    ]),
  )
}

/** What lines are compared with; `whole` says that each has one amount for everything. */
export function comparisonOf(counts: BillCounts, whole: boolean): Comparison {
  const cells = counts.cells()
  const grids = gridsOf(cells, gridOf)
  const kinds = kindsIn(cells, grids)
  const fees = new Map<string, { fee: number; collected: number | undefined }[]>()
  for (const { cell, fee, collected } of counts.codFees()) {
    let own = fee
    if (whole) {
      const grid = grids.get(cell.courier)
      const kind = grid && kinds.get(kindKey({ ...cell, payment: 'prepaid' }, slabEnd(grid, cell.weight)))
      if (kind === undefined || !agreed(kind.parts.total)) continue
      own = fee - kind.parts.total.amount
    }
    const key = `${cell.journey} ${cell.courier}`
    const list = fees.get(key)
    if (list === undefined) fees.set(key, [{ fee: own, collected }])
    else list.push({ fee: own, collected })
  }
  const rules = new Map([...fees].map(([key, lines]) => [key, codRuleOf(lines)]))
  return {
    grids,
    kinds,
    codRule: (courier, journey) => rules.get(`${journey} ${courier}`),
    gstPercent: counts.gstPercent() ?? usualGst,
  }
}
