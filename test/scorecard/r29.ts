// R29: files that are damaged, older, newer or not ours: every command says what is wrong or does its work, none
// fails inside shipx, and where one refuses, or only reads, the file keeps its bytes. A crash of the module itself
// ends the whole row.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { drawsOf, type Draws } from '../support/chance.ts'
import { runnerIn, type Here } from '../support/inprocess.ts'
import { putOldFile } from '../support/oldfiles.ts'
import { codeOf } from './asked.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** What a file was before it was damaged. */
type Kind = 'ours' | 'older' | 'newer' | 'foreign'

/** A file as its bytes. */
interface Sample {
  readonly kind: Kind
  readonly bytes: Buffer
}

/** Stands for a file of records that the sample does not hold. */
const more = 'more.jsonl'

const readings: readonly (readonly string[])[] = [
  ['stores', 'list', '--json'],
  ['shipments', 'list', '--all', '--jsonl'],
  ['shipments', 'summary', '--json'],
  ['returns', 'list', '--search', 'an', '--json'],
  ['sql', 'select count(record), max(city), sum(total_price_paise) from shipments', '--json'],
  ['local', 'check', '--json'],
]
const writings: readonly (readonly string[])[] = [
  ['stores', 'create', '--name', 'after-damage', '--json'],
  ['local', 'import', 'shipments', more, '--json'],
  ['local', 'warehouse', 'set', 'WH9', '400001', '--json'],
]

/** R29: so many of 5,000 files, each by two commands that read and one that writes. */
export const r29 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const files = share(size, 5000, 40)
    const folder = mkdtempSync(join(tmpdir(), 'shipx-damaged-'))
    const [here, draws, faults] = [runnerIn(folder), drawsOf(29), [] as string[]]
    const told = new Map<string, number>()
    let [tried, slowest] = [0, 0]
    try {
      const samples = await samplesIn(folder, here)
      for (let n = 0; n < files; n++) {
        // Two thirds are of this version; every tenth is as it was.
        const sample = n % 3 === 0 ? draws.pick(samples) : samples[0]!
        const [bytes, damage] = n % 10 === 0 ? ([sample.bytes, 'whole'] as const) : damaged(sample.bytes, draws)
        const commands = [draws.pick(readings), draws.pick(writings), draws.pick(readings)]
        for (const args of commands) {
          const began = performance.now()
          const { code, fault } = await asked(here, folder, { kind: sample.kind, bytes }, args, damage)
          slowest = Math.max(slowest, performance.now() - began)
          told.set(code, (told.get(code) ?? 0) + 1)
          if (fault !== undefined) faults.push(`${sample.kind}, ${damage}: ${args.slice(0, 2).join(' ')}: ${fault}`)
          tried++
        }
      }
      if (slowest > 60_000) faults.push(`a command took ${Math.round(slowest / 1000)} s`)
      for (const code of ['database_corrupt', 'database_foreign', 'database_newer', 'done'])
        if (!told.has(code)) faults.push(`no file came to ${code}: the row shows nothing`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return {
      row: 'R29',
      what: `${files} files that are damaged, older, newer or foreign, by three commands each`,
      tried,
      result: [...told].map(([code, times]) => `${times} ${code}`).join(', '),
      target: '0 crashes, 0 silent writes',
      faults: summed(faults),
    }
  })

