// How many files and connections this process may have open, where the system shows it.
import { readFileSync } from 'node:fs'

/** The limit of the process (Node raises the soft limit to the hard one); undefined when unknown. */
export function openFilesLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}
