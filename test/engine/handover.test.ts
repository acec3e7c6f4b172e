// A parcel that the list of a pickup struck out was not shipped, whatever the courier bills, until it moves on a later
// day.
import { expect, test } from 'vitest'
import { parcelsOf } from '../../src/engine/money/parcels.ts'
import { parcelPlace } from '../../src/engine/money/parcelplace.ts'
import { keepPrints } from '../../src/engine/orders/prints.ts'
import { openEngine, openPostgresEngine, type TestEngine } from '../support/engine.ts'
import { parcel } from '../support/deliveries.ts'

const day = Date.parse('2026-09-29T12:00:00Z')

async function judged({ database, account, save }: TestEngine): Promise<void> {
  const ids = ['taken', 'struck', 'later', 'again', 'never']
  await save(
    'shipment',
    ids.map((id) =>
      parcel(id, {
        status: 'in_transit',
        // The courier scans what it did not take; one parcel it took on the day after.
        shipment_milestones: [
          { milestone: 'picked_up', milestone_at: new Date(id === 'later' ? day + 86_400_000 : day).toISOString() },
        ],
      }),
    ),
  )
  const print = (id: string, handed: 0 | 1, at = day) => ({
    id: `${id}-${at}`,
    shipment_id: id,
    kind: 'manifest' as const,
    tracking_number: `AWB${id}`,
    manifest: at === day ? '20260929-WH1-C9-1' : '20260930-WH1-C9-1',
    handed_over: handed,
    printed_by: 'anita',
    printed_at: at,
  })
  const prints = [print('taken', 1), print('struck', 0), print('later', 0), print('again', 0)]
  await database.write(() => keepPrints(account, () => [...prints, print('again', 1, day + 86_400_000)]))
  const found = await database.read(function* () {
    return yield* parcelsOf(
      yield* parcelPlace(database.dialect, account, new Map()),
      ids.map((id) => `AWB${id}`),
    )
  })
  expect([...found.values()].flat().filter(({ shipped }) => !shipped)).toMatchObject([
    { awb: 'AWBstruck', struck: '20260929-WH1-C9-1' },
  ])
}

test('a parcel that the courier did not take was shipped all the same', async () => {
  const engine = await openEngine()
  await judged(engine)
  await engine.close()
})

test('the same on PostgreSQL', { tags: ['full'] }, async () => {
  const engine = await openPostgresEngine()
  await judged(engine)
  await engine.close()
})
