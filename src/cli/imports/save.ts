// Saves the rows that passed: in batches in a database, one by one at a deployment.
import { isInconclusive } from '../../client/retry.ts'
import { ShipxError } from '../../domain/errors.ts'
import { eachOf, forEachOf } from '../listings/inorder.ts'
import type { Staging, Kept } from './staging.ts'
import type { Batches, Failure, Item, Importer, Singles, Wanted } from './importer.ts'
import type { Journal } from './journal.ts'
import { wantedItem, type Pass, type Listener } from './validate.ts'

/** Staged items, a few at a time, without those that a later line proved wrong: they are counted already. */
async function* keptIn<V>(
  staging: Staging<V>,
  { late }: Pick<Importer<V>, 'late'>,
): AsyncGenerator<readonly Kept<V>[]> {
  const wrong = late?.()
  for await (const some of staging.read())
    yield wrong === undefined || wrong.size === 0 ? some : some.filter(({ item }) => !wrong.has(item.rows[0].line))
}

/**
 * How long a transaction is meant to take, and how many items it has at most: signals and other processes wait for its
 * end, and each writes its pages anew. With 60 ms, a disk that is slow to sync made transactions of 20 rows.
 */
const usualTransaction = { ms: 200, most: 2000 }

/** Items in one transaction at least. */
const fewest = 20

/** Saves in transactions of about the wanted time. Throws the error that ends the import. */
export async function saveBatches<V>(
  { step, stopped }: Pass,
  kind: Pick<Importer<V>, 'late'>,
  staging: Staging<V>,
  { save, transaction: { ms, most } = usualTransaction }: Batches<V>,
  listener: Listener<V>,
): Promise<void> {
  let size = 500
  let waiting: Item<V>[] = []
  const write = async (): Promise<void> => {
    const items = waiting.slice(0, size)
    waiting = waiting.slice(size)
    const started = performance.now()
    const results = await save(items.map((item) => wantedItem(item, undefined)))
    for (const [i, result] of results.entries())
      if (typeof result === 'string') listener.done(result)
      else listener.failed(items[i]!, result)
    const took = Math.max(1, performance.now() - started)
    size = Math.round(Math.min(most, Math.max(fewest, size * Math.min(2, ms / took))))
    await step(items.length)
    await new Promise(setImmediate)
  }
  for await (const batch of keptIn(staging, kind)) {
    for (const { item } of batch) waiting.push(item)
    while (waiting.length >= size && !stopped()) await write()
    if (stopped()) return
  }
  while (waiting.length > 0 && !stopped()) await write()
}

/** Why an item was not saved. What an earlier run has sent stays unknown until the service answers for it. */
function failureOf({ code, kind, message }: ShipxError, { before }: Wanted<unknown>): Failure {
  if (code === 'unknown_outcome') return { code, message, sent: true, unknown: true }
  if (before !== 'sent' || !isInconclusive(kind)) return { code, message, sent: true }
  return {
    code: 'unknown_outcome',
    message: `sent by an earlier run, and it may or may not be there: ${message}`,
    sent: true,
    unknown: true,
  }
}

/** After this many failures in a row the service counts as unreachable. */
const away = 20

/**
 * Sends items one by one, `concurrency` at a time. Throws the error that ends the import, after the requests under way
 * have returned.
 */
export async function sendSingles<V>(
  { step, stopped, rule, journal }: Pass & { readonly journal: Journal },
  kind: Pick<Importer<V>, 'late'>,
  staging: Staging<V>,
  { send, conflict }: Singles<V>,
  concurrency: number,
  listener: Listener<V>,
): Promise<void> {
  let silent = 0
  const one = async ({ item, change }: Kept<V>): Promise<void> => {
    const wanted = wantedItem(item, journal)
    if (change && rule === 'fail') {
      listener.failed(item, conflict(wanted))
      return step(1)
    }
    await journal.sending(wanted.line)
    try {
      const result = await send(wanted, change)
      silent = 0
      if (typeof result === 'string') listener.done(result)
      else listener.failed(item, { ...result, sent: true })
      await journal.heard(wanted.line, typeof result === 'string' ? 'saved' : 'again')
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      // After a stop, shipx prints how to continue. The line stays marked as sent, and the next run looks it up.
      if (error.code === 'interrupted') return
      const failure = failureOf(error, wanted)
      listener.failed(item, failure)
      if (failure.unknown !== true) await journal.heard(wanted.line, 'again')
      if (['unauthorized', 'forbidden'].includes(error.kind)) throw error
      silent = error.kind === 'unavailable' || error.kind === 'rate_limited' ? silent + 1 : 0
      if (silent >= away) throw error
    }
    await step(1)
  }
  await forEachOf(eachOf(keptIn(staging, kind)), one, concurrency, stopped)
}
