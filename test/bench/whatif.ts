// M6: `ratecard simulate` of all parcels that ended on three cards against `rates --file` of as many lines, by the
// processor's time; and `shipments rto` by eight keys.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { databaseOf } from './data.ts'
import { writeParcels } from './price.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram, type Ended } from './timing.ts'

/** An offer like the sample card at other prices. */
function writeOffer(path: string, name: string, percent: number): void {
  const services = sampleCard.services.map((service) => ({
    ...service,
    forward: Object.fromEntries(
      Object.entries(service.forward).map(([zone, bands]) => [
        zone,
        bands.map((band) => ({ ...band, first_price: Math.round(band.first_price * percent) / 100 })),
      ]),
    ),
  }))
  writeFileSync(path, JSON.stringify({ ...sampleCard, name, services }))
}

const keys = 'all,courier,payment,zone,state,city,pincode,week'

export async function whatif(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  const runs = rows >= 1_000_000 ? 1 : Math.min(3, setup.runs)
  say(`WHATIF: ${rows.toLocaleString('en-IN')} shipments on three cards`)
  const base = await databaseOf(folder, rows)
  const [lines, one, other] = ['whatif.csv', 'offer.json', 'other.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeParcels(base, lines)
  writeOffer(one, 'offer', 95)
  writeOffer(other, 'other', 110)
  const shipx = (args: readonly string[]): Promise<Ended> =>
    runProgram({
      command: process.execPath,
      args: [program(setup), ...args, '--quiet'],
      env: { ...environment(setup), SHIPX_NOW: '2026-01-15T06:00:00Z' },
      watch: true,
    })
  const [simulated, rated, counted]: [Ended[], Ended[], Ended[]] = [[], [], []]
  for (let run = 0; run < runs; run++) {
    simulated.push(await shipx(['ratecard', 'simulate', '--cards', `sample,${one},${other}`, '--json', '--db', base]))
    rated.push(await shipx(['rates', '--file', lines, '--card', one, '--csv']))
    counted.push(await shipx(['shipments', 'rto', '--by', keys, '--jsonl', '--db', base]))
  }
  for (const path of [lines, one, other]) rmSync(path)
  const time = (all: readonly Ended[]): number => median(all.map(({ cpuMs }) => cpuMs))
  const peak = (all: readonly Ended[]): number => Math.max(...all.map(({ peakMb }) => peakMb ?? 0))
  const [ours, theirs, rto] = [time(simulated), time(rated), time(counted)]
  const memory = (item: string, all: readonly Ended[]): Figure => ({
    item,
    work: 'its greatest memory (RSS)',
    against: 'itself',
    value: peak(all),
    unit: 'MB',
    goal: 150,
    runs,
  })
  return [
    {
      item: 'M6',
      work: `ratecard simulate of ${rows.toLocaleString('en-IN')} shipments on three cards, processor time`,
      against: 'rates --file of as many lines',
      value: ours / theirs,
      unit: 'x',
      goal: 3.2,
      ours,
      theirs,
      runs,
    },
    memory('M6', simulated),
    {
      item: 'RTO',
      work: `shipments rto by eight keys, with costs, processor time`,
      against: '4 s a million',
      value: rto / ((4000 * rows) / 1_000_000),
      unit: 'x',
      goal: 1,
      ours: rto,
      theirs: (4000 * rows) / 1_000_000,
      runs,
    },
    memory('RTO', counted),
  ]
}
