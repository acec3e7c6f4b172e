// A ledger has a row for each charge: its rows are folded into one line for each AWB, in the order in which AWBs come.
import type { Billed, Shape } from '../../../domain/money/billed.ts'
import { readEntry, type Entry } from '../../../domain/money/words.ts'
import type { SheetRow } from '../../files/sheet.ts'
import type { LineReader } from './linereader.ts'

type Making = { -readonly [K in keyof Billed]: Billed[K] }

/** The lines of a ledger, and which kinds of charges it has. */
export interface Folded {
  readonly lines: readonly Billed[]
  readonly shape: Shape
}

const fieldOf: Readonly<Record<Entry, 'freight' | 'rto' | 'cod' | 'reverse' | 'qc' | 'fuel' | 'other'>> = {
  freight: 'freight',
  rto: 'rto',
  cod_fee: 'cod',
  reverse: 'reverse',
  qc: 'qc',
  fuel: 'fuel',
  other: 'other',
}

/** Folds rows; `read` reads each of them. */
export function ledgerOf(reader: LineReader, shape: Shape): { add: (row: SheetRow) => Billed; done: () => Folded } {
  const lines = new Map<string, Making>()
  const kinds = new Map<string, Entry | undefined>()
  const there = new Set<string>()
  return {
    add: (row) => {
      const line: Making = reader.read(row)
      const { words, amount, fault } = reader.entry(row)
      line.fault ??= fault
      if (!kinds.has(words)) kinds.set(words, readEntry(words))
      const known = kinds.get(words)
      const field = fieldOf[known ?? 'other']
      there.add(field)
      const own = line.child === '' ? line.awb : line.child
      const before = lines.get(own)
      const into = before ?? line
      into[field] += amount
      into.total = (before === undefined ? 0 : (into.total ?? 0)) + amount
      if (known === undefined && words !== '' && !into.others.split(', ').includes(words))
        into.others = into.others === '' ? words : `${into.others}, ${words}`
      if (before === undefined) lines.set(own, line)
      else {
        before.fault ??= line.fault
        if (line.weight > before.weight) before.weight = line.weight
        if (before.zone === '') before.zone = line.zone
      }
      return { ...line, total: amount }
    },
    done: () => ({
      lines: [...lines.values()],
      shape: {
        ...shape,
        whole: false,
        rto: true,
        cod: there.has('cod'),
        fuel: there.has('fuel'),
        other: there.has('other'),
      },
    }),
  }
}
