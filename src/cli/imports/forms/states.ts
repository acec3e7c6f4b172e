// Orders of an export whose state does not say whether to ship them: they are refused with the way to say so.
import type { Fault } from '../../../domain/errors.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { quoted } from '../../terminal/safe.ts'
import { stateWord, type Computed, type ExportOrder, type State } from './form.ts'

/** The places of what is wrong with an order's states, in its first row: this and a number. No columns of ours. */
export const unknownState = 'unknown_state.'

/** The longest word that a message repeats as a flag. */
const longestWord = 60

/** What is wrong with the state of an order that no rule leaves out, '' for nothing; `own` is the file's header. */
export const stateIn = ({ header, ships, ways: [ship, stay] }: State, own: string): Computed<ExportOrder> => ({
  from: [header],
  value: ({ cell }) => {
    const text = cell(header)
    if (text === '' || ships.includes(stateWord(text))) return ''
    const what = `${excerpt(text)} does not say whether to ship`
    if (text.length > longestWord) return what
    return `${what}; add --map-value ${quoted(`${own}:${text}=${ship}`)} to ship, or =${stay} to leave it out`
  },
})

/** The faults of the states of an order, by its first row. */
export function stateFaults({ places, headers }: Sheet, { cells, line: row }: SheetRow): readonly Fault[] {
  const faults: Fault[] = []
  for (let n = 0; places.has(`${unknownState}${n}`); n++) {
    const at = places.get(`${unknownState}${n}`)!
    if (cells[at] !== '') faults.push({ field: headers[at]!, message: cells[at]!, row })
  }
  return faults
}
