// Lists the processes that have a file open, where the system shows them (Linux, processes of the same user).
import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'

/** How many processes are listed. */
const most = 5

/** The processes that have a file open, each as its process id and its command; none when the system shows none. */
export function holdersOf(path: string, own: number): readonly string[] {
  const holders: string[] = []
  try {
    const real = realpathSync(path)
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid) || Number(pid) === own || !hasOpen(pid, real)) continue
      holders.push(`${pid} (${startedAs(pid)})`)
      if (holders.length === most) break
    }
  } catch {
    // Other systems have no such folder.
  }
  return holders
}

function hasOpen(pid: string, real: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`) === real)
  } catch {
    return false
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The words of the command up to its first flag: the value of a flag may be private. */
function startedAs(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '')
  const at = words.findIndex((word) => /\bshipx(?:\.js|\.cjs)?$/.test(word))
  if (at === -1) return basename(words[0] ?? 'unknown')
  const rest = words.slice(at + 1)
  const flag = rest.findIndex((word) => word.startsWith('-'))
  return ['shipx', ...rest.slice(0, Math.min(3, flag === -1 ? rest.length : flag))].join(' ').slice(0, 60)
}
