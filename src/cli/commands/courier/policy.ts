// `shipx courier policy`: what couriers allow and promise, what of it the account set, and where the rest is from.
import { counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import {
  courierKey,
  policyFieldNames,
  policyFields,
  policyWords,
  publishedNames,
  readPolicyValue,
  termsFor,
  type OwnPolicy,
  type PolicyField,
  type SetValue,
  type Term,
} from '../../../domain/money/policies.ts'
import { guessText, nearest, nearestName } from '../../../domain/nearest.ts'
import { isoOf } from '../../../domain/time.ts'
import { listPolicies, policyNamed, savePolicy } from '../../../engine/money/policies.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { besideOf, decider } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'

/** A term as it is shown. */
interface TermRecord extends Record<string, unknown> {
  readonly courier: string
  readonly field: PolicyField
  readonly value: string
  readonly status: string
  readonly source: string | null
}

/** The courier of what applies to all others. */
const everyOther = 'default'

const recordOf = (courier: string, { field, value, source, read, setAt, note }: Term): TermRecord => ({
  courier,
  field,
  value,
  status: setAt === null ? 'default, not your contract' : 'your contract',
  source,
  read_on: read,
  set_at: setAt === null ? null : isoOf(setAt),
  note: note ?? null,
})

const plain = (key: string, rank: number, more: Partial<Column<TermRecord>> = {}): Column<TermRecord> => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  raw: (one) => one[key] as string | null,
  ...more,
})

const siteOf = (source: string | null): string => (source === null ? '-' : new URL(source).host)

const view: View<TermRecord> = {
  noun: ['term', 'terms'],
  id: ({ courier, field }) => `${courier} ${field}`,
  names: ['courier', 'field', 'value', 'status', 'source', 'read_on', 'set_at', 'note'],
  columns: [
    plain('courier', 1, { whole: true }),
    plain('field', 1, { whole: true }),
    plain('value', 1, { whole: true, show: ({ field, value }) => policyWords(field, value) }),
    plain('status', 2, { whole: true }),
    plain('source', 3, { show: ({ source }) => siteOf(source) }),
    plain('read_on', 4, { kind: 'day', show: ({ read_on: day }) => (day as string | null) ?? '-' }),
    plain('note', 5, { wide: true }),
    plain('set_at', 6, { wide: true, kind: 'time' }),
  ],
}

/** What is known of every courier: its own terms, and those of all others. */
function allTerms(own: readonly OwnPolicy[]): readonly TermRecord[] {
  const names = new Map(Object.values(publishedNames).map((name) => [courierKey(name), name]))
  for (const { courier } of own) names.set(courierKey(courier), courier)
  const others = termsFor('', [])
  const usual = new Map(others.map((term) => [term.field, term]))
  const isOwn = ({ field, setAt, source, note }: Term): boolean =>
    setAt !== null || source !== usual.get(field)!.source || note !== usual.get(field)!.note
  return [
    ...[...names.values()]
      .toSorted((a, b) => (courierKey(a) < courierKey(b) ? -1 : 1))
      .flatMap((name) =>
        termsFor(name, own)
          .filter(isOwn)
          .map((term) => recordOf(name, term)),
      ),
    ...others.map((term) => recordOf(everyOther, term)),
  ]
}

const list = async (context: Context): Promise<number> => {
  const [courier] = context.args
  refuse(context, courier === undefined ? [] : nameFaults(courier))
  checkShape(context, view)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const own = (await place?.database.read(() => listPolicies(place.account), 'single')) ?? []
      const records =
        courier === undefined ? allTerms(own) : termsFor(courier, own).map((term) => recordOf(courier, term))
      await printList(context, view, records)
      return 0
    } finally {
      await place?.close()
    }
  })
}

function nameFaults(courier: string): readonly Fault[] {
  const key = courierKey(courier)
  if (key === '') return [{ field: '<courier>', message: 'has no letters or digits' }]
  if (courier.length > 100) return [{ field: '<courier>', message: 'has more than 100 characters' }]
  return key === everyOther ? [{ field: '<courier>', message: 'is what applies to all others: name a courier' }] : []
}

