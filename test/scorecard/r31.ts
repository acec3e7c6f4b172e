// R31: many processes change the file of profiles at the same time: every edit is kept, and only its owner can read it.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../support/bundled.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** Processes that edit at the same time. */
const processes = 16

interface Stored {
  readonly profiles: Readonly<Record<string, { readonly warehouse?: Readonly<Record<string, string>> }>>
}

/** R31: so many of 50 edits by each of 16 processes, each to a profile of its own in the one file. */
export const r31 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const edits = share(size, 50, 2)
    const place = mkdtempSync(join(tmpdir(), 'shipx-profiles-'))
    const faults: string[] = []
    let kept = 0
    try {
      const program = await bundled('test/support/programs/profileeditor.ts', join(place, 'editor.cjs'))
      const folder = join(place, 'config')
      const names = Array.from({ length: processes }, (_, n) => `p${n}`)
      const said = await Promise.all(names.map((name) => edited([program, folder, name, String(edits)], faults)))
      const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Stored
      names.forEach((name, n) => {
        const there = profiles[name]?.warehouse ?? {}
        kept += Object.keys(there).length
        const lost = said[n]!.filter((edit) => !Object.hasOwn(there, `edit${edit}`))
        if (lost.length > 0) faults.push(`${lost.length} edits of ${name} were acknowledged and are lost`)
      })
      if (kept !== processes * edits) faults.push(`${kept} of ${processes * edits} edits kept`)
      const modes = [join(folder, 'config.json'), folder].map((path) => (statSync(path).mode & 0o777).toString(8))
      if (modes.join() !== '600,700') faults.push(`the file and its folder have the modes ${modes.join(' and ')}`)
      const left = readdirSync(folder).filter((name) => name !== 'config.json')
      if (left.length > 0) faults.push(`left behind: ${left.join(', ')}`)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
    return {
      row: 'R31',
      what: `${processes} processes, ${edits} edits each of one file of profiles`,
      tried: processes * edits,
      result: `${kept} of ${processes * edits} edits kept`,
      target: `${processes * edits} of ${processes * edits} kept, 0600`,
      faults: summed(faults),
    }
  })

/** Runs an editor to its end; gives the edits that it said are kept. */
function edited(words: readonly string[], faults: string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, { timeout: 240_000 }, (error, stdout, stderr) => {
      if (error !== null || stderr !== '')
        faults.push(`an editor ended with ${error?.code ?? 0}: ${stderr.slice(0, 200)}`)
      resolve(stdout.split('\n').filter((line) => line !== ''))
    })
  })
}
