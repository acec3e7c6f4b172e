// A file that is kept already under another form, number or courier: it would read as billed before on every line.
import { count } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import {
  documentNoun,
  documentsNumbered,
  sameNumber,
  type Document,
  type DocumentKind,
} from '../../../engine/money/documents.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import type { CodOutcome } from './codjudging.ts'
import type { Outcome } from './judging.ts'

/** A line, what it bills or pays, and what kept documents have of it, paise. */
export interface Standing {
  readonly amount: number
  /** Whether it counts as billed or paid before. */
  readonly again: boolean
  readonly before: readonly { readonly number: string; readonly amount: number }[]
}

/** The least lines that say that a file is one that is kept under another number. */
const least = 5

/** The kept number in which nearly all lines stand with the same amounts, and how many of them. */
export function standsIn(
  lines: readonly Standing[],
  own: string,
): { readonly number: string; readonly lines: number } | undefined {
  const found = new Map<string, { lines: number; again: number }>()
  for (const { amount, again, before } of lines)
    for (const number of new Set(before.flatMap((one) => (one.amount === amount ? [one.number] : [])))) {
      const known = found.get(number) ?? { lines: 0, again: 0 }
      found.set(number, { lines: known.lines + 1, again: known.again + (again ? 1 : 0) })
    }
  const [best] = [...found].toSorted(([, a], [, b]) => b.lines - a.lines)
  if (best === undefined) return undefined
  const [number, { lines: many, again }] = best
  if (many * 10 < lines.length * 9 || again * 2 <= lines.length) return undefined
  return lines.length >= least || number === own ? { number, lines: many } : undefined
}

/** The lines of an invoice for `standsIn`. */
export const standingsOf = (outcomes: readonly Outcome[]): readonly Standing[] =>
  outcomes.map(({ judged, earlier }) => ({
    amount: judged.billed,
    // A credit stands in no document twice, unless it is the same one.
    again: judged.category === 'billed_before' || judged.billed < 0,
    before: earlier.map(({ invoice, amount }) => ({ number: invoice, amount })),
  }))

/** The lines of a remittance for `standsIn`, one for each AWB. */
export const paidStandings = (outcomes: readonly CodOutcome[]): readonly Standing[] =>
  outcomes.map(({ lines, before, after }) => ({
    amount: lines.reduce((sum, { remitted }) => sum + remitted, 0),
    again: true,
    before: [...before, ...after].map(({ remittance, amount }) => ({ number: remittance, amount })),
  }))

/** The kept document that a user sees under a number, in words: `invoice SEP of Delhivery`. */
function shownDocument({ kind, number, courier }: Pick<Document, 'kind' | 'number' | 'courier'>): string {
  return `${documentNoun(kind)} ${safe(number, 'id')}${courier === '' ? '' : ` of ${safe(courier)}`}`
}

const isCod = (kind: DocumentKind): boolean => kind === 'remittance' || kind === 'bank'

/** The command that shows a kept document. */
const seeText = ({ kind, number }: Pick<Document, 'kind' | 'number'>): string =>
  isCod(kind) ? 'shipx cod list' : `shipx invoices get ${quoted(safe(number, 'id'))}`

/**
 * Throws `document_differs` where another file is kept under the number of a document. The same file (`sha256`) may
 * have come from another process meanwhile: whoever keeps it finds that out.
 */
export async function refuseNumber(
  { database, account }: BesidePlace,
  one: Pick<Document, 'kind' | 'number' | 'courier'> & { readonly sha256?: string | undefined },
): Promise<void> {
  const [known] = await database.read(() => sameNumber(account, one), 'single')
  if (known === undefined || known.sha256 === one.sha256) return
  throw new ShipxError('document_differs', `${shownDocument(known)} is kept already, from another file`, {
    hint: `if this file corrects it, --replace judges this one in its place; what is kept: ${seeText(known)}`,
  })
}

/** Throws `document_exists` where nearly all lines of a document stand in one that is kept. */
export async function refuseSameLines(
  place: BesidePlace,
  one: { readonly kinds: readonly DocumentKind[]; readonly number: string; readonly sha256?: string | undefined },
  lines: readonly Standing[],
): Promise<void> {
  const { kinds, number, sha256 } = one
  const same = standsIn(lines, number)
  if (same === undefined) return
  const { database, account } = place
  const all = await database.read(() => documentsNumbered(account, same.number, kinds), 'single')
  const known = all.find((one) => one.superseded_at === null)
  if (known === undefined || known.sha256 === sha256) return
  const noun = documentNoun(known.kind)
  const replace = known.number === number ? '--replace' : `--number ${quoted(safe(known.number, 'id'))} --replace`
  const courier = known.courier === '' ? '' : ` --courier ${quoted(safe(known.courier))}`
  const many = `${count(same.lines)} of the first ${count(lines.length)} lines`
  throw new ShipxError(
    'document_exists',
    `this is ${shownDocument(known)} again: ${many} stand there with the same amounts`,
    {
      hint:
        `a correction of it: ${replace}${courier}; if the courier really sent them twice, --force keeps this ` +
        `${noun} too; what is kept: ${seeText(known)}`,
    },
  )
}
