// Listings as their tests ask them: a page, all pages by number or by cursor, the whole; records made for one question.
import { onTestFinished } from 'vitest'
import type { Walk } from '../../src/domain/contract.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import type { EmbeddedService } from '../../src/engine/service.ts'
import { openEngine, testNow, type TestEngine } from '../support/engine.ts'

export type Json = Record<string, unknown>

export type Kind = 'shipment' | 'return'

type Questioned = Pick<EmbeddedService, 'listShipments' | 'listReturns' | 'walkShipments' | 'walkReturns'>

/** A page for a question as it arrives. */
export function ask(service: Questioned, kind: Kind, raw: Json): Promise<Page> {
  return kind === 'shipment'
    ? service.listShipments(parseInput('listShipments', raw))
    : service.listReturns(parseInput('listReturns', raw))
}

/** The whole of a question as it arrives, in batches. */
export function walk(service: Questioned, kind: Kind, raw: Json): Promise<Walk> {
  return kind === 'shipment'
    ? service.walkShipments(parseInput('listShipments', raw))
    : service.walkReturns(parseInput('listReturns', raw))
}

const idOf = (doc: string): string => (JSON.parse(doc) as { id: string }).id

/** The ids of a page, in its order. */
export const idsOf = (page: Page): readonly string[] => page.records.map(idOf)

/** The attributes of a record that came as JSON. */
export const attributesOf = (doc: string): Json => (JSON.parse(doc) as { attributes: Json }).attributes

/** Every page by number, until one is empty. */
export async function byPage(service: Questioned, kind: Kind, raw: Json): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const found = await ask(service, kind, { ...raw, page })
    ids.push(...idsOf(found))
    if (found.records.length === 0) return ids
  }
}

/** Every page by cursor, until one is empty; `between` happens after each page. */
export async function byCursor(
  service: Questioned,
  kind: Kind,
  raw: Json,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: readonly string[] | undefined
  for (let page = 1; ; page++) {
    const found = await ask(service, kind, cursor === undefined ? raw : { ...raw, search_after: cursor })
    ids.push(...idsOf(found))
    cursor = found.meta.next_search_after
    if (found.records.length === 0) return ids
    await between(page)
  }
}

/** The first records by cursor under its other name, as many pages as it takes. */
export async function firstByCursor(
  service: Questioned,
  kind: Kind,
  raw: Json,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: readonly string[] | undefined
  while (ids.length < count) {
    const found = await ask(service, kind, cursor === undefined ? raw : { ...raw, next_search_after: cursor })
    if (found.records.length === 0) return ids
    ids.push(...idsOf(found))
    cursor = found.meta.next_search_after
  }
  return ids
}

/** The ids of a whole walk; `between` happens after each batch. */
export async function wholeOf({ batches }: Walk, between: () => Promise<unknown> = async () => undefined) {
  const ids: string[] = []
  for await (const batch of batches) {
    ids.push(...batch.records.map(idOf))
    await between()
  }
  return ids
}

/** The seeded records that most questions are asked of. */
export const plan: SeedPlan = { shipments: 2300, returns: 1150, stores: 6, days: 40, seed: 3, now: testNow }

/** A fresh engine that holds these records. */
export async function holding(records: Partial<Record<Kind, readonly (Shipment | Return)[]>>): Promise<TestEngine> {
  const fresh = await openEngine()
  onTestFinished(fresh.close)
  for (const kind of ['shipment', 'return'] as const) await fresh.save(kind, records[kind] ?? [])
  return fresh
}

/** A shipment of 1 November 2025 with nothing else but what is given. */
export const shipment = (id: string, attributes: Json = {}): Shipment =>
  ({ id, type: 'shipment', attributes: { created_at: '2025-11-01T00:00:00Z', ...attributes } }) as Shipment

/** A return like it. */
export const back = (id: string, attributes: Json = {}): Return =>
  ({ id, type: 'return', attributes: { created_at: '2025-11-01T00:00:00Z', ...attributes } }) as Return
