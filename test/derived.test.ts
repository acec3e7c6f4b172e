// Defends what is generated or written down: generated files are up to date, and the command tree holds what the contract
// and the commands need.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stale } from '../src/build/generate.ts'
import { tree } from '../src/cli/commands/table.ts'
import { contract } from '../src/domain/contract.ts'
import { returnFilters } from '../src/domain/parcels/returns.ts'
import { shipmentFilters } from '../src/domain/parcels/shipments.ts'

const root = join(import.meta.dirname, '..')

test('generated files are what `npm run generate` writes', async () => {
  expect(await stale()).toEqual([])
})

describe('the command tree', () => {
  const flagsOf = (path: string) => tree.commands.find((command) => command.path.join(' ') === path)!.flags

  test.each(Object.keys(shipmentFilters))('shipments list has the filter %s under its API name with dashes', (key) => {
    expect(flagsOf('shipments list').map((flag) => flag.name)).toContain(key.replace(/_+/g, '-'))
  })

  test.each(Object.keys(returnFilters))('returns list has the filter %s under its API name with dashes', (key) => {
    expect(flagsOf('returns list').map((flag) => flag.name)).toContain(key.replace(/_+/g, '-'))
  })

  test.each(Object.keys(contract.getRates.input().shape))('rates takes %s under its API name with dashes', (key) => {
    expect(flagsOf('rates').map((flag) => flag.name)).toContain(key.replace(/_+/g, '-'))
  })

  test('no command has two flags of one name, nor one that hides a global flag', () => {
    for (const command of tree.commands) {
      const names = [...command.flags, ...tree.globals].map((flag) => flag.name)
      expect([command.path.join(' '), names.filter((name, i) => names.indexOf(name) !== i)]).toEqual([
        command.path.join(' '),
        [],
      ])
    }
  })

  test('every command has a summary, an example of itself and its exit codes, every flag a sentence', () => {
    for (const command of tree.commands) {
      expect(command.summary.length).toBeGreaterThan(5)
      expect(command.examples.some((example) => example.line.includes(`shipx ${command.path[0]!}`))).toBe(true)
      expect(command.exits).toMatch(/^0 /)
      for (const flag of command.flags) expect(flag.help.length).toBeGreaterThan(1)
    }
  })

  test('each top word of a command is listed in the overview', () => {
    expect(new Set(tree.commands.map((command) => command.path[0]))).toEqual(
      new Set(tree.groups.map((group) => group.name)),
    )
  })
})

describe('the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >

  test('installs one native module and nothing else', () => {
    expect(manifest['dependencies']).toBeUndefined()
    expect(manifest['optionalDependencies']).toEqual({ 'better-sqlite3': '12.11.1' })
  })

  test('every entry of the lockfile has its integrity', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; link?: boolean }>
    }
    const without = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== '' && entry.integrity === undefined,
    )
    expect(without.map(([path]) => path)).toEqual([])
  })

  test('the top level is what the README says', () => {
    // What git knows, and not what else lies in the folder.
    const known = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const entries = new Set(known.map((path) => path.split('/')[0]!).filter((name) => !/^(\.|$)/.test(name)))
    expect([...entries].sort()).toEqual(
      [
        'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'completions', 'docs', 'package-lock.json',
        'package.json', 'src', 'test', 'tsconfig.json', 'vitest.config.ts',
      ].sort(),
    ) // prettier-ignore
  })
})
