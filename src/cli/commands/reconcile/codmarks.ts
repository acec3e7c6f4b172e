// What a remittance notes of itself when it is kept or compared with the bank.
import { changeCredits } from '../../../engine/money/bankcredits.ts'
import { markSeen, type CodMarks } from '../../../engine/money/codmarks.ts'
import type { Document } from '../../../engine/money/documents.ts'
import type { Counted } from '../../../engine/money/remittances.ts'
import { keepSought, transfersInBank } from '../../../engine/money/transfers.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { CodBank } from './codbank.ts'
import type { CodOutcome } from './codjudging.ts'
import type { CodLine } from './codlines.ts'
import { transfersOf } from './codrecords.ts'

const namesOf = (lines: readonly CodLine[]): readonly string[] => transfersOf(lines).map(({ utrs }) => utrs.join(', '))

/** What a remittance notes of itself; one that is compared with a statement now has no unseen transfers. */
export async function marksFor(
  { database, account }: BesidePlace,
  lines: readonly CodLine[],
  outcomes: readonly CodOutcome[],
  compared: boolean,
): Promise<CodMarks> {
  const repeated = outcomes.flatMap(({ awb, again }) => (again ? [awb] : []))
  const doubtful =
    lines.some(({ unexplained }) => unexplained !== 0) || outcomes.some(({ verdict }) => verdict === 'twice')
  const marks = { doubtful, ...(repeated.length === 0 ? {} : { again: repeated }) }
  if (compared) return marks
  const before = new Set((await database.read(() => transfersInBank(account))).compared)
  const unseen = namesOf(lines).filter((one) => before.has(one))
  return unseen.length === 0 ? marks : { ...marks, unseen }
}

/**
 * Writes down what was seen in the bank now: by the statement, where it is kept already, and by the remittances, those
 * aside that did not count.
 */
export async function keepNews(
  { database, account }: BesidePlace,
  lines: readonly CodLine[],
  { news, matches }: CodBank,
  known: Document | undefined,
  { except = [] }: Counted,
): Promise<void> {
  if (matches.length === 0 && news === undefined) return
  await database.write(function* () {
    if (news !== undefined) yield* changeCredits(account, news.statement.id, news.credits)
    if (news?.text !== undefined) yield* keepSought(account, news.statement.id, news.text)
    if (matches.length === 0) return
    yield* markSeen(
      account,
      namesOf(lines),
      except.filter((id) => id !== known?.id),
    )
  })
}
