// H5: another user of the machine plants code where shipx, or Node for it, might look for code that it kept.
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expected, line, ownCopy, plant, stolen, type OwnCopy } from '../support/plantedcode.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

const other = 65_534

/** Ways to plant code; each says what the environment of the next run is. */
const ways: Readonly<Record<string, (copy: OwnCopy) => Readonly<Record<string, string>>>> = {
  'a file of another user': ({ file }) => {
    chownSync(file, other, other)
    return {}
  },
  'a file that everybody may write': ({ file }) => {
    chmodSync(file, 0o646)
    return {}
  },
  'a file that the group may write': ({ file }) => {
    chmodSync(file, 0o620)
    return {}
  },
  'a link to a file': ({ file, folder }) => {
    renameSync(file, join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), file)
    return {}
  },
  'a folder of another user where caches are said to be': ({ code, folder }) => {
    const planted = join(folder, 'tmp', 'shipx', 'code')
    mkdirSync(dirname(planted), { recursive: true })
    renameSync(code, planted)
    for (const name of readdirSync(planted)) chownSync(join(planted, name), other, other)
    chownSync(planted, other, other)
    return { XDG_CACHE_HOME: join(folder, 'tmp') }
  },
}

export const h5 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const rounds = share(size, 40)
    let tried = 0
    const inCopy = (work: (copy: OwnCopy) => void): void => {
      const copy = ownCopy()
      try {
        work(copy)
      } finally {
        copy.remove()
      }
    }
    for (let round = 0; round < rounds; round++) {
      inCopy((copy) => {
        plant(copy)
        // That planted code does run when it is the user's own is what makes the rest a test.
        if (copy.run(line).stdout !== stolen) faults.push('the code that was planted would not have run at all')
      })
      for (const [way, prepare] of Object.entries(ways)) {
        inCopy((copy) => {
          plant(copy)
          const { stdout, status } = copy.run(line, prepare(copy))
          tried++
          if (stdout.includes(stolen.trim()) || !expected.test(stdout) || status !== 0) faults.push(`${way}: ${stdout}`)
        })
      }
      inCopy((copy) => {
        const temporary = join(copy.folder, 'tmp')
        mkdirSync(temporary)
        copy.run(line, { TMPDIR: temporary })
        tried++
        if (readdirSync(temporary).length > 0) faults.push('something was kept in the temporary folder')
        if ((statSync(copy.code).mode & 0o077) !== 0) faults.push('others may read the folder of kept code')
      })
    }
    return {
      row: 'H5',
      what: 'code planted by another user where kept code lies, or Node keeps its own',
      tried,
      result: `${tried - faults.length} of ${tried} ran the bundle`,
      target: 'planted code never runs, nothing in the temporary folder',
      faults: summed(faults),
    }
  })