/** The terms of the command line: a value as it is kept, or undefined for one to take back. */
function givenTerms(typed: readonly string[]): {
  readonly terms: ReadonlyMap<PolicyField, string | undefined>
  readonly faults: readonly Fault[]
} {
  const terms = new Map<PolicyField, string | undefined>()
  const faults: Fault[] = []
  const refused = (message: string): void => void faults.push({ field: '<field=value>', message })
  for (const word of typed) {
    const at = word.indexOf('=')
    const name = (at === -1 ? word : word.slice(0, at)).trim().toLowerCase().replaceAll('-', '_')
    const field = policyFieldNames.find((one) => one === name)
    if (field === undefined)
      refused(`there is no field ${safe(name.slice(0, 40))}${guessText(nearest(name, policyFieldNames))}`)
    else if (at === -1) refused(`${field} needs a value: ${field}=… (${policyFields[field].about})`)
    else if (terms.has(field)) refused(`${field} is given twice`)
    else {
      const value = word.slice(at + 1)
      const read = value.trim().toLowerCase() === 'default' ? { value: undefined } : readPolicyValue(field, value)
      if ('fault' in read) refused(`${field}: ${safe(read.fault)}`)
      else terms.set(field, read.value)
    }
  }
  return { terms, faults }
}

const set = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [courier = '', ...typed] = context.args
  const { terms, faults } = givenTerms(typed)
  refuse(context, [
    ...(courier === '' ? [missingArgument(context, 'courier')] : nameFaults(courier)),
    ...(typed.length === 0 ? [missingArgument(context, 'field=value')] : faults),
  ])
  checkShape(context, view)
  const now = context.io.host.now()
  /** What the account will have set; a value that it set before keeps its day. */
  const changed = (before: OwnPolicy | undefined): OwnPolicy => {
    const values = new Map(Object.entries(before?.values ?? {}) as [PolicyField, SetValue][])
    for (const [field, value] of terms)
      if (value === undefined) values.delete(field)
      else if (values.get(field)?.value !== value) values.set(field, { value, at: now })
    return { courier: before?.courier ?? courier, values: Object.fromEntries(values) }
  }
  const recordsOf = (own: OwnPolicy): readonly TermRecord[] =>
    termsFor(courier, [own])
      .filter(({ field }) => terms.has(field))
      .map((term) => recordOf(own.courier, term))
  const what = `${counted(terms.size, ['term', 'terms'])} of ${safe(courier, 'id')}`
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      if (dry) {
        const before = await place?.database.read(() => policyNamed(place.account, courier), 'single')
        return await wouldDo(context, `set ${what}`, { set: recordsOf(changed(before)) })
      }
      const { database, account } = place!
      const own = await database.write(function* () {
        const after = changed(yield* policyNamed(account, courier))
        yield* savePolicy(account, after, { by: decider(context), at: now })
        return after
      })
      return await answer(context, `Set ${what}`, recordsOf(own))
    } finally {
      await place?.close()
    }
  })
})

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [courier = ''] = context.args
  refuse(context, courier === '' ? [missingArgument(context, 'courier')] : nameFaults(courier))
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      const own = (await place?.database.read(() => listPolicies(place.account), 'single')) ?? []
      const found = own.find((one) => courierKey(one.courier) === courierKey(courier))
      if (found === undefined) {
        const near = guessText(
          nearestName(
            courier,
            own.map((one) => one.courier),
          ),
        )
        throw new ShipxError('not_found', `you set nothing for ${safe(courier, 'id')}${near}`, {
          hint: 'shipx courier policy',
        })
      }
      const records = termsFor(courier, [found])
        .filter(({ setAt }) => setAt !== null)
        .map((term) => recordOf(found.courier, term))
      const what = `${counted(records.length, ['term', 'terms'])} of ${safe(found.courier, 'id')}`
      if (dry) return await wouldDo(context, `take back ${what}`, { remove: records })
      const change = { by: decider(context), at: context.io.host.now() }
      await place!.database.write(() => savePolicy(place!.account, { courier: found.courier, values: {} }, change))
      return await answer(context, `Took back ${what}: what is published applies again`, records)
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'courier policy': list, 'courier policy set': set, 'courier policy remove': remove }
