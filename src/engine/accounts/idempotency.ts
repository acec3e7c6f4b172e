// At most one effect for each idempotency key. The transaction of the change also saves the first answer, which later
// calls get again (docs/inside/decisions.md, Errors).
import sql from 'sql-template-tag'
import type { Call } from '../../domain/contract.ts'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { isIdempotencyKey } from '../../domain/keys.ts'
import { dayMs } from '../../domain/time.ts'
import { limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

/** Answers are kept for two days; the documentation promises 24 hours. */
const keptFor = 2 * dayMs

/** Old answers that each new one deletes, at most. */
const sweep = 10

/**
 * Runs work once for a key. A second call with the same key and request calls `onReplay` and returns the first answer.
 * With another request it throws `idempotency_mismatch`. Without a key, the work just runs. Failures are not kept.
 */
export function* runOnce<T>(
  dialect: Dialect,
  account: number,
  operation: string,
  request: unknown,
  call: Call,
  host: Host,
  work: () => Work<T>,
): Work<T> {
  const key = call.idempotency_key
  if (key === undefined) return yield* work()
  if (!isIdempotencyKey(key))
    throw invalid([{ field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }])
  const asked = fingerprint(request, host)
  const now = host.now()
  const oldest = now - keptFor
  const known = yield* row<{ operation: string; request: string; answer: string; created_at: number }>(
    sql`select operation, request, answer, created_at from idempotency where account_id = ${account} and key = ${key}`,
  )
  if (known !== undefined && known.created_at > oldest) {
    if (known.operation !== operation || known.request !== asked) {
      throw new ShipxError('idempotency_mismatch', 'this idempotency key was used with another request')
    }
    call.onReplay?.()
    return JSON.parse(known.answer) as T
  }
  const answer = yield* work()
  // The key is used again after its answer became too old, and the sweep may not come to that answer.
  if (known !== undefined)
    yield* rows(sql`delete from idempotency where account_id = ${account} and key = ${key} and created_at <= ${oldest}`)
  // Deletes a few old answers at a time, and skips those that another transaction is deleting now.
  yield* rows(
    sql`delete from idempotency where account_id = ${account} and key in (
      select key from idempotency where account_id = ${account} and created_at <= ${oldest}
      ${limitTo(sweep)}${dialect.locking('skip')}
    )`,
  )
  yield* rows(
    sql`insert into idempotency (account_id, key, operation, request, answer, created_at)
      values (${account}, ${key}, ${operation}, ${asked}, ${JSON.stringify(answer)}, ${now})`,
  )
  return answer
}

function fingerprint(request: unknown, { digest }: Host): string {
  return digest(JSON.stringify(request, (_, value: unknown) => (value instanceof Uint8Array ? digest(value) : value)))
}
