// R23: the memory of an import, a list of everything and an export is that of a page, however many rows there are.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { linesOf } from '../bench/data.ts'
import { runProgram } from '../bench/timing.ts'
import { codeEnv, program } from '../support/program.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** The most that a command may have, MB, and an import that reads and writes in two threads. */
const [most, mostOfTwo] = [150, 200]

/** From so many rows on the memory has to be flat: a smaller file ends before V8 has its usual heap. */
const settled = 1_000_000

/** How much more the whole may take than its share: the heap of V8 is not the same in two runs. */
const grown = 1.2

/** The shares to compare with. A tenth of the stores ends before V8 has its usual heap: a store is a short line. */
const [shareOfShipments, shareOfStores] = [0.1, 0.3]

/** A command that streams, its words in bash; `$lines` is the file of shipments. */
interface Work {
  readonly name: string
  readonly words: string
  readonly limit: number
  /** How many lines it writes for so many rows. */
  readonly lines?: (rows: number) => number
}

const works: readonly Work[] = [
  {
    name: 'import',
    words: 'local import shipments "$lines" --yes --quiet',
    limit: availableParallelism() > 1 ? mostOfTwo : most,
  },
  {
    name: 'import by a pipe',
    words: 'local import shipments - --db piped.sqlite --yes --quiet < "$lines"',
    limit: most,
  },
  { name: 'list, JSON Lines', words: 'shipments list --all --jsonl --quiet', limit: most, lines: (rows) => rows },
  { name: 'list, CSV', words: 'shipments list --all --csv --quiet', limit: most, lines: (rows) => rows + 1 },
  {
    name: 'list of the pipe',
    words: 'shipments list --all --ids --quiet --db piped.sqlite',
    limit: most,
    lines: (rows) => rows,
  },
  { name: 'import of stores', words: 'stores import stores.csv --yes --quiet', limit: most },
  { name: 'list of stores', words: 'stores list --all --jsonl --quiet', limit: most, lines: (rows) => rows },
  { name: 'export of stores', words: 'stores export --quiet', limit: most, lines: (rows) => rows + 1 },
]

/** How many lines a program wrote, when `wc` has counted them. */
async function counted(path: string): Promise<number> {
  for (let look = 0; look < 200; look++) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (text.endsWith('\n')) return Number(text)
    await wait(50)
  }
  return Number.NaN
}

/** The greatest memory of each command with so many rows, MB, and what did not come in or out. */
async function peaksOf(rows: number, storeRows: number) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-r23-')))
  const peaks = new Map<string, number | undefined>()
  const faults: string[] = []
  try {
    const lines = await linesOf(folder, rows)
    const stores = Array.from({ length: storeRows }, (_, n) => `brand-${n},"Brand ${n}, Mumbai"`).join('\n')
    writeFileSync(join(folder, 'stores.csv'), `store_name,brand_name\n${stores}\n`)
    mkdirSync(join(folder, 'home'))
    const { PATH = '' } = process.env
    const own = { PATH, HOME: join(folder, 'home'), SHIPX_DATA_DIR: join(folder, 'data'), lines, ...codeEnv() }
    for (const { name, words, lines: wanted } of works) {
      const given = words.startsWith('stores') ? storeRows : rows
      const count = join(folder, 'count')
      rmSync(count, { force: true })
      // Bash becomes the program, so that the memory that is looked at is the program's.
      const line = `cd '${folder}'; exec '${process.execPath}' '${program}' ${words} > >(wc -l > '${count}')`
      const { peakMb } = await runProgram({ command: 'bash', args: ['-c', line], env: own, watch: true })
      peaks.set(name, peakMb)
      const written = await counted(count)
      if (wanted !== undefined && written !== wanted(given))
        faults.push(`${name}: ${written} lines of ${wanted(given)} with ${given} rows`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { peaks, faults }
}

/** R23: so many of 1,000,000 rows, and a tenth of them. */
export const r23 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const rows = share(size, 1_000_000, 2500)
    const whole = await peaksOf(rows, rows)
    const part = rows >= settled ? await peaksOf(rows * shareOfShipments, rows * shareOfStores) : undefined
    const faults = [...whole.faults, ...(part?.faults ?? [])]
    const figures = works.map(({ name, limit }) => {
      const [peak, before] = [whole.peaks.get(name), part?.peaks.get(name)]
      if (peak === undefined) return `${name} not told by the system`
      if (peak > limit) faults.push(`${name}: ${peak.toFixed(0)} MB, more than ${limit}`)
      if (before !== undefined && peak > before * grown)
        faults.push(`${name}: ${peak.toFixed(0)} MB, and ${before.toFixed(0)} with a part of the rows`)
      return `${name} ${before === undefined ? '' : `${before.toFixed(0)} → `}${peak.toFixed(0)}`
    })
    return {
      row: 'R23',
      what: `${rows.toLocaleString('en-IN')} shipments and stores imported, listed and exported${part === undefined ? '' : ', and a part of them'}`,
      tried: rows * works.length,
      result: `peak RSS, MB: ${figures.join(', ')}`,
      target: `at most ${most} MB (an import by two threads ${mostOfTwo}), flat from 1,00,000 rows on`,
      faults: summed(faults),
    }
  })
