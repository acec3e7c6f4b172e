// Defends the AWBs of unbilled parcels: the same in the same order, found by the time or among all parcels.
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { unbilledAwbs } from '../../../src/cli/commands/invoices/unbilledawbs.ts'
import { rows } from '../../../src/engine/database/port.ts'
import { openEngine } from '../../support/engine.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

test('a month took four times as long, for all parcels of all years were looked at', async () => {
  const db = join(box.folder, 'unbilled.sqlite')
  expect((await box.shipx(['local', 'seed', '--shipments', '500', '--db', db, '--quiet'])).exit).toBe(0)
  const { account, database, close } = await openEngine(db)
  try {
    const end = Date.parse('2100-01-01T00:00:00Z')
    let asked = ''
    const place = {
      account,
      database: {
        ...database,
        read: ((work, use) =>
          database.read(function* () {
            const doing = work()
            for (let step = doing.next(); ;) {
              if (step.done === true) return step.value
              asked += step.value.sql
              step = doing.next(yield step.value)
            }
          }, use)) as typeof database.read,
      },
    }
    const found = async (since: number, until: number, together?: number): Promise<readonly string[]> => {
      asked = ''
      const awbs: string[] = []
      for await (const some of unbilledAwbs(place, since, until, together)) {
        expect(some.length).toBeLessThanOrEqual(128)
        awbs.push(...some)
      }
      return awbs
    }
    const all = await found(0, end)
    expect(asked).not.toContain('r.tracking_number > ')
    expect(all.length).toBeGreaterThan(300)
    expect(all).toEqual([...new Set(all)].toSorted())
    expect(await found(0, end, 0)).toEqual(all)
    expect(asked).toContain('r.tracking_number > ')
    const times = sql`select picked_up_at as at from shipments where picked_up_at > 0 order by 1 limit 1 offset 200`
    const [{ at: middle }] = (await database.read(() => rows<{ at: number }>(times))) as [{ at: number }]
    const [before, since] = [await found(0, middle), await found(middle + 1, end)]
    expect([before, since].map(({ length }) => length > 0)).toEqual([true, true])
    expect([...before, ...since].toSorted()).toEqual(all)
    expect(await found(middle + 1, end, since.length)).toEqual(since)
    expect(await found(middle + 1, end, since.length - 1)).toEqual(since)
    expect(await found(5, 4)).toEqual([])
  } finally {
    await close()
  }
})
