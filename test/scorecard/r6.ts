// R6: a disk that fills up under an import or an export; needs the right to mount a small one.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { deskOf, storesCsv, storesOf, type Desk } from '../support/imports.ts'
import { sample, summed, timed, type Finding, type Size } from './row.ts'

const bash = (line: string, ...words: readonly string[]): boolean =>
  spawnSync('bash', ['-c', line, ...words]).status === 0
const mount = (path: string, options: string): boolean => bash('mount -t tmpfs -o "$1" tmpfs "$0"', path, options)
const unmount = (path: string): boolean => bash('umount "$0"', path)

function withDisk<T>(desk: Desk, kb: number, work: () => Promise<T>): Promise<T> {
  mkdirSync(desk.path('disk'))
  if (!mount(desk.path('disk'), `size=${kb}k`)) throw new Error('no disk can be mounted')
  return work().finally(() => unmount(desk.path('disk')))
}

/** Whether a small disk can be mounted here. */
export function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const desk = deskOf()
  try {
    mkdirSync(desk.path('disk'))
    const done = mount(desk.path('disk'), 'size=64k')
    if (done) unmount(desk.path('disk'))
    return done
  } finally {
    desk.clear()
  }
}

const rows = 4000

/** R6: import and export at so many of 50 sizes. */
export const r6 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const sizes = sample(
      Array.from({ length: 50 }, (_, i) => 16 + i * 120),
      size,
      5,
    )
    let full = 0
    const base = deskOf()
    base.write('stores.csv', storesCsv(rows))
    await base.run(['stores', 'import', 'stores.csv', '--yes', '--quiet'])
    for (const kb of sizes) {
      const desk = deskOf()
      try {
        await withDisk(desk, kb, async () => {
          const env = { SHIPX_DATA_DIR: desk.path('disk/data') }
          const place = `${kb} KB`
          desk.write('stores.csv', `${storesCsv(rows)}bad name,,\n`)
          const run = (): ReturnType<Desk['run']> => desk.run(['stores', 'import', 'stores.csv', '--yes'], { env })
          desk.write('disk/all.csv', 'old\n')
          const first = await run()
          if (first.exit === 1) full++
          if (![1, 7].includes(Number(first.exit))) faults.push(`${place}: exit ${first.exit}`)
          if (first.exit === 1 && first.stderr.split('\n').filter((line) => line.startsWith('✗')).length !== 1)
            faults.push(`${place}: not one line: ${first.stderr.slice(0, 300)}`)
          if (first.stderr.includes('    at ')) faults.push(`${place}: a stack trace`)
          // The same disk as the target of an export.
          const out = await desk.run(['stores', 'export', '--out', 'disk/all.csv', '--force', '--db', base.database])
          if (
            out.exit === 0
              ? desk.read('disk/all.csv').split('\n').length !== rows + 2
              : out.exit !== 1 || desk.read('disk/all.csv') !== 'old\n'
          )
            faults.push(`${place}: export ended with ${out.exit}`)
          mount(desk.path('disk'), 'remount,size=64m')
          const again = await run()
          if (again.exit !== 7)
            faults.push(`${place}: with room again exit ${again.exit}: ${again.stderr.slice(0, 200)}`)
          const listed = await desk.run(['stores', 'list', '--jsonl', '--fields', 'store_name'], { env })
          const names = listed.stdout
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as { store_name: string }).store_name)
          if (JSON.stringify(names) !== JSON.stringify(storesOf(rows).map(([name]) => name)))
            faults.push(`${place}: not the rows of the file`)
        })
      } finally {
        desk.clear()
      }
    }
    base.clear()
    if (full === 0) faults.push('no disk was full')
    return {
      row: 'R6',
      what: `an import of ${rows} rows and an export on a disk that is too small`,
      tried: sizes.length,
      result: `${full} of ${sizes.length} disks were full; each import was completed with room again`,
      target: 'right exit code, one line, old file intact, resume completes',
      faults: summed(faults),
    }
  })
