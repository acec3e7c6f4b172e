// Finds records by the names that users type: one at a time by search, as on any deployment, or hundreds from the
// engine.
import type { Name, Query } from '../../domain/contract.ts'
import { spellings } from '../../domain/parcels/ordernumbers.ts'
import { maxPerPage } from '../../domain/page.ts'
import { parseInput } from '../../domain/parse.ts'
import { soundFault } from '../../domain/rawvalue.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import { inOrder } from './inorder.ts'
import { shipmentKind, type Kind } from './listing.ts'
import type { Source } from '../source/source.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import type { Context } from '../command/context.ts'
import { answerAbout, handoverAbout } from '../source/beside.ts'
import { printer } from '../output/printer.ts'
import { quoted, safe } from '../terminal/safe.ts'

/** How many pages a look-up reads: a text that occurs in more records than that is not a reference. */
const lookUpPages = 10

/**
 * The records of a reference, found by search: the specification offers no other way. An exact match goes before one
 * that only differs by a leading #.
 */
export async function lookUp<R>(source: Source, kind: Kind<R>, reference: string): Promise<readonly string[]> {
  // No record can have this name, so shipx calls no service.
  if (soundFault(reference) !== undefined) return []
  const names = spellings(reference)
  for (const asked of names) {
    const records = await searched(source, kind, asked, names)
    for (const name of names) {
      const found = records.filter(({ read }) => kind.names(read).includes(name))
      if (found.length > 0) return found.map(({ record }) => record)
    }
  }
  return []
}

/** A record as the service sent it, and after reading. */
interface Found<R> {
  readonly record: string
  readonly read: R
}

/** The records of a search that have one of the names. */
async function searched<R>(
  source: Source,
  kind: Kind<R>,
  reference: string,
  names: readonly string[],
): Promise<readonly Found<R>[]> {
  const found: Found<R>[] = []
  for (let page = 1; page <= lookUpPages; page++) {
    const input = parseInput(kind.endpoint as Name, { search: reference, page, per_page: maxPerPage }) as Query
    const { records, meta } = await source.service[kind.endpoint](input as never)
    const all = records.map((record) => ({ record, read: kind.read(record) }))
    found.push(...all.filter(({ read }) => kind.names(read).some((name) => names.includes(name))))
    if (page * maxPerPage >= meta.total) break
  }
  return found
}

/** The shortest part of a name that is looked for, characters, and how many names are proposed. */
const [leastPart, mostProposed] = [3, 3]

/** Names of records that contain a text, as far as the first page of a search shows them. */
async function namesWith<R>(source: Source, kind: Kind<R>, given: string): Promise<readonly string[]> {
  const asked = given.replace(/^#/, '')
  const part = asked.toLowerCase()
  if (part.length < leastPart || soundFault(asked) !== undefined) return []
  const input = parseInput(kind.endpoint as Name, { search: asked, per_page: maxPerPage }) as Query
  const { records } = await source.service[kind.endpoint](input as never)
  // A deployment may search in more than names, or ignore the search.
  const names = records.flatMap(
    (record) => kind.names(kind.read(record)).find((name) => name.toLowerCase().includes(part)) ?? [],
  )
  // A name in other capitals is most likely the one; an id that happens to contain the text is not.
  const same = names.filter((name) => name.toLowerCase().replace(/^#/, '') === part)
  return [...new Set(same.length > 0 ? same : names)].slice(0, mostProposed)
}

/** A user's name for a shipment. */
export interface Reference {
  readonly name: string
}

/** A reference and its records. */
export interface LookedUp<R extends Reference> {
  readonly reference: R
  readonly records: readonly string[]
}

/** The shipments of each reference, in the references' order; at a deployment, `width` requests run at once. */
export async function* lookUpShipments<R extends Reference>(
  source: Source,
  references: AsyncIterable<R>,
  width: number,
): AsyncGenerator<LookedUp<R>, void> {
  const { engine } = source
  if (engine === undefined) {
    const ask = async (reference: R): Promise<LookedUp<R>> => ({
      reference,
      records: await lookUp(source, shipmentKind, reference.name),
    })
    yield* inOrder(references, ask, width)
    return
  }
  const { mostReferences, shipmentsNamed } = await import('../../engine/records/references.ts')
  for await (const asked of portionsOf(references, mostReferences)) {
    const names = [...new Set(asked.map(({ name }) => name))]
    const known = byName(await engine.database.read(() => shipmentsNamed(engine.account, names), 'single'))
    // No column holds the other names of an order: search finds them.
    for (const reference of asked) {
      const records = known.get(reference.name) ?? (await lookUp(source, shipmentKind, reference.name))
      known.set(reference.name, records)
      yield { reference, records }
    }
  }
}

async function* portionsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let portion: T[] = []
  for await (const item of items) {
    portion.push(item)
    if (portion.length < size) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}

function byName(records: readonly string[]): Map<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const record of records) {
    const { id, attributes: a } = readRecord('shipments', record)
    for (const name of new Set([id, a.tracking_number, a.order?.display_id])) {
      if (typeof name === 'string') known.set(name, [...(known.get(name) ?? []), record])
    }
  }
  return known
}

/** The given reference, '' without one. */
export const referenceFrom = ({ args }: Pick<Context, 'args'>): string => (args[0] ?? '').trim().replace(/^#$/, '')

/** The record of a reference, as JSON text. Throws `not_found` for none and for several. */
export async function oneRecord<R>(
  context: Context,
  source: Source,
  kind: Kind<R>,
  reference: string,
): Promise<string> {
  const found = await lookUp(source, kind, reference)
  if (found.length > 1) {
    const ids = found.map((record) => kind.view.id(kind.read(record))).join(', ')
    throw new ShipxError(
      'not_found',
      `${safe(reference)} names ${found.length} ${kind.view.noun[1]}; use one of their ids`,
      { details: [{ field: null, message: ids }] },
    )
  }
  const record = found[0]
  if (record !== undefined) return record
  const near = (await namesWith(source, kind, reference)).map((name) => safe(name))
  const meant = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
  throw new ShipxError('not_found', `there is no ${kind.view.noun[0]} ${safe(reference)}${meant}`, {
    hint: `shipx ${context.command.path[0]!} list --search ${quoted(reference)}`,
  })
}

/**
 * Prints a record: its journey on a terminal, with its pickup and the answer to a failed delivery, or else in the
 * chosen format. Throws what the place of the answers throws.
 */
export async function printRecord<R>(context: Context, source: Source, kind: Kind<R>, record: string): Promise<void> {
  const { io, screen, format } = context
  if (format === 'plain' && screen.tty) {
    const read = kind.read(record, context.missed) as Shipment | Return
    const shipment = kind.endpoint === 'listShipments' ? (read as Shipment) : undefined
    const answer = shipment === undefined ? undefined : await answerAbout(context, source, shipment)
    const handover = shipment === undefined ? undefined : await handoverAbout(context, source, shipment)
    const { timelineOf } = await import('../output/timeline.ts')
    return io.stdout.write(timelineOf(read, screen, { answer, handover }))
  }
  const out = printer(context, kind.view, true)
  await out.batch([record])
  await out.end()
}
