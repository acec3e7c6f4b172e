// What an account set of the policies of couriers (src/domain/money/policies.ts), kept by courier.
import sql from 'sql-template-tag'
import { courierKey, policyFieldNames, type OwnPolicy, type SetValue } from '../../domain/money/policies.ts'
import { row, rows, type Work } from '../database/port.ts'

interface PolicyRow extends Record<string, unknown> {
  readonly name: string
  readonly terms: string
}

function policyFrom({ name, terms }: PolicyRow): OwnPolicy {
  const all = JSON.parse(terms) as Readonly<Record<string, SetValue>>
  const known = policyFieldNames.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]] as const]))
  return { courier: name, values: Object.fromEntries(known) }
}

/** What the account set, in the order of the couriers' names. */
export function* listPolicies(account: number): Work<readonly OwnPolicy[]> {
  const found = yield* rows<PolicyRow>(
    sql`select name, terms from policies where account_id = ${account} order by courier`,
  )
  return found.map(policyFrom)
}

/** What the account set for a courier of this very name; undefined where it set nothing. */
export function* policyNamed(account: number, courier: string): Work<OwnPolicy | undefined> {
  const found = yield* row<PolicyRow>(
    sql`select name, terms from policies where account_id = ${account} and courier = ${courierKey(courier)}`,
  )
  return found && policyFrom(found)
}

/** Who changes a policy, and when (ms UTC). */
export interface PolicyChange {
  readonly by: string
  readonly at: number
}

/** Keeps what an account set for a courier in the place of what it set before; without a value it is removed. */
export function* savePolicy(account: number, { courier, values }: OwnPolicy, { by, at }: PolicyChange): Work<void> {
  const key = courierKey(courier)
  if (Object.keys(values).length === 0) {
    yield* rows(sql`delete from policies where account_id = ${account} and courier = ${key}`)
    return
  }
  yield* rows(
    sql`insert into policies (account_id, courier, name, terms, changed_at, changed_by)
      values (${account}, ${key}, ${courier}, ${JSON.stringify(values)}, ${at}, ${by})
      on conflict (account_id, courier) do update set name = excluded.name, terms = excluded.terms,
        changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
  )
}
