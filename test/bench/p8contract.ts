// P8CONTRACT: the parcels of P8 on a contract, with two versions, fuel by date, handling and a courier's own zones.
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyPincode } from '../../src/domain/pincodes.ts'
import type { RateCard } from '../../src/domain/rates/ratecard.ts'
import { cardOfTwelve, parcelFile } from './p8.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const parcels = 100_000

const names = ['A', 'B', 'C1', 'C2', 'E']

/** The zones of every pincode as one courier draws them, from anywhere. */
function drawnZones(): NonNullable<RateCard['zone_tables']> {
  const to: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (const pincode of everyPincode()) to[names[Number(pincode) % names.length]!]!.push(pincode)
  const zones = { A: 'zone_a', B: 'zone_b', C1: 'zone_c', C2: 'zone_c', E: 'zone_e' } as const
  return [{ name: 'drawn', zones, origins: [{ from: '', to }] }]
}

/** A version of the contract: fuel by date and handling on each service; the first service goes by drawn zones. */
function versionOf(valid_from: string): RateCard {
  const card = JSON.parse(cardOfTwelve()) as RateCard
  const [{ from, percents }] = [{ from: '2026-01-01', percents: [11, 12.5, 14, 13] }]
  const fuel = percents.map((percent, i) => ({
    from: i === 0 ? from : `2026-${String(3 * i).padStart(2, '0')}-01`,
    percent,
  }))
  const surcharges = [
    { name: 'Fuel', percents: fuel },
    { name: 'Handling', amount: 30, when: { above_weight: 3000 } },
  ]
  const named = <T>(prices: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, prices[`zone_${name[0]!.toLowerCase()}`]!]))
  const services = card.services.map((service, i) => {
    if (i > 0) return { ...service, surcharges }
    const [forward, back] = [named(service.forward), named(service.return)]
    const rto = 'bands' in service.rto ? { bands: named(service.rto.bands) } : service.rto
    return { ...service, surcharges, forward, return: back, rto, zone_table: 'drawn' }
  })
  return { ...card, name: 'contract', valid_from, services, zone_tables: drawnZones() }
}

export async function p8contract(setup: Setup): Promise<readonly Figure[]> {
  say('P8CONTRACT: bulk quotes on a contract')
  const { folder, runs } = setup
  const script = program(setup)
  const at = (name: string): string => join(folder, name)
  const shipx = (args: readonly string[], db: string, stdout: number | 'ignore' = 'ignore') =>
    runProgram({
      command: process.execPath,
      args: [script, ...args, '--db', at(db), '--quiet'],
      env: { ...environment(setup), SHIPX_NOW: '2026-11-10T06:00:00Z' },
      ...(stdout === 'ignore' ? {} : { stdout }),
      watch: true,
    })
  const plain = parcelFile(parcels)
  const [head, ...lines] = plain.trimEnd().split('\n')
  writeFileSync(at('plain.csv'), plain)
  const dated = lines.map((line, i) => `${line},${i % 2 === 0 ? '2026-08-03' : '2026-11-09'}`)
  writeFileSync(at('dated.csv'), `${[`${head!},date`, ...dated].join('\n')}\n`)
  writeFileSync(at('plain.json'), cardOfTwelve())
  for (const day of ['2026-01-01', '2026-10-01']) writeFileSync(at(`${day}.json`), JSON.stringify(versionOf(day)))
  await shipx(['ratecard', 'import', at('plain.json'), '--use'], 'plain.sqlite')
  await shipx(['ratecard', 'import', at('2026-01-01.json'), '--name', 'contract', '--use'], 'contract.sqlite')
  await shipx(['ratecard', 'import', at('2026-10-01.json'), '--name', 'contract'], 'contract.sqlite')
  const priced = async (file: string, db: string) => {
    const stdout = openSync(at('priced.csv'), 'w')
    try {
      return await shipx(['rates', '--file', at(file), '--csv'], db, stdout)
    } finally {
      closeSync(stdout)
    }
  }
  const [a, b]: [number[], number[]] = [[], []]
  let peak = 0
  for (let run = 0; run <= runs; run++) {
    const ended = await priced('dated.csv', 'contract.sqlite')
    const other = await priced('plain.csv', 'plain.sqlite')
    if (run === 0) continue
    a.push(ended.ms)
    b.push(other.ms)
    peak = Math.max(peak, ended.peakMb ?? 0)
  }
  for (const db of ['plain.sqlite', 'contract.sqlite'])
    for (const end of ['', '-wal', '-shm']) rmSync(at(`${db}${end}`), { force: true })
  const [mine, theirs] = [median(a), median(b)]
  // prettier-ignore
  return [
    { item: 'P8CONTRACT', work: '1,00,000 parcels, two versions, fuel by date, handling, zones of 19,000 pincodes', against: 'P8: the same parcels without them', value: mine / theirs, unit: 'x', goal: 1.2, runs, ours: mine, theirs },
    { item: 'P8CONTRACT', work: 'its memory', against: 'peak RSS', value: peak, unit: 'MB', goal: 150, runs },
  ]
}
