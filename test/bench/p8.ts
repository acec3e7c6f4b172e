// P8: the prices of 100,000 parcels from CSV to CSV on a card of 12 services, against the same file copied with no work.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram, type Start } from './timing.ts'

const parcels = 100_000
const origins = ['110001', '560001', '400001', '600001', '700001', '500001', '411001', '380001']

/** The file of parcels: lanes all over the country, forward and back, prepaid and COD. */
export function parcelFile(count: number): string {
  const pincodes = [...everyPincode()]
  let seed = 8
  const upTo = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * most)
  }
  let text = 'ref,from,to,weight,length,width,height,payment,value,journey\n'
  for (let i = 0; i < count; i++) {
    const back = upTo(10) === 0
    const cod = !back && upTo(10) < 6
    const sides = `${5 + upTo(40)},${5 + upTo(30)},${2 + upTo(25)}`
    const payment = back ? ',' : cod ? `cod,${199 + upTo(3000)}` : 'prepaid,'
    text += `ORD-${100_000 + i},${origins[upTo(origins.length)]!},${pincodes[upTo(pincodes.length)]!},${100 + upTo(4000)},${sides},${payment},${back ? 'return' : 'forward'}\n`
  }
  return text
}

/** The sample card with four of its services twice, the second time with another divisor: 12 services. */
export function cardOfTwelve(): string {
  const more = sampleCard.services.slice(0, 4).map((service, i) => ({
    ...service,
    carrier_id: `CAR0SECOND${i}`,
    carrier_name: `${service.carrier_name} Two`,
    divisor: 4000,
  }))
  return JSON.stringify({ ...sampleCard, name: 'twelve', services: [...sampleCard.services, ...more] })
}

export async function p8(setup: Setup): Promise<readonly Figure[]> {
  say('P8: bulk quotes')
  const [file, card, copy] = ['parcels.csv', 'twelve.json', 'copycsv.mjs'].map((name) => join(setup.folder, name)) as [
    string,
    string,
    string,
  ]
  const script = program(setup)
  writeFileSync(file, parcelFile(parcels))
  writeFileSync(card, cardOfTwelve())
  buildSync({
    entryPoints: [fileURLToPath(new URL('copycsv.ts', import.meta.url))],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    outfile: copy,
  })
  const env = environment(setup)
  const into = async (start: Start, name: string) => {
    const stdout = openSync(join(setup.folder, name), 'w')
    try {
      return await runProgram({ ...start, env, stdout })
    } finally {
      closeSync(stdout)
    }
  }
  const ours = {
    command: process.execPath,
    args: [script, 'rates', '--file', file, '--card', card, '--csv', '-q'],
    watch: true,
  }
  const theirs = { command: process.execPath, args: [copy, file] }
  const [a, b]: [number[], number[]] = [[], []]
  let peak = 0
  for (let i = 0; i <= setup.runs; i++) {
    const [one, other] = [await into(ours, 'priced.csv'), await into(theirs, 'copied.csv')]
    if (i === 0) continue
    a.push(one.ms)
    b.push(other.ms)
    peak = Math.max(peak, one.peakMb ?? 0)
  }
  const [mine, copied] = [median(a), median(b)]
  const note = `${Math.round(parcels / (mine / 1000)).toLocaleString('en-IN')} parcels a second`
  say(`  ${note}; copied in ${Math.round(copied)} ms`)
  // prettier-ignore
  return [
    { item: 'P8', work: '1,00,000 parcels, CSV to CSV, 12 services', against: 'csv-parse, then CSV again', value: mine / copied, unit: 'x', goal: 1.7, runs: setup.runs, ours: mine, theirs: copied, note },
    { item: 'P8', work: 'its memory', against: 'peak RSS', value: peak, unit: 'MB', goal: 150, runs: setup.runs },
  ]
}
