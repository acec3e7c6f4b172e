// Defends what is generated or written down: generated files are up to date, and the command tree holds what the contract
// and the commands need.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isEntry, staleFiles } from '../../src/build/generate.ts'
import { tree } from '../../src/cli/commands/table.ts'
import { contract } from '../../src/domain/contract.ts'
import { cardColumns } from '../../src/domain/rates/cardcells.ts'
import { returnFilters } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { root } from '../support/checkout.ts'

test('generated files are what `npm run generate` writes', async () => {
  expect(await staleFiles()).toEqual([])
})

test('docs/guides/rates.md explains every column of a rate card, in order', () => {
  const page = readFileSync(join(root, 'docs/guides/rates.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` +\|.*\|$/gm)].map((match) => match[1]!)
  expect(rows).toEqual([...cardColumns])
})

test('the program of `npm run generate` knows itself in a folder with a space, and behind a link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'two words '))
  const [file, link] = [join(folder, 'program.ts'), join(folder, 'link.ts')]
  writeFileSync(file, '')
  symlinkSync(file, link)
  expect(
    [file, link, join(root, 'package.json'), undefined].map((path) => isEntry(path, pathToFileURL(file).href)),
  ).toEqual([true, true, false, false])
})

describe('the command tree', () => {
  test('has a flag for each field that a listing and a quote take in the contract', () => {
    const taken = {
      'shipments list': shipmentFilters,
      'returns list': returnFilters,
      rates: contract.getRates.input().shape,
    }
    for (const [path, fields] of Object.entries(taken)) {
      const { flags } = tree.commands.find((command) => command.path.join(' ') === path)!
      const names = flags.map((flag) => flag.name)
      const without = Object.keys(fields).filter((field) => !names.includes(field.replace(/_+/g, '-')))
      expect([path, without]).toEqual([path, []])
    }
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

  test('a command that needs --yes says so among its exit codes', () => {
    const silent = tree.commands.filter(
      // A no to completion's question is an answer: the command goes on without.
      ({ path, examples, exits }) =>
        path[0] !== 'completion' &&
        examples.some(({ line }) => line.endsWith(' --yes')) &&
        !/8 .*needs --yes .*130 .*you said no/.test(exits),
    )
    expect(silent.map(({ path }) => path.join(' '))).toEqual([])
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

  test('the top level of the repository has these files and folders', () => {
    // What git knows, and not what else lies in the folder.
    const known = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const entries = new Set(known.map((path) => path.split('/')[0]!).filter((name) => !/^(\.|$)/.test(name)))
    // prettier-ignore
    expect([...entries].sort()).toEqual(
      [
        'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'completions', 'docs', 'package-lock.json',
        'package.json', 'src', 'test', 'tsconfig.json', 'vitest.config.ts',
      ].sort(),
    )
  })
})
