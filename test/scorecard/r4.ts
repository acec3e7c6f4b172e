// R4: many processes write to one database and others read it, from its first moment on: nobody is told that it is
// busy, nobody waits for long, and every row is there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { bundled } from '../support/bundled.ts'
import { storesIn } from '../support/imports.ts'
import type { Told } from '../support/programs/inserter.ts'
import { percentile, share, summed, timed, type Finding, type Size } from './row.ts'

const [writers, readers] = [8, 4]

/** The most that 99 of 100 inserts may take, ms. */
const mostWait = 500

/** R4: so many of 1,000 inserts by each of 8 processes, with 4 that read. */
export const r4 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const each = share(size, 1000, 10)
    const place = mkdtempSync(join(tmpdir(), 'shipx-busy-'))
    const faults: string[] = []
    let [p99, there, looks] = [0, 0, 0]
    try {
      const program = await bundled('test/support/programs/inserter.ts', join(place, 'inserter.cjs'))
      const alone = await working(program, join(place, 'alone.sqlite'), 1, 0, each)
      // A disk or cores that others hold make every commit slow: eight that take turns then wait eight times as long.
      const limit = Math.max(mostWait, writers * 2 * percentile(alone.times, 99))
      const path = join(place, 'one.sqlite')
      const { times, failures, reads } = await working(program, path, writers, readers, each)
      faults.push(...alone.failures, ...failures)
      p99 = percentile(times, 99)
      looks = reads
      if (p99 > limit) faults.push(`99 of 100 inserts took up to ${p99} ms, where ${limit} are allowed`)
      if (looks === 0) faults.push('nobody read')
      there = storesIn(path).length
      if (there !== writers * each) faults.push(`${there} of ${writers * each} rows`)
      const db = new driver(path, { readonly: true })
      if (db.pragma('integrity_check', { simple: true }) !== 'ok') faults.push('the database is damaged')
      db.close()
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
    return {
      row: 'R4',
      what: `${writers} processes, ${each} inserts each, and ${readers} that read, one database`,
      tried: writers * each + looks,
      result: `${there} rows, ${looks} readings, p99 ${p99} ms`,
      target: `0 SQLITE_BUSY shown, ${writers * each} rows, p99 wait at most ${mostWait} ms`,
      faults: summed(faults),
    }
  })

/** Writers and readers at the same time; gives how long each insert took, and what failed. */
async function working(
  program: string,
  path: string,
  writing: number,
  reading: number,
  each: number,
): Promise<Told & { readonly reads: number }> {
  const at = String(Date.now() + 500)
  const readers = Array.from({ length: reading }, () => begun([program, path, '', '0', at]))
  const writers = Array.from({ length: writing }, (_, n) => begun([program, path, `w${n}`, String(each), at]))
  const written = await Promise.all(writers.map(({ told }) => told))
  for (const { stop } of readers) stop()
  const read = await Promise.all(readers.map(({ told }) => told))
  return {
    times: written.flatMap(({ times }) => times),
    failures: [...written, ...read].flatMap(({ failures }) => failures),
    reads: read.reduce((sum, { times }) => sum + times.length, 0),
  }
}

/** Starts a writer or a reader; `stop` ends a reader. */
function begun(words: readonly string[]): { readonly told: Promise<Told>; readonly stop: () => void } {
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  let [said, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const told = once(child, 'close').then(([code]): Told => {
    if (code === 0 && complaint === '') return JSON.parse(said) as Told
    return { times: [], failures: [`a process ended with ${String(code)}: ${complaint.slice(0, 300)}`] }
  })
  return { told, stop: () => void child.stdin.end() }
}