/** A file of this version with records, older ones, newer ones and such of other programs. */
async function samplesIn(folder: string, here: Here): Promise<readonly Sample[]> {
  const path = join(folder, 'sample.sqlite')
  const seeded = await here(['local', 'seed', '--shipments', '60', '--returns', '20', '--stores', '3', '--db', path])
  if (seeded.exit !== 0) throw new Error(`no sample: ${seeded.stderr}`)
  const records = await here(['shipments', 'list', '--limit', '3', '--jsonl', '--db', path])
  writeFileSync(join(folder, more), records.stdout.replaceAll(/"id":"/g, '"id":"more-'))
  const ours = readFileSync(path)
  const changed = (text: string): Buffer => {
    const copy = join(folder, 'changed.sqlite')
    copyFileSync(path, copy)
    return said(copy, text)
  }
  const said = (file: string, text: string): Buffer => {
    const db = new driver(file)
    db.exec(text)
    db.close()
    const bytes = readFileSync(file)
    rmSync(file)
    return bytes
  }
  const older = ([5, 7, 11, 13] as const).map((schema): Sample => {
    const old = join(folder, 'old.sqlite')
    putOldFile(schema, old)
    return { kind: 'older', bytes: readFileSync(old) }
  })
  const tables = "create table t (a); insert into t values ('theirs')"
  return [
    { kind: 'ours', bytes: ours },
    ...older,
    { kind: 'newer', bytes: changed('pragma user_version = 99') },
    { kind: 'newer', bytes: changed('pragma user_version = 900; create table later (a)') },
    { kind: 'foreign', bytes: said(join(folder, 'other.sqlite'), tables) },
    { kind: 'foreign', bytes: said(join(folder, 'other.sqlite'), `pragma journal_mode = wal; ${tables}`) },
    { kind: 'foreign', bytes: changed('pragma application_id = 252006') },
    { kind: 'foreign', bytes: Buffer.from('Notes of a meeting, and no database.\n'.repeat(200)) },
  ]
}

/** What files come to that are as they were; the older ones hold one record each that is no JSON. */
const whole: Readonly<Record<Kind, readonly string[]>> = {
  ours: ['done'],
  older: ['done', 'database_corrupt'],
  newer: ['database_newer'],
  foreign: ['database_foreign'],
}

type Damage = (bytes: Buffer, draws: Draws) => Buffer

const filled = (bytes: Buffer, draws: Draws, at: number, length: number): Buffer => {
  const end = Math.min(bytes.length, at + length)
  for (let i = at; i < end; i++) bytes[i] = draws.below(256)
  return bytes
}
const page = 4096

/** What happens to files. */
const damages: Readonly<Record<string, Damage>> = {
  'a byte': (bytes, draws) => filled(bytes, draws, draws.below(bytes.length), 1),
  'a bit of a header': (bytes, draws) => {
    const at = draws.below(Math.floor(bytes.length / page)) * page + draws.below(16)
    bytes[at] = bytes[at]! ^ (1 << draws.below(8))
    return bytes
  },
  'the head': (bytes, draws) => filled(bytes, draws, 16 + draws.below(84), 1 + draws.below(4)),
  'the schema': (bytes, draws) => filled(bytes, draws, 100 + draws.below(16_000), 1 + draws.below(8)),
  'a run of bytes': (bytes, draws) => filled(bytes, draws, draws.below(bytes.length), draws.below(2000)),
  zeros: (bytes, draws) => {
    const at = draws.below(Math.ceil(bytes.length / page)) * page
    return bytes.fill(0, at, Math.min(bytes.length, at + page * (1 + draws.below(8))))
  },
  'pages in another place': (bytes, draws) => {
    const [from, to] = [draws.below(bytes.length - page), draws.below(bytes.length - page)].map(
      (at) => Math.floor(at / page) * page,
    ) as [number, number]
    bytes.copy(bytes, to, from, from + page)
    return bytes
  },
  'cut short': (bytes, draws) => bytes.subarray(0, draws.below(bytes.length)),
  'more at its end': (bytes, draws) => Buffer.concat([bytes, filled(Buffer.alloc(9000), draws, 0, 9000)]),
}

function damaged(bytes: Buffer, draws: Draws): readonly [Buffer, string] {
  const name = draws.pick(Object.keys(damages))
  return [damages[name]!(Buffer.from(bytes), draws), name]
}

/** Asks a file by a command; gives what that came to, and what is wrong with it. */
async function asked(
  here: Here,
  folder: string,
  { kind, bytes }: Sample,
  args: readonly string[],
  damage: string,
): Promise<{ readonly code: string; readonly fault?: string }> {
  const place = join(folder, 'asked')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const path = join(place, 'file.sqlite')
  writeFileSync(path, bytes)
  const { exit, stderr } = await here([
    ...args.map((word) => (word === more ? join(folder, more) : word)),
    '--db',
    path,
  ])
  const code = exit === 0 ? 'done' : codeOf({ stderr })
  if (code === '' && args[1] === 'check') {
    // The check lists what it finds.
    if (exit !== 1) return { code: 'checked', fault: `exit ${exit}` }
  } else if (code === '' || code === 'internal')
    return { code: 'internal', fault: `exit ${exit} ${stderr.slice(0, 300)}` }
  const kept = existsSync(path) && readFileSync(path).equals(bytes)
  const log = readdirSync(place).find((name) => /-(?:wal|journal)$/.test(name))
  // An older file is brought up to date, with a copy and a word about it, before a command reads it.
  const upToDate = kind === 'older' && readdirSync(place).some((name) => name.endsWith('.bak'))
  const mayWrite = upToDate || (exit === 0 && writings.includes(args))
  if (!mayWrite && !kept) return { code, fault: `${code}, and the file was changed` }
  if (log !== undefined && readFileSync(join(place, log)).length > 0) return { code, fault: `${code}, and left a log` }
  if (damage !== 'whole') return { code: code || 'checked' }
  const wanted = whole[kind]
  return wanted.includes(code) ? { code } : { code, fault: `${code} instead of ${wanted.join(' or ')}` }
}
