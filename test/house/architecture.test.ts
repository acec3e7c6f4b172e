// Defends the layers: domain knows nothing outside itself, engine knows domain, cli wires; and the rules of the house: no
// circles, floors inside src/cli, sizes of files and lines.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from '../support/checkout.ts'

interface Source {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

const sources: readonly Source[] = trackedFiles('src')
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** What each layer may import: other layers, and packages (by the beginning of their names). */
const allowed: Readonly<Record<string, { readonly layers: readonly string[]; readonly packages: readonly string[] }>> =
  {
    domain: { layers: ['domain'], packages: ['zod'] },
    engine: {
      layers: ['domain', 'engine'],
      packages: [
        'zod',
        'sql-template-tag',
        'quick-lru',
        'better-sqlite3',
        'pg',
        'node:crypto',
        'node:fs',
        'node:module',
        'node:url',
      ],
    },
    client: { layers: ['domain', 'client'], packages: ['undici', 'zod', 'node:'] },
    server: {
      layers: ['domain', 'engine', 'server'],
      packages: ['fastify', '@fastify/multipart', 'quick-lru', 'zod', 'node:'],
    },
    delivery: {
      layers: ['domain', 'engine', 'delivery'],
      packages: ['liquidjs', 'parse5', 'quick-lru', 'nodemailer', 'undici', 'ipaddr.js', 'node:'],
    },
    cli: { layers: ['domain', 'engine', 'client', 'server', 'delivery', 'cli'], packages: [''] },
    build: { layers: ['domain', 'server', 'cli', 'build'], packages: [''] },
  }

const layerOf = (path: string): string => path.split('/')[1]!

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export|\}) ?[^'\n]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => (match[1] ?? match[2] ?? match[3])!,
  )

/** What is at fault, by the file that it stands in. */
function faults(files: readonly Source[], of: (source: Source) => readonly string[]): readonly string[] {
  return files.flatMap((source) => of(source).map((fault) => `${source.path}: ${fault}`))
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

/** The files of src that a file imports, types and `import()` included. */
const filesOf = new Map(
  sources.map(({ path, text }) => [
    path,
    importsOf(text)
      .filter((target) => target.startsWith('.') && target.endsWith('.ts'))
      .map((target) => join(dirname(path), target)),
  ]),
)

describe('the import rule', () => {
  test('a file imports what its layer may', () => {
    const wrong = faults(sources, ({ path, text }) => {
      const layer = allowed[layerOf(path)]!
      const packages = importsOf(text).filter((target) => !target.startsWith('.'))
      return [
        ...packages.filter((target) => !layer.packages.some((name) => target.startsWith(name))),
        ...filesOf.get(path)!.filter((target) => !layer.layers.includes(layerOf(target))),
      ]
    })
    expect(wrong).toEqual([])
    expect([...filesOf.values()].flat().length).toBeGreaterThan(1000)
  })

  test('no imports go in a circle, `await import()` included', () => {
    const done = new Set<string>()
    const circles: (readonly string[])[] = []
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path])
      if (done.has(path)) return
      for (const target of filesOf.get(path) ?? []) follow(target, [...way, path])
      done.add(path)
    }
    for (const path of filesOf.keys()) follow(path, [])
    expect(circles).toEqual([])
  })
})

/** The folders of src/cli from the ground up: a file imports from its own folder and from those before it. */
const floors = [
  'terminal',
  'command',
  'workbooks',
  'parquet',
  'files',
  'config',
  'output',
  'pages',
  'args',
  'help',
  'source',
  'labels',
  'ask',
  'listings',
  'imports',
  'commands',
] as const

/** The folder of a file under a folder of src (`commands`); undefined for a loose file and for one elsewhere. */
function roomUnder(folder: string, path: string): string | undefined {
  const parts = relative(folder, path).split('/')
  return parts.length > 1 && parts[0] !== '..' ? parts[0] : undefined
}

