// Defends docs/reference/stability.md: what a release promised is still there. promised.txt has a part for each release,
// with what it added. Nobody takes a line out before the next major version. At a release,
// `PROMISE=1 npx vitest run test/house/promised.test.ts` adds what is new.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tree } from '../../src/cli/commands/table.ts'
import { toolsOf } from '../../src/cli/commands/mcp/tools.ts'
import { exitMeanings, topics } from '../../src/cli/commands/rows/topics.ts'
import { basePath, contract } from '../../src/domain/contract.ts'
import { codes, kinds } from '../../src/domain/errors.ts'
import { sqlViews } from '../../src/engine/sql/views.ts'
import { root } from '../support/checkout.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as { version: string; engines: { node: string } }
const stability = read('docs/reference/stability.md')

type Flags = readonly { readonly name: string; readonly short?: string }[]
const written = (flags: Flags): readonly string[] =>
  flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])

/** The variables that `shipx help environment` names. */
function variables(): readonly string[] {
  const text = topics.find(({ name }) => name === 'environment')!.text
  return [...text.matchAll(/^ {2}((?:\w+(?:=\w+)?, )*\w+(?:=\w+)?) {2}/gm)].flatMap(([, names]) => names!.split(', '))
}

/** What shipx has, by subject: a subject is two words and more, and what belongs to it follows a colon. */
function today(): ReadonlyMap<string, readonly string[]> {
  const endpoints = Object.values(contract).map(({ method, path, status }) => `${method} ${basePath}${path} ${status}`)
  return new Map([
    ['every command', written(tree.globals)],
    ...tree.commands.map(
      ({ path, args, flags }) =>
        [`shipx ${path.join(' ')}`, [...args.map((_, at) => `<${at + 1}>`), ...written(flags)]] as const,
    ),
    ['help topics', topics.map(({ name }) => name)],
    ['exit codes', Object.keys(exitMeanings)],
    ['error codes', Object.entries(codes).map(([code, { kind }]) => `${code}=${kinds[kind].exit}`)],
    ['environment variables', variables()],
    ['endpoints over HTTP', endpoints.map((endpoint) => endpoint.replaceAll(' ', '='))],
    ['tools of mcp', toolsOf(tree, { writes: true, sql: true }).map(({ name }) => name)],
    ...sqlViews.map(
      ({ name, columns }) => [`view ${name}`, columns.map((column) => `${column.name}=${column.type}`)] as const,
    ),
  ])
}

const path = 'test/house/promised.txt'

/** What all releases promised together, by subject. */
function promised(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of read(path)
    .split('\n')
    .filter((one) => one !== '' && !one.startsWith('#'))) {
    const [subject, rest = ''] = line.split(/:(?: |$)/)
    const words = found.get(subject!) ?? new Set()
    for (const word of rest.split(' ').filter((one) => one !== '')) words.add(word)
    found.set(subject!, words)
  }
  return found
}

if (process.env['PROMISE'] === '1') {
  const before = promised()
  const added = [...today()].flatMap(([subject, words]) => {
    const fresh = words.filter((word) => before.get(subject)?.has(word) !== true)
    return before.has(subject) && fresh.length === 0 ? [] : [`${subject}: ${fresh.join(' ')}`.trimEnd()]
  })
  if (added.length > 0) appendFileSync(join(root, path), `\n# ${manifest.version}\n${added.join('\n')}\n`)
}

test('no command, flag, code, variable, endpoint, tool or SQL column of a release has disappeared', () => {
  const now = today()
  const gone = [...promised()].flatMap(([subject, words]) => {
    const there = new Set(now.get(subject))
    if (!now.has(subject)) return [subject]
    return [...words].filter((word) => !there.has(word)).map((word) => `${subject} ${word}`)
  })
  expect(gone, 'a release promised these: scripts use them').toEqual([])
})

test('no command asks for an argument that it did not have in the release that promised it', () => {
  const before = promised()
  const more = tree.commands.flatMap(({ path: words, args }) => {
    const had = before.get(`shipx ${words.join(' ')}`)
    const required = args.filter((arg) => arg.many !== true).length
    return had !== undefined && required > [...had].filter((word) => /^<\d+>$/.test(word)).length
      ? [words.join(' ')]
      : []
  })
  expect(more).toEqual([])
})

describe('docs/reference/stability.md', () => {
  test('has every exit code, as shipx help exit-codes has it', () => {
    const rows = [...stability.matchAll(/^\| (\d+) +\| ([^|]*?) +\|$/gm)].map(([, code, means]) => [code, means])
    expect(rows).toEqual(Object.entries(exitMeanings))
  })

  test('names the oldest Node that package.json takes', () => {
    expect(stability).toContain(`Node ${manifest.engines.node.replace('>=', '')}`)
  })
})

test('CHANGELOG.md begins with the version in package.json, or with the next one, unreleased', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!)
  const [first, ...older] = headings.map((heading) => /^(\d+\.\d+\.\d+) \((.*)\)$/.exec(heading))
  expect([first?.[2] === 'unreleased' || first?.[1] === manifest.version, headings]).toEqual([true, headings])
  expect(first?.[2]).toMatch(/^(unreleased|\d{4}-\d{2}-\d{2})$/)
  // Every other heading is of a release.
  for (const heading of older) expect(heading?.[2]).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
