// What power loss leaves of files: a log of the writes and syncs of a program (strace), and the images of the files
// that are possible at a moment of it. What a file was synced for is there; of what was written since, any part may
// be.
import type { Draws } from '../support/chance.ts'

/** A change of a file, by the end of its name; `ack` is a word of the program that its work is done. */
export type Step =
  | { readonly do: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly do: 'cut'; readonly file: string; readonly length: number }
  | { readonly do: 'unlink'; readonly file: string }
  | { readonly do: 'sync'; readonly file: string }
  | { readonly do: 'ack' }

const decoded = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/**
 * The steps of a log of `strace -f -y -xx`, for files whose path begins with one path; `done` is in what the program
 * says at its end.
 */
export function stepsOf(log: string, base: string, done: string): readonly Step[] {
  const steps: Step[] = []
  // A call that another thread cuts in two counts when it begins, a sync when it ends.
  const syncing = new Map<string, string>()
  for (const line of log.split('\n')) {
    const [, thread = '', call = '', rest = ''] = /^(\d+) +(?:<\.\.\. )?(\w+)(.*)$/s.exec(line) ?? []
    if (/^f(?:data)?sync$/.test(call)) {
      const file = rest.startsWith(' resumed') ? syncing.get(thread) : fileOf(rest, base)
      if (rest.includes('<unfinished') && file !== undefined) syncing.set(thread, file)
      else if (file !== undefined && rest.endsWith('= 0')) steps.push({ do: 'sync', file })
      continue
    }
    if (rest.startsWith(' resumed')) continue
    if (call === 'write' && rest.startsWith('(1<') && textOf(rest).includes(done)) steps.push({ do: 'ack' })
    const file = fileOf(rest, base)
    // The index of the log is memory: it is made anew.
    if (file === undefined || file === '-shm') continue
    if (call === 'unlink') steps.push({ do: 'unlink', file })
    if (call === 'ftruncate') steps.push({ do: 'cut', file, length: Number(/, (\d+)/.exec(rest)?.[1]) })
    if (call !== 'pwrite64') continue
    const [, hex = '', at] = /, "([^"]*)", \d+, (\d+)/.exec(rest) ?? []
    steps.push({ do: 'write', file, at: Number(at), bytes: decoded(hex) })
  }
  return steps
}

const textOf = (rest: string): string => decoded(/, "([^"]*)"/.exec(rest)?.[1] ?? '').toString()

/** The end of the path that a call names, if it begins so. */
function fileOf(rest: string, base: string): string | undefined {
  const path = decoded(/^\((?:\d+<|")((?:\\x[0-9a-f]{2})+)/.exec(rest)?.[1] ?? '').toString()
  return path.startsWith(base) ? path.slice(base.length) : undefined
}

type Change = Exclude<Step, { readonly do: 'sync' | 'ack' }>

/** Files on their way to the disk. */
export interface Disk {
  readonly take: (step: Step) => void
  /** Files as they may be if the power goes now, by the ends of their names. */
  readonly after: (draws: Draws) => ReadonlyMap<string, Buffer>
}

/** An empty disk; one that is not honest says that it has synced, and has not. */
export function diskOf(honest = true): Disk {
  const safe: Files = new Map()
  let waiting: Change[] = []
  return {
    take: (step) => {
      if (step.do === 'ack') return
      if (step.do !== 'sync') waiting.push(step)
      else if (honest) {
        // A file system keeps its own changes in order: a file that is gone is so after any sync.
        const last = waiting.findLastIndex((change) => change.do === 'unlink')
        const done = (change: Change, n: number): boolean =>
          change.file === step.file ||
          waiting.slice(n, last + 1).some((one) => one.do === 'unlink' && one.file === change.file)
        for (const [n, change] of waiting.entries()) if (done(change, n)) apply(safe, change)
        waiting = waiting.filter((change, n) => !done(change, n))
      }
    },
    after: (draws) => {
      const files: Files = new Map()
      for (const [file, { bytes, length }] of safe) files.set(file, { bytes: Buffer.from(bytes), length })
      const way = draws.below(4)
      const until = draws.below(waiting.length + 1)
      const share = draws.unit()
      const gone = new Set<string>()
      const kept = waiting.filter((change, n) => {
        const keep = way === 0 ? n < until : draws.unit() < share
        // Without its removal the old file has the name, and nothing of the new one is found.
        if (!keep && change.do === 'unlink') gone.add(change.file)
        return keep && !gone.has(change.file)
      })
      for (const change of kept) {
        if (change.do === 'write' && way === 3) for (const sector of torn(change, draws)) apply(files, sector)
        else apply(files, change)
      }
      return new Map([...files].map(([file, { bytes, length }]) => [file, bytes.subarray(0, length)]))
    },
  }
}

const sector = 512

/** Some sectors of a write. */
function torn({ file, at, bytes }: Extract<Step, { readonly do: 'write' }>, draws: Draws): readonly Change[] {
  const starts = Array.from({ length: Math.ceil(bytes.length / sector) }, (_, n) => n * sector)
  const kept = draws.below(3) === 0 ? starts.filter(() => draws.below(2) === 0) : starts
  return kept.map((from) => ({ do: 'write', file, at: at + from, bytes: bytes.subarray(from, from + sector) }))
}

/** A file: its first bytes are its content, and there is room behind them. */
interface Image {
  readonly bytes: Buffer
  readonly length: number
}

type Files = Map<string, Image>

function apply(files: Files, change: Change): void {
  if (change.do === 'unlink') return void files.delete(change.file)
  const { bytes, length } = files.get(change.file) ?? { bytes: Buffer.alloc(0), length: 0 }
  const end = change.do === 'cut' ? change.length : Math.max(length, change.at + change.bytes.length)
  const room = end <= bytes.length ? bytes : Buffer.alloc(end * 2)
  if (room !== bytes) bytes.copy(room)
  if (change.do === 'cut') room.fill(0, end)
  else change.bytes.copy(room, change.at)
  files.set(change.file, { bytes: room, length: end })
}
