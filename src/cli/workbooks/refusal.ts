// How a workbook that cannot be read is refused: what is wrong with it, and the way out.
import { ShipxError } from '../../domain/errors.ts'
import { safe } from '../terminal/safe.ts'

/** Makes the error of one file; `what` is the sentence about it. */
export type Refuse = (what: string, hint: string) => ShipxError

/** The refusals of the file that messages call `name`. */
export const refusing =
  (name: string): Refuse =>
  (what, hint) =>
    new ShipxError('invalid_file', `${name}: ${safe(what)}`, { hint })

/** The refusal of a workbook that ends early or contradicts itself. */
export const damaged = (refuse: Refuse, why: string): ShipxError =>
  refuse(`it is a damaged workbook: ${why}`, 'copy or export it again; if Excel opens it, save it there again')

export const saveAsWorkbook = 'save it as an Excel workbook (.xlsx) or as CSV UTF-8'