/** Where a noun's folder in src/cli/commands may import from another one, and why. */
const neighbours: Readonly<Record<string, string>> = {
  'rates ratecards': 'prices come from a card of a file, which --card names',
  'serve messages': 'a server sends messages by the same workers as messages deliver',
  'doctor setup': 'a check shows the profile as profile show does',
  'report shipments': 'a report takes the filters of shipments list',
  'report pull': 'what a deployment cannot answer offers a pull first',
  'report cod': 'what couriers owe is that of cod due',
  'report reconcile': 'reasons in words, and the terms of COD, are those of an invoice',
  'shipments pull': 'as for a report',
  'sql pull': 'as for a report',
  'local shipments': 'local price takes the filters of shipments list',
  'local rates': 'prices of the sample card are invented, and local price says so as rates does',
  'reconcile rates': 'parcels of a file, and what is said of invented prices, are as for rates',
  'reconcile ratecards': 'a card is a name or a file, as for rates',
  'cod reconcile': 'terms and couriers of what is owed are as in a reconciled remittance',
  'invoices reconcile': 'the lines of a kept invoice are printed as they were when it was read',
  'invoices ratecards': 'a card is a name or a file, as for rates',
  'disputes reconcile': 'a kept invoice is named as in invoices get',
  'disputes ratecards': 'the holidays of the card count in deadlines',
  'courier ratecards': 'the holidays of the card count in the windows of claims',
  'orders shipments': 'orders label takes the filters of shipments list',
  'orders ratecards': 'warehouses are in the database of the rate cards',
  'local ratecards': 'a card is a name or a file, as for rates',
  'shipments ratecards': 'what a return costs comes from the card in use',
  'shipments reconcile': 'the warehouses of this computer are the origins of prices, as for an invoice',
  'simulate ratecards': 'a card is a name or a file, as for rates',
  'simulate shipments': 'a simulation takes the filters of shipments list, and returns like for like',
  'simulate rates': 'what is said of couriers and of invented prices is as for rates',
  'simulate reconcile': 'as for shipments',
  'simulate pull': 'as for a report',
  'listen pull': 'it pulls where webhooks may be missing, and saves records as a pull does',
  'setup listen': 'profile set says of a signing secret what listen says',
}

/** Files over 350 lines, with the reason. */
const large: Readonly<Record<string, string>> = {
  'src/engine/database/migrations.ts': 'the list of all steps of the schema, which only grows',
}

/** The most of them in src. */
const mostIgnores = 60

