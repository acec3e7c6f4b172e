// Keeps an invoice while its lines are judged: a piece of them in each transaction, and the document at the end. A run
// that ends before leaves nothing that counts.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { count, counted } from '../../../domain/count.ts'
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import {
  beginDocument,
  completeDocument,
  refuseSame,
  removeDocument,
  sameNumber,
  type NewDocument,
} from '../../../engine/money/documents.ts'
import { documentKept } from '../../../engine/money/credits.ts'
import { addLines, type KeptLine } from '../../../engine/money/lines.ts'
import { confirm } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { fileFault } from '../../files/userfiles.ts'
import { done } from '../../output/outcome.ts'
import { showMoney } from '../../output/display.ts'
import { changeBy, type BesidePlace } from '../../source/beside.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { speltHere } from './billers.ts'
import type { InvoiceFile } from './invoicefile.ts'
import type { RecordTerms } from './records.ts'
import type { KeptTerms } from './keptterms.ts'
import { creditedText } from './page.ts'
import { sumsOf, type Tally } from './tally.ts'
import { noteStrange, noteTurned, tallyTurned } from './turned.ts'

/** What the first line of a document says. */
interface First {
  readonly number: string
  readonly courier: string
  readonly day: string | undefined
  readonly terms: RecordTerms
}

/** Keeps the lines of an invoice. */
export interface Keeper {
  readonly add: (lines: readonly KeptLine[], first: First) => Promise<void>
  /** Asks, and makes the document whole. */
  readonly finish: (tally: Tally, terms: KeptTerms) => Promise<void>
  /** Takes everything back. */
  readonly drop: () => Promise<void>
}

/** Lines of a transaction: AWBs come in no order, and a page of their index is then written for several of them. */
const together = 8000

/** What a document is before its first line. */
interface Plan {
  readonly place: BesidePlace
  readonly file: InvoiceFile
  readonly sha256: string
  readonly card: string
  readonly replace: boolean
}

/** SHA-256 of a file that a flag or argument names. Throws `invalid_input` for one that cannot be read. */
export async function contentOf(path: string, field = '<file>'): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    throw invalid([fileFault(field, path, error)])
  }
  return hash.digest('hex')
}

/** Throws `invalid_file` for a file of several invoices: each is kept under its number. */
function refuseSeveral(numbers: ReadonlySet<string>): void {
  if (numbers.size < 2) return
  const named = [...numbers].map((one) => safe(one)).join(', ')
  throw new ShipxError('invalid_file', `the file holds several invoices: ${named} and perhaps more`, {
    hint: 'keep one file for each invoice; --dry-run reads them together',
  })
}

/** A keeper of a file whose content is not kept yet. */
export function keeperOf(context: Context, { place, file, sha256, card, replace }: Plan): Keeper {
  const { database, account } = place
  const { host } = context.io
  let document: NewDocument | undefined
  /** Whose document it is for certain. */
  let biller: string | undefined
  let held: KeptLine[] = []
  let after = 0
  const save = async ({ id }: NewDocument): Promise<void> => {
    const lines = held
    held = []
    await database.write(() => addLines(account, id, lines, after))
    after += lines.length
  }
  const begin = async ({ number, courier, day, terms }: First): Promise<NewDocument> => {
    const own: NewDocument = {
      id: host.uuid(),
      kind: file.ledger ? 'ledger' : 'invoice',
      courier: await speltHere(place, terms.courier ?? courier),
      number,
      day: day ?? null,
      form: file.name,
      card,
      gst: terms.gst,
      sha256,
      dispute_by: terms.disputeBy ?? null,
      created_at: host.now(),
    }
    await database.write(function* () {
      if (!replace) refuseSame(own, yield* sameNumber(account, own))
      yield* beginDocument(account, own)
    })
    return own
  }
  return {
    add: async (lines, first) => {
      biller = first.terms.courier
      document ??= await begin(first)
      held.push(...lines)
      if (held.length >= together) await save(document)
    },
    finish: async (tally, terms) => {
      if (document === undefined) {
        await context.note('The file has no lines: nothing is kept.')
        return
      }
      // Lines further down may name another courier. Nothing of a credit note is disputed.
      const courier = tally.several && !biller ? '' : document.courier
      const own = { ...document, courier, dispute_by: tally.charges === 0 ? null : document.dispute_by }
      if (held.length > 0) await save(own)
      refuseSeveral(tally.numbers)
      const money = (paise: number): string => showMoney(rupeesOf(paise), context.screen)
      const { over } = tally.verdicts
      const amounts = `${money(tally.billed)} billed, ${money(over.paise)} over`
      const lines = `${counted(tally.lines, ['line', 'lines'])}, ${amounts}`
      await confirm(context, `Keep invoice ${safe(own.number)}, ${lines}`)
      const change = changeBy(context, `invoice ${own.number}`)
      const { paid, strange, turned } = await database.write(function* () {
        const replaced = yield* completeDocument(account, own, sumsOf(tally, terms), replace)
        const one = { id: own.id, ledger: file.ledger, replaced }
        const found = yield* documentKept(database.dialect, account, one, change)
        yield* tallyTurned(database.dialect, account, found.turned)
        return found
      })
      await done(context, `Kept invoice ${safe(own.number)}: ${count(tally.lines)} lines, ${money(over.paise)} over`)
      if (paid.length > 0) await context.note(`It credits ${counted(paid.length, ['dispute', 'disputes'])}`)
      await noteStrange(context, strange)
      await noteTurned(context, turned)
      const left = creditedText(tally, money)
      if (left !== undefined) await context.note(left)
      if (over.paise > tally.credited)
        await context.note(`Next: shipx disputes create --from invoice ${quoted(safe(own.number))}`)
    },
    drop: async () => {
      const own = document
      if (own !== undefined) await database.write(() => removeDocument(account, own.id))
    },
  }
}
