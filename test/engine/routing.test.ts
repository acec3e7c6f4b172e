// Every statement of the engine names one account for every table that it touches, so that a database that is spread by
// account (partitions, Citus) answers it in one place (docs/inside/scaling.md).
// @module-tag full: every statement planned by PostgreSQL
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows, type Database, type Row, type Statement } from '../../src/engine/database/port.ts'
import { copyDatabase, countTables } from '../../src/engine/transfer/copy.ts'
import { engineOn, openPostgresEngine, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { touches } from '../support/sqlstatements.ts'
import { first } from '../support/size.ts'
import { root, trackedFiles } from '../support/checkout.ts'
import { askListings, askLists } from '../support/everyquestion.ts'
import { doEverything } from '../support/everywork.ts'
import { directory, accountNumbers, noting, fault, type Sent } from './routes.ts'

/** Copies the database to a fresh one, and once more after somebody has changed that. */
async function copyEverything(from: Database, partitions: number, sent: Sent[]): Promise<void> {
  const fresh = await openPostgresEngine(testHost(), { partitions })
  try {
    const [source, target] = [from, fresh.database].map((database) => noting(database, undefined, sent))
    const copy = {
      source: source!,
      target: target!,
      digest: fresh.host.digest,
      ticks: Date.now,
      step: async () => undefined,
    }
    // The engine of tests has made an account of its own.
    await copyDatabase({ ...copy, force: true })
    const text = `update shipment_docs d set doc = d.doc || ' ' from shipments r
      where d.account_id = $1 and r.account_id = d.account_id and r.seq = d.seq and r.status = $2`
    await fresh.database.write(() => rows({ sql: text, text, values: [accountNumbers.routed, 'delivered'] }))
    expect(await copyDatabase({ ...copy, force: true })).toMatchObject({ different: 0 })
    await countTables(source!, target!)
  } finally {
    await fresh.close()
  }
}

/** A node of a plan as PostgreSQL explains it. */
interface Node {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Subplans Removed'?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe.each(first(1, [16, 0]))('on PostgreSQL in %i partitions', (partitions) => {
  const sent: Sent[] = []
  /** One statement of each text. */
  let texts: readonly Sent[] = []
  let engine: TestEngine

  const query = (text: string, bound: readonly unknown[] = []): Promise<readonly Row[]> =>
    engine.database.read(() => rows({ sql: text, text, values: bound }))

  /** The tables that a statement would read or change, as PostgreSQL plans it with its values. */
  async function planned({ text, values: bound }: Statement): Promise<readonly string[]> {
    const [row] = await query(`explain (format json) ${text}`, bound)
    const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Node }]
    const nodes = nodesOf(Plan)
    // Partitions that are left out at the last moment would be counted as left out by the planner.
    expect(nodes.every((node) => (node['Subplans Removed'] ?? 0) === 0)).toBe(true)
    // An insert and an update name the whole table as well.
    const whole = (node: Node): boolean => partitions > 0 && node['Node Type'] === 'ModifyTable'
    return nodes.flatMap((node) => (whole(node) ? [] : (node['Relation Name'] ?? [])))
  }

  beforeAll(async () => {
    const opened = await openPostgresEngine(testHost(), { partitions })
    const { database } = opened
    for (const [name, id] of Object.entries(accountNumbers)) {
      const text = 'insert into accounts (id, name, created_at) values ($1, $2, $3)'
      await database.write(() => rows({ sql: text, text, values: [id, name, testNow] }))
    }
    engine = { ...opened, ...(await engineOn(noting(database, accountNumbers.routed, sent), opened.host, 'routed')) }
    expect(engine.account).toBe(accountNumbers.routed)
    const neighbour = await engineOn(noting(database, accountNumbers.neighbour, sent), opened.host, 'neighbour')
    await doEverything(engine)
    await doEverything(neighbour)
    await askListings(engine)
    await askLists(engine)
    await copyEverything(database, partitions, sent)
    const seen = new Map<string, Sent>()
    for (const one of sent) seen.set(`${one.account} ${one.statement.text}`, one)
    texts = [...seen.values()]
    engine = opened
  })
  afterAll(() => engine.close())

  test('every statement names its account for every table', () => {
    const faults = new Map<string, string>()
    for (const one of sent) {
      const found = fault(one)
      if (found !== undefined) faults.set(one.statement.text, found)
    }
    expect([...faults]).toEqual([])
    expect(texts.length).toBeGreaterThan(500)
  })

  test('every table of the schema was touched by each verb that the engine has for it', async () => {
    const verbs = new Set(
      texts.flatMap(({ statement: { text } }) => touches(text).map(({ table }) => `${text.split(' ')[0]!} ${table}`)),
    )
    const tables = await query(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`,
    )
    for (const { name } of tables) if (name !== 'shipx_schema') expect([...verbs]).toContain(`select ${String(name)}`)
    for (const name of ['shipments', 'returns', 'shipment_docs', 'return_docs', 'stores', 'ratecards', 'keys'])
      expect(verbs).toContain(`update ${name}`)
    for (const name of [
      'shipment_docs',
      'shipment_search',
      'shipment_skus',
      'shipment_tags',
      'warehouses',
      'idempotency',
    ])
      expect(verbs).toContain(`delete ${name}`)
  })

  test('PostgreSQL plans every statement as it was understood, and for one partition', async () => {
    const wrong: unknown[] = []
    for (const { statement } of texts) {
      const relations = await planned(statement)
      const known = new Set(touches(statement.text).map(({ table }) => table))
      const strange = relations.filter((name) => !known.has(name.replace(/_p\d+$/, '')))
      const parts = new Set(relations.flatMap((name) => /_p(\d+)$/.exec(name)?.[1] ?? []))
      const whole = partitions === 0 ? [] : relations.filter((name) => !/_p\d+$/.test(name) && !directory.has(name))
      if (strange.length > 0 || parts.size > 1 || (whole.length > 0 && !statement.text.startsWith('insert')))
        wrong.push({ text: statement.text, relations })
    }
    expect(wrong).toEqual([])
  })

  test('a statement without its account is planned for all partitions', async () => {
    const text = 'select status from shipments where id = $1'
    const relations = await planned({ sql: text, text, values: ['x'] })
    expect(new Set(relations).size).toBe(Math.max(1, partitions))
  })

  test('every primary key and every index leads with the account', async () => {
    const indexes = await query(
      `select t.relname as "table", c.relname as name, i.indisunique as "unique", a.attname as lead
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
         left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
       where t.relnamespace = current_schema()::regnamespace`,
    )
    expect(indexes.length).toBeGreaterThan(60 * Math.max(1, partitions))
    const others = indexes
      .filter(({ lead }) => lead !== 'account_id')
      .map(({ table, name }) => `${String(table)} ${String(name)}`)
    expect(others.toSorted()).toEqual(['accounts accounts_name_key', 'accounts accounts_pkey', 'keys keys_pkey'])
  })

  test('nothing is numbered by the database, and no trigger runs', async () => {
    const found = await query(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
       union all select t.tgname from pg_trigger t where not t.tgisinternal
       union all select f.conname from pg_constraint f where f.contype = 'f'`,
    )
    expect(found).toEqual([])
  })
})