/** Whether a line begins, or is, a constant that is a list or an object: what a prettier-ignore may be before. */
const startsTable = (line: string): boolean =>
  /^ *(?:export )?const .*[[{]$/.test(line)
    ? !line.endsWith(' => {')
    : /^ *(?:export )?const .*[=>] [[{].*[\]}]$/.test(line)
const ignore = /\bprettier-ignore\b/

/** The lines over 120 characters, those of literal tables that prettier leaves alone aside. */
function longLines(text: string): number {
  const lines = text.split('\n')
  let count = 0
  let table: string | undefined
  for (const [i, line] of lines.entries()) {
    if (table === undefined && ignore.test(lines[i - 1] ?? '') && startsTable(line)) table = /^ */.exec(line)![0]
    if (table === undefined && line.length > 120) count++
    if (table !== undefined && /[^[{(]$/.test(line) && /^[\])}]|^(?:export )?const /.test(line.slice(table.length)))
      table = undefined
  }
  return count
}

describe('the house of src', () => {
  test('in src/cli arrows only go down', () => {
    const wrong = [...filesOf].flatMap(([path, targets]) => {
      const from = roomUnder('src/cli', path)
      if (from === undefined) return []
      const floor = floors.indexOf(from as (typeof floors)[number])
      expect(floor, `${path}: a folder that the list of floors lacks`).not.toBe(-1)
      return targets
        .filter((target) => target.startsWith('src/cli/'))
        .filter((target) => {
          const to = roomUnder('src/cli', target)
          return to === undefined || floors.indexOf(to as (typeof floors)[number]) > floor
        })
        .map((target) => `${path} -> ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test("a noun's folder in src/cli/commands imports from another in the named cases only", () => {
    const pairs = [...filesOf].flatMap(([path, targets]) => {
      const from = roomUnder('src/cli/commands', path)
      const rooms = targets.map((target) => roomUnder('src/cli/commands', target))
      return rooms.flatMap((to) =>
        from === undefined || to === undefined || to === from || to === 'rows' ? [] : [`${from} ${to}`],
      )
    })
    expect([...new Set(pairs)].filter((pair) => neighbours[pair] === undefined)).toEqual([])
  })

  test.each(['cli', 'engine'])('src/%s has at most six loose files', (folder) => {
    const loose = sources.filter(({ path }) => dirname(path) === `src/${folder}`)
    expect(loose.length).toBeLessThanOrEqual(6)
  })

  test('no file has more than 350 lines, those with a reason aside', () => {
    const long = sources.filter(({ path, text }) => !path.endsWith('.data.ts') && text.split('\n').length > 351)
    expect(long.map(({ path }) => path).filter((path) => large[path] === undefined)).toEqual([])
    expect(Object.keys(large).filter((path) => !long.some((one) => one.path === path))).toEqual([])
  })

  test('no line has more than 120 characters, those of literal tables aside', () => {
    const long = sources.filter(({ path, text }) => !path.endsWith('.data.ts') && longLines(text) > 0)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('a limit of a statement is not bound bare: SQLite would prepare the statement anew for each run', () => {
    const bare = sources.filter(
      ({ path, text }) => path.startsWith('src/engine/') && /\blimit \$\{(?!chunk\.rows\})/.test(text),
    )
    expect(bare.map(({ path }) => path)).toEqual([])
  })

  test('prettier-ignore is before literal tables only', () => {
    const wrong = sources.filter(({ text }) => {
      const lines = text.split('\n')
      return lines.some((line, i) => ignore.test(line) && !(/^ *\/\//.test(line) && startsTable(lines[i + 1]!)))
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
    expect(
      sources.flatMap(({ text }) => text.split('\n').filter((line) => ignore.test(line))).length,
    ).toBeLessThanOrEqual(mostIgnores)
  })
})

describe('the rules of the house', () => {
  test('domain and engine read no clock, chance, environment or process', () => {
    const inner = sources.filter(({ path }) => layerOf(path) === 'domain' || layerOf(path) === 'engine')
    const forbidden = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\brandomUUID\(/g
    expect(faults(inner, ({ text }) => withoutComments(text).match(forbidden) ?? [])).toEqual([])
  })

  test('test files alone ask for the size of the run: .ci/run goes by their text (vitest.config.ts)', () => {
    const helpers = trackedFiles('test').filter(
      (path) => path.endsWith('.ts') && !/\.test\.ts$|support\/size\.ts$/.test(path),
    )
    expect(helpers.length).toBeGreaterThan(100)
    const asking = helpers.filter((path) => /\/size\.ts'|SHIPX_TEST'\]/.test(readFileSync(join(root, path), 'utf8')))
    expect(asking).toEqual([])
  })

  test('a file opens with a sentence about itself', () => {
    const opening = (path: string): RegExp => (path.endsWith('.data.ts') ? /^\/[/*]/ : /^\/\/ .{20,}/)
    expect(sources.filter(({ path, text }) => !opening(path).test(text)).map(({ path }) => path)).toEqual([])
  })

  test('nothing ends the process, writes to the console, coerces or exports a default', () => {
    const forbidden = /process\.exit\(|\bconsole\.|z\.coerce|export default/g
    expect(faults(sources, ({ text }) => withoutComments(text).match(forbidden) ?? [])).toEqual([])
  })

  test('JSON is written to a stream through jsonText alone', () => {
    const forbidden = /std(?:out|err)\.write\([^\n]*(?<!safeJson\()JSON\.stringify/g
    expect(faults(sources, ({ text }) => text.match(forbidden) ?? [])).toEqual([])
  })

  test('no template text goes into SQL unbound', () => {
    expect(faults(sources, ({ text }) => text.match(/\.(?:prepare|exec)\(`[^`]*\$\{/g) ?? [])).toEqual([])
  })
})
