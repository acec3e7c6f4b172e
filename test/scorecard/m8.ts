// M8: what runs is what can be read: a changed bundle is what runs, damaged kept code is not, and the package holds none.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from '../../src/build/made.js'
import { expected, line, ownCopy } from '../support/plantedcode.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { root } from '../support/checkout.ts'

/** A build of the checkout in a folder elsewhere: its bytes by name. */
function buildIn(folder: string): string {
  mkdirSync(folder)
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] }
  const packed = files.filter((name) => name !== 'dist')
  for (const part of ['src', 'package.json', 'package-lock.json', 'tsconfig.json', ...packed])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  // Names of the same files, not links to their folder: esbuild writes down where links lead.
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')])
  execFileSync(process.execPath, [join(folder, 'src', 'build', 'bundle.js')], { cwd: folder, stdio: 'ignore' })
  return builtIn(folder)
}

/** The bytes of a build, by name. */
const builtIn = (folder: string): string =>
  readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, 'dist', name)).isFile())
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, 'dist', name)))
          .digest('hex')}`,
    )
    .join('\n')

export const m8 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const copy = ownCopy()
    const changes = share(size, 100)
    try {
      copy.run('pincode 99 --json')
      copy.run(line)
      const text = readFileSync(copy.bundle, 'latin1')
      const { atime, mtime } = statSync(copy.bundle)
      for (let n = 0; n < changes; n++) {
        const sentence = `A PINCODE ${String(n).padStart(3, '0')}`
        writeFileSync(copy.bundle, text.replaceAll('a pincode has', sentence), 'latin1')
        utimesSync(copy.bundle, atime, mtime)
        if (!copy.run('pincode 99 --json').stderr.includes(sentence)) faults.push('a change did not take effect')
        copy.run(line)
        const kept = readFileSync(copy.file)
        const at = Math.floor(((kept.length - 64) * n) / changes)
        writeFileSync(copy.file, kept.fill(n, at, at + 64))
        if (!expected.test(copy.run(line).stdout)) faults.push('damaged code ended a run')
      }
    } finally {
      copy.remove()
    }
    const listed = execFileSync('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const packed = (JSON.parse(listed) as readonly { readonly files: readonly { readonly path: string }[] }[])[0]!.files
    for (const { path } of packed) if (/\.(cache|code|node)$/.test(path)) faults.push(`${path} is in the package`)
    const folder = mkdtempSync(join(tmpdir(), 'shipx-builds-'))
    try {
      const one = isBuilt() ? builtIn(root) : buildIn(join(folder, 'one'))
      const other = buildIn(join(folder, 'another and longer'))
      if (one !== other) faults.push('two builds differ')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return {
      row: 'M8',
      what: 'sentences changed in the bundle, kept code damaged, two builds of one checkout in two folders',
      tried: changes * 2 + 2,
      result: `${changes} changes took effect, ${changes} damaged files were made again, two builds are the same bytes`,
      target: 'what runs is what can be read',
      faults: summed(faults),
    }
  })
