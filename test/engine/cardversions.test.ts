// Versions of a rate card: which prices are valid on a day, and what an import does to the version before it.
import { describe, expect, test } from 'vitest'
import { versionAt, versionFor, versionOn, withVersion, type Versions } from '../../src/domain/rates/cardversions.ts'
import type { RateCard } from '../../src/domain/rates/ratecard.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import {
  cardInUse,
  cardVersions,
  removeCard,
  removeVersion,
  saveCard,
  useCard,
} from '../../src/engine/accounts/ratecards.ts'
import { openEngine, openPostgresEngine } from '../support/engine.ts'
import { failure } from '../support/failure.ts'

const card = (valid_from: string | null, valid_to: string | null = null): RateCard => ({
  ...sampleCard,
  name: 'contract',
  valid_from,
  valid_to,
})
const days = (versions: readonly RateCard[]) => versions.map(({ valid_from: from, valid_to: to }) => [from, to])

describe('a version', () => {
  test('ends the one before it on the day before, and itself before the one after it', () => {
    const two = withVersion([card(null)], card('2026-10-01'))
    expect(days(two)).toEqual([
      [null, '2026-09-30'],
      ['2026-10-01', null],
    ])
    const three = withVersion(two, card('2026-08-01'))
    expect(days(three)).toEqual([
      [null, '2026-07-31'],
      ['2026-08-01', '2026-09-30'],
      ['2026-10-01', null],
    ])
  })

  test('of the same day takes the place of the other, and a gap that a card says stays', () => {
    const gap = withVersion([card(null, '2026-08-31')], card('2026-10-01', '2026-12-31'))
    expect(days(gap)).toEqual([
      [null, '2026-08-31'],
      ['2026-10-01', '2026-12-31'],
    ])
    expect(days(withVersion(gap, card('2026-10-01')))).toEqual([
      [null, '2026-08-31'],
      ['2026-10-01', null],
    ])
  })

  const versions = withVersion([card('2026-01-01', '2026-08-31')], card('2026-10-01', '2026-12-31'))
  test.each([
    ['2025-12-31', undefined, 'it is valid from 2026-01-01'],
    ['2026-01-01', '2026-01-01', ''],
    ['2026-08-31', '2026-01-01', ''],
    ['2026-09-01', undefined, 'it has no version of that day'],
    ['2026-10-01', '2026-10-01', ''],
    ['2027-01-01', undefined, 'it was valid until 2026-12-31'],
  ])('of %s is the one from %s', (day, from, why) => {
    expect(versionOn(versions, day)?.valid_from).toBe(from)
    if (from === undefined)
      expect(() => versionFor(versions, day)).toThrow(`the rate card contract has no prices for ${day}: ${why}`)
    else expect(versionFor(versions, day).valid_from).toBe(from)
  })

  test('for quotes outside every version is the next one, else the last', () => {
    const at = (day: string) => versionAt(versions as Versions, day).valid_from
    expect([at('2025-01-01'), at('2026-09-15'), at('2027-01-01')]).toEqual(['2026-01-01', '2026-10-01', '2026-10-01'])
  })
})

test.each([
  ['SQLite', () => openEngine()],
  ['PostgreSQL', () => openPostgresEngine()],
])('are kept by day, used by quotes of their day, and removed together, on %s', async (_, open) => {
  const engine = await open()
  const { database, account } = engine
  for (const from of ['2026-10-01', null, '2026-08-01']) await database.write(() => saveCard(account, card(from), 1))
  expect(days(await database.read(() => cardVersions(account, 'contract')))).toEqual([
    [null, '2026-07-31'],
    ['2026-08-01', '2026-09-30'],
    ['2026-10-01', null],
  ])
  const used = async (day: string) => (await database.read(() => cardInUse(account, day))).valid_from
  expect((await database.read(() => cardInUse(account, '2026-10-01'))).name).toBe('sample')
  await database.write(() => useCard(account, 'contract'))
  expect([await used('2020-01-01'), await used('2026-09-30'), await used('2026-10-01')]).toEqual([
    null,
    '2026-08-01',
    '2026-10-01',
  ])
  const without = (from: string, day: string) =>
    database.write(() => removeVersion(account, 'contract', from, { now: 2, day }))
  expect((await failure(without('2026-08-02', '2026-10-01'))).code).toBe('not_found')
  expect((await failure(without('', '2026-07-01'))).code).toBe('wrong_state')
  expect(await without('2026-08-01', '2026-10-01')).toMatchObject({ instead: { valid_from: null } })
  expect(days(await database.read(() => cardVersions(account, 'contract')))).toEqual([
    [null, '2026-09-30'],
    ['2026-10-01', null],
  ])
  const inUse = await failure(database.write(() => removeCard(account, 'contract')))
  expect([inUse.code, inUse.message]).toEqual(['wrong_state', 'quotes use the rate card contract'])
  await database.write(() => useCard(account, 'sample')).catch(() => undefined)
  await database.write(() => saveCard(account, { ...card(null), name: 'other' }, 1))
  await database.write(() => useCard(account, 'other'))
  await database.write(() => removeCard(account, 'contract'))
  expect((await failure(database.read(() => cardVersions(account, 'contract')))).code).toBe('not_found')
  await engine.close()
})