test('every piece of work that the engine offers is done here', () => {
  const offered = trackedFiles('src/engine')
    // Tokens of SQL are not work, and what is about a file alone asks no server.
    .filter((name) => name.endsWith('.ts') && !/^src\/engine\/(?:database\/sqlite|sample\/|sql\/tokens)/.test(name))
    .flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/^export function\* (\w+)/gm)])
    .map(([, name]) => name!)
  const here = ['test/support/everyquestion.ts', 'test/support/everywork.ts', 'test/engine/routing.test.ts']
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  // Through the service, the engine of tests, or other work.
  const through = [
    'beginDocument',
    'ownDocument',
    'completeDocument',
    'addLines',
    'addRemittanceLines',
    'addCredits',
    'groupsOf',
    'parcelsAfter',
    'withAmounts',
    'takeTurn',
    'addEvents',
    'cancelWaiting',
    'saveMessages',
    'tellDisputes',
    'recordChanges',
    'webhooksOf',
    'dropWaiting',
    'listNear',
    'writeNothing',
    'makeStepMessages',
    'applyToRecord',
    'bookable',
    'moveParcels',
    'inPlaces',
    'eventsThere',
    'row',
    'sumByEach',
    'talliesOf',
    'manyRows',
    'runOnce',
    'listPage',
    'listLines',
    'fetchRecords',
    'surveyOf',
    'countOf',
    'reachUpTo',
    'leavesMost',
    'countMatches',
    'listNext',
    'listIds',
    'createOrder',
    'newTracking',
    'saveRecords',
    'saveEntries',
    'changeRecords',
    'removeEntry',
    'forgetDays',
    'forgetAllDays',
    'keepDays',
    'countingRemittances',
    'unseenParts',
    'itemsWhere',
    'findRecord',
    'renameStoreInRecords',
    'accountNamed',
    'warehousePincode',
    'cardInUse',
    'getStore',
    'createStore',
    'updateStore',
    'saveSums',
  ]
  expect(offered.filter((name) => !through.includes(name) && !here.includes(`${name}(`))).toEqual([])
})
