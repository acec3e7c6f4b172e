// Everything of a database goes to another one and back and is the same to the byte, whatever stops the copy on its way;
// what is not the same is told and never overwritten unasked.
import { existsSync } from 'node:fs'
import { driver } from '../support/sqlite.ts'
import { describe, expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { engineOn, openEngine, temporaryPath, type TestEngine } from '../support/engine.ts'
import { program as shipx } from '../support/program.ts'
import {
  plan,
  freshUrl,
  using,
  order,
  sourceFile,
  halfway,
  copyOf,
  copied,
  answers,
  begin,
  command,
  shipmentsIn,
  beyond,
  reportOf,
} from './copybench.ts'

describe.each([0, 16])('there and back through PostgreSQL in %i partitions', { tags: ['full'] }, (partitions) => {
  test('is the same to the byte: every answer, count and checksum', async () => {
    const file = await sourceFile()
    const url = await freshUrl({ partitions })
    const back = temporaryPath('back.sqlite')
    const there = await copied(file, url)
    expect([there.different, there.removed]).toEqual([0, 0])
    const counts = Object.fromEntries(there.tables.map(({ table, rows }) => [table, rows]))
    expect(counts).toMatchObject({
      accounts: 3,
      keys: 4,
      stores: 16,
      ratecards: 4,
      orders: 6,
      idempotency: 6,
      shipments: 1428,
      returns: 500,
    })
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
    const before = await answers(file)
    expect(await answers(url)).toBe(before)
    const again = await copied(url, back)
    expect(again).toEqual(there)
    expect(await answers(back)).toBe(before)
    // New records come after those that were copied, on both.
    for (const place of [url, back])
      await using(place, async (database) => {
        const { service } = await engineOn(database)
        await service.createForwardOrder(order(`NEW-${place.length}`))
        const found = await service.listShipments(parseInput('listShipments', { search: `NEW-${place.length}` }))
        expect(found.meta.total).toBe(1)
        // An idempotency key is kept too.
        let replayed = 0
        await service.createForwardOrder(order('ORDER-5-1'), {
          idempotency_key: 'once-5-1',
          onReplay: () => void replayed++,
        })
        expect(replayed).toBe(1)
      })
  })
})

test('every table of a database is copied', { tags: ['full'] }, async () => {
  const path = await sourceFile(1)
  const db = new driver(path, { readonly: true })
  const names = db
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '%_fts%'`,
    )
    .pluck()
    .all() as string[]
  db.close()
  const { tables } = await copied(path, temporaryPath('all.sqlite'))
  // What records are searched by and their texts are parts of their rows, and kept sums are made again.
  const beside = ['shipment_search', 'return_search', 'shipment_docs', 'return_docs', 'cod_days']
  expect([...tables.map(({ table }) => table), ...beside].toSorted()).toEqual(names.toSorted())
})

describe.each(['to PostgreSQL', 'from PostgreSQL'])(
  'a copy %s that is stopped in the middle',
  { tags: ['full'] },
  (way) => {
    const places = async (): Promise<readonly [string, string]> => {
      const file = await sourceFile(halfway)
      if (way === 'to PostgreSQL') return [file, await freshUrl()]
      const url = await freshUrl()
      await copied(file, url)
      return [url, temporaryPath('target.sqlite')]
    }

    test('by kill -9, then by Ctrl-C, goes on where it was', async () => {
      const [from, to] = await places()
      let half = 0
      for (const signal of ['SIGKILL', 'SIGINT'] as const) {
        const { child, ended } = begin('--from', from, '--to', to)
        await beyond(child, to, half)
        child.kill(signal)
        const { exit, stderr } = await ended
        const now = await shipmentsIn(to)
        expect([now > half, now < halfway]).toEqual([true, true])
        half = now
        expect(exit).toBe(signal === 'SIGINT' ? 130 : signal)
        if (signal === 'SIGINT')
          expect(stderr).toMatch(/stopped after [\d,]+ rows, which are saved\n→ run the same command again to go on/)
      }
      const report = reportOf(await command('--from', from, '--to', to, '--json'))
      const total = report.tables
        .filter(({ table }) => !/_(?:skus|tags)$/.test(table))
        .reduce((sum, { rows }) => sum + rows, 0)
      expect(report.removed).toBe(0)
      expect(report.added).toBeLessThanOrEqual(total - half)
      expect(await answers(to)).toBe(await answers(from))
      // Once more, and there is nothing to do.
      expect(reportOf(await command('--from', from, '--to', to, '--json'))).toEqual({ ...report, added: 0 })
    })
  },
)

describe('a target that holds something else', { tags: ['full'] }, () => {
  test('is refused before anything is written: another account, another name, a row that differs, a row too many', async () => {
    const source = await sourceFile(20)
    const targetWith = async (change: (engine: TestEngine) => Promise<unknown>): Promise<string> => {
      const path = temporaryPath('target.sqlite')
      const engine = await openEngine(path)
      await change(engine)
      await engine.close()
      return path
    }
    const cases = [
      [
        await targetWith((engine) => engine.as('stranger')),
        /its account 2 is stranger, which the source does not have/,
      ],
      [
        await targetWith(({ database }) =>
          database.write(function* () {
            yield { sql: "update accounts set name = 'other'", text: "update accounts set name = 'other'", values: [] }
          }),
        ),
        /its account 1 is other, the source's is default/,
      ],
      [
        await targetWith(({ database, account }) => database.write(() => setWarehouse(account, 'WH1', '560001'))),
        /in warehouses of account default, id WH1 differs/,
      ],
      [
        await targetWith(({ database, account }) => database.write(() => setWarehouse(account, 'WH99', '560001'))),
        /in warehouses of account default, id WH99 is not in the source/,
      ],
    ] as const
    for (const [target, message] of cases) {
      const { exit, stdout, stderr } = await command('--from', source, '--to', target)
      expect([exit, stdout, stderr]).toEqual([5, '', expect.stringMatching(message)])
      expect(await shipmentsIn(target)).toBe(0)
    }
  })

  test('gives up what differs with --force and a yes, records with all that lies beside them', async () => {
    const source = await sourceFile(300)
    for (const target of [temporaryPath('target.sqlite'), await freshUrl()]) {
      await copied(source, target)
      await using(target, async (database) => {
        const engine = await engineOn(database)
        const [one, two] = seedShipments({ ...plan, shipments: 2 }) as Iterable<Shipment> as [Shipment, Shipment]
        await engine.save('shipment', [
          { ...one, attributes: { ...one.attributes, status: 'lost', tags: ['other'] } },
          { ...two, id: 'stranger', attributes: { ...two.attributes, tags: ['gift', 'x'] } },
        ])
      })
      expect((await command('--from', source, '--to', target)).exit).toBe(5)
      expect((await command('--from', source, '--to', target, '--force')).exit).toBe(8)
      const report = reportOf(await command('--from', source, '--to', target, '--force', '--yes', '--json'))
      expect([report.removed, report.added]).toEqual([2, 1])
      expect(await answers(target)).toBe(await answers(source))
    }
  })
})

test(
  'a source that is changed while it is copied is noticed, and the way on leads on',
  { tags: ['full'] },
  async () => {
    const source = await sourceFile(halfway)
    const target = await freshUrl()
    const { child, ended } = begin('--from', source, '--to', target)
    await beyond(child, target, 0)
    await using(source, async (database) => {
      const engine = await engineOn(database)
      await database.write(() => setWarehouse(engine.account, 'WH1', '560001'))
      const [one] = seedShipments({ ...plan, shipments: 1 }) as Iterable<Shipment> as [Shipment]
      await engine.save('shipment', [
        { ...one, id: 'late', attributes: { ...one.attributes, created_at: '2001-01-01T00:00:00Z' } },
      ])
    })
    const { exit, stdout, stderr } = await ended
    expect([exit, stdout]).toEqual([7, ''])
    expect(stderr).toContain('warehouses: account default: 6 rows on both sides, of different content')
    expect(stderr).toContain('shipments: account default: 4,015 rows in the source, 4,014 in the target')
    expect(stderr).toContain('run the same command again while nothing writes to the source')
    expect((await command('--from', source, '--to', target)).stderr).toContain('id WH1 differs')
    expect(reportOf(await command('--from', source, '--to', target, '--force', '--yes', '--json'))).toMatchObject({
      removed: 1,
      added: 2,
    })
    expect(await answers(target)).toBe(await answers(source))
  },
)

test('rows that a copy missed are copied by the next one without force', { tags: ['full'] }, async () => {
  const source = await openEngine(await sourceFile(50))
  const target = openSqlite(driver, { path: temporaryPath('target.sqlite') })
  let late = 0
  const first = await copyOf(source.database, target, {
    step: async (phase) => {
      if (phase === 'compare' && late++ === 0)
        await source.database.write(() => setWarehouse(source.account, 'A0', '400001'))
    },
  })
  expect(first.different).toBe(1)
  expect(first.differences).toMatchObject([
    { table: 'warehouses', account: 'default', source: { rows: 7 }, target: { rows: 6 } },
  ])
  expect(await copyOf(source.database, target)).toMatchObject({ different: 0, added: 1, removed: 0 })
  await Promise.all([source.close(), target.close()])
})

test('a dry run tells what there is, and makes and changes nothing', { tags: ['full'] }, async () => {
  const source = await sourceFile(20)
  const missing = temporaryPath('none.sqlite')
  const url = await freshUrl()
  for (const target of [missing, url]) {
    const { exit, stdout } = await command('--from', source, '--to', target, '--dry-run')
    const { tables } = (JSON.parse(stdout) as { dry_run: { copy: { tables: object[] } } }).dry_run.copy
    expect([exit, tables]).toEqual([0, expect.arrayContaining([{ table: 'shipments', rows: 34, there: 0 }])])
  }
  expect([existsSync(missing), await shipmentsIn(url)]).toEqual([false, 0])
})

describe('how databases are named', () => {
  test('faults are told together, and no password is repeated', { tags: ['full'] }, async () => {
    const secret = 'hunter2'
    const refused = new URL(await freshUrl())
    Object.assign(refused, { username: 'nobody', password: secret })
    const cases = [
      [[], 2, '2 things to fix'],
      [['--from', `mysql://me:${secret}@host/x`, '--to', `postgres://me:${secret}@/`], 2, '2 things to fix'],
      [['--from', 'nowhere.sqlite', '--to', 'x.sqlite'], 3, 'there is no database at nowhere.sqlite'],
      [['--from', shipx, '--to', shipx], 2, 'is the same database as --from'],
      [['--from', shipx, '--to', 'x.sqlite'], 2, 'is not a database'],
      [['--from', 'a', '--to', 'b', '--db', 'c', '--account', 'd'], 2, 'all accounts are copied'],
      [['--from', refused.href, '--to', 'b', '--debug'], 2, 'refuses the connection'],
    ] as const
    const ends = await Promise.all(cases.map(([args]) => command(...args)))
    ends.forEach(({ exit, stdout, stderr }, i) => {
      const [args, code, said] = cases[i]!
      expect([args, exit, stderr.includes(said), `${stdout}${stderr}`.includes(secret)]).toEqual([
        args,
        code,
        true,
        false,
      ])
    })
  })
})
