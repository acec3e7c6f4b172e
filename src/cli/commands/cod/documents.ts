// `shipx cod list` and `shipx cod remove`: the remittances and bank statements that were read so far.
import { counted } from '../../../domain/count.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { isoOf } from '../../../domain/time.ts'
import {
  codKinds,
  documentNoun,
  listDocuments,
  removeDocument,
  type Document,
  type DocumentKind,
} from '../../../engine/money/documents.ts'
import { creditedTogether } from '../../../engine/money/bankcredits.ts'
import { marksOf, transfersByDocument } from '../../../engine/money/codmarks.ts'
import { transfersInBank } from '../../../engine/money/transfers.ts'
import type { Work } from '../../../engine/database/port.ts'
import { flag, oneOf, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { confirm } from '../../ask/confirm.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { documentNamed } from '../reconcile/keptdocument.ts'

/** Whether a document counts, and of a remittance whether its transfers were looked for in a bank statement. */
type State = 'kept' | 'replaced' | 'compared' | 'partly_compared' | 'not_compared'

/** A document as it is shown: rupees. */
interface Shown extends Record<string, unknown> {
  readonly number: string
  readonly state: State
  readonly kind: string
  readonly courier: string | null
  readonly day: string | null
  readonly lines: number
  readonly amount: number
  readonly due: number | null
  readonly form: string
  readonly read_at: string
  readonly replaced_at: string | null
}

const shownRecord = (one: Document, state: State): Shown => ({
  number: one.number,
  state,
  kind: one.kind,
  courier: one.courier === '' ? null : one.courier,
  day: one.day,
  lines: one.lines,
  amount: rupeesOf(one.billed),
  due: one.kind === 'bank' ? null : rupeesOf(one.expected),
  form: one.form,
  read_at: isoOf(one.created_at),
  replaced_at: one.superseded_at === null ? null : isoOf(one.superseded_at),
})

/** The states of documents. */
function* statesOf(account: number, all: readonly Document[]): Work<readonly State[]> {
  const remittances = all.some(({ kind }) => kind === 'remittance')
  const compared = new Set(remittances ? (yield* transfersInBank(account)).compared : [])
  const transfers = remittances ? yield* transfersByDocument(account) : new Map<string, readonly string[]>()
  return all.map((one): State => {
    if (one.superseded_at !== null) return 'replaced'
    if (one.kind === 'bank') return 'kept'
    const unseen = new Set(marksOf(one).unseen)
    const own = transfers.get(one.id) ?? []
    const seen = own.filter((transfer) => compared.has(transfer) && !unseen.has(transfer)).length
    return seen === 0 ? 'not_compared' : seen < own.length ? 'partly_compared' : 'compared'
  })
}

const view: View<Shown> = {
  noun: ['document', 'documents'],
  id: ({ number }) => number,
  names: ['number', 'state', 'kind', 'courier', 'day', 'lines', 'amount', 'due', 'form', 'read_at', 'replaced_at'],
  columns: [
    { key: 'number', header: 'number', rank: 1, whole: true, raw: ({ number }) => number },
    { key: 'state', header: 'state', rank: 3, raw: ({ state }) => state.replace('_', ' ') },
    { key: 'kind', header: 'kind', rank: 6, raw: ({ kind }) => kind },
    { key: 'courier', header: 'courier', rank: 4, main: true, raw: ({ courier }) => courier },
    {
      key: 'day',
      header: 'day',
      rank: 5,
      kind: 'day',
      raw: ({ day }) => day,
      show: ({ day }) => (day === null ? '-' : showDay(day)),
    },
    { key: 'lines', header: 'lines', rank: 7, right: true, raw: ({ lines }) => lines },
    {
      key: 'amount',
      header: 'amount',
      rank: 2,
      right: true,
      whole: true,
      kind: 'money',
      raw: ({ amount }) => amount,
      show: ({ amount }, screen) => showMoney(amount, screen),
    },
    {
      key: 'due',
      header: 'due for its parcels',
      rank: 8,
      right: true,
      whole: true,
      kind: 'money',
      raw: ({ due }) => due,
      show: ({ due }, screen) => (due === null ? '-' : showMoney(due, screen)),
    },
    { key: 'form', header: 'form', rank: 8, wide: true, raw: ({ form }) => form },
    { key: 'replaced_at', header: 'replaced', rank: 9, sparse: true, kind: 'time', raw: ({ replaced_at: at }) => at },
  ],
}

/**
 * What the documents that count add up to; a parcel of two remittances is due in each of them, and what two statements
 * have was credited once.
 */
function sumsOf(all: readonly Document[], credited: number, money: (paise: number) => string): string {
  const counting = all.filter((one) => one.superseded_at === null)
  const parts = codKinds.flatMap((kind): readonly string[] => {
    const own = counting.filter((one) => one.kind === kind)
    if (own.length === 0) return []
    const sum = (key: 'billed' | 'expected'): string => money(own.reduce((paise, one) => paise + one[key], 0))
    const noun = documentNoun(kind)
    const many = counted(own.length, [noun, `${noun}s`])
    return [
      kind === 'bank'
        ? `${many}: ${money(credited)} credited`
        : `${many}: ${sum('billed')} remitted, ${sum('expected')} due for the parcels in them`,
    ]
  })
  const replaced = all.length - counting.length
  return [...parts, ...(replaced === 0 ? [] : [`${replaced} replaced, not counted`])].join('; ')
}

function* listed(account: number, kinds: readonly DocumentKind[]) {
  const all = yield* listDocuments(account, kinds)
  const credited = all.some(({ kind }) => kind === 'bank') ? yield* creditedTogether(account) : 0
  return { all, credited, states: yield* statesOf(account, all) }
}

const list = verb({ kind: oneOf(codKinds, 'kind') }, async (context, { kind }) => {
  refuse(context, [])
  checkShape(context, view)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const kinds = kind === undefined ? codKinds : [kind]
      const { all, credited, states } = (await place?.database.read(() => listed(place.account, kinds))) ?? {
        all: [],
        credited: 0,
        states: [],
      }
      const shown = all.map((one, n) => shownRecord(one, states[n]!))
      await printList(context, view, shown, 'No remittances yet: shipx reconcile cod <file>')
      if (all.length > 0)
        await context.note(sumsOf(all, credited, (paise) => showMoney(rupeesOf(paise), context.screen)))
      return 0
    } finally {
      await place?.close()
    }
  })
})

const remove = verb({ courier: word, dry_run: flag }, async (context, { courier, dry_run: dry }) => {
  const [number] = context.args
  refuse(context, number === undefined ? [missingArgument(context, 'number')] : [])
  return withSource(context, dry ? 'read' : 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      const found = await documentNamed(place, number!, { courier, kinds: codKinds, list: 'shipx cod list' })
      const [state] = await place!.database.read(() => statesOf(place!.account, [found]))
      const lines = counted(found.lines, ['line', 'lines'])
      const what = `${documentNoun(found.kind)} ${safe(found.number, 'id')} with ${lines}`
      if (dry) return await wouldDo(context, `remove ${what}`, { remove: shownRecord(found, state!) })
      await confirm(context, `Remove ${what}`)
      await place!.database.write(() => removeDocument(place!.account, found.id))
      return await answer(context, `Removed ${what}`, shownRecord(found, state!))
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'cod list': list, 'cod remove': remove }
