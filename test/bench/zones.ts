// ZONES: a courier's sheet of 19,586 pincodes into a rate card, and what its look-up costs a quote.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

/** As many as India Post lists. */
const pincodes = 19_586

/** Lines `pincode,zone` in runs of a zone, as the sheets of couriers have them. */
function* lines(): Generator<string> {
  yield 'Pincode,City,State,Zone'
  for (let i = 0; i < pincodes; i++)
    yield `${110_001 + i * 37},Some city,Some state,${['A', 'B', 'C1', 'C2', 'D', 'E'][Math.floor(i / 9) % 6]!}`
}

export async function zones(setup: Setup): Promise<readonly Figure[]> {
  say(`ZONES: ${pincodes.toLocaleString('en-IN')} pincodes of a courier's sheet`)
  const { folder, runs } = setup
  const [sheet, card, db] = ['zones.csv', 'card.csv', 'zones.sqlite'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(sheet, `${[...lines()].join('\n')}\n`)
  const shipx = (args: readonly string[]) =>
    runProgram({
      command: process.execPath,
      args: [program(setup), ...args, '--db', db, '--quiet'],
      env: { ...environment(setup), SHIPX_NOW: '2026-01-10T06:00:00Z' },
    })
  const quote = ['rates', '--from', '400001', '--to', '560032', '-w', '500g', '-s', '20x15x10', '--prepaid', '--json']
  await shipx(['ratecard', 'template', '--out', card, '--force'])
  await shipx(['ratecard', 'import', card, '--name', 'contract', '--use'])
  const [imports, before, after]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run <= runs; run++) {
    const { ms } = await shipx(quote)
    if (run > 0) before.push(ms)
  }
  for (let run = 0; run <= runs; run++) {
    const { ms } = await shipx(['ratecard', 'zones', 'import', sheet, '--card', 'contract', '--origin', '400001'])
    if (run > 0) imports.push(ms)
  }
  for (let run = 0; run <= runs; run++) {
    const { ms } = await shipx(quote)
    if (run > 0) after.push(ms)
  }
  for (const path of [sheet, card, db, `${db}-wal`, `${db}-shm`]) rmSync(path, { force: true })
  // prettier-ignore
  return [
    { item: 'ZONES', work: "ratecard zones import of 19,586 pincodes", against: 'a second', value: median(imports) / 1000, unit: 'x', goal: 1, runs, ours: median(imports), theirs: 1000 },
    { item: 'ZONES', work: 'a quote by those zones', against: 'the same card without them', value: median(after) / median(before), unit: 'x', goal: 1.5, runs, ours: median(after), theirs: median(before) },
  ]
}
