// Defends the layers: domain knows nothing outside itself, engine knows domain, cli wires; and the rules of the house: no
// circles, floors inside src/cli, sizes of files and lines.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from './support/checkout.ts'

const sources = trackedFiles('src')
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
      ],
    },
    client: { layers: ['domain', 'client'], packages: ['undici', 'zod', 'node:'] },
    server: { layers: ['domain', 'engine', 'server'], packages: ['fastify', '@fastify/multipart', 'zod', 'node:'] },
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

describe('the import rule', () => {
  test.each(sources)('$path imports what its layer may', ({ path, text }) => {
    const layer = allowed[layerOf(path)]!
    const wrong = importsOf(text).filter((target) => {
      if (!target.startsWith('.')) return !layer.packages.some((name) => target.startsWith(name))
      return !layer.layers.includes(layerOf(relative(root, join(root, dirname(path), target))))
    })
    expect(wrong).toEqual([])
  })
})

/** The files of src that a file imports, types and `import()` included. */
const filesOf = new Map(
  sources.map(({ path, text }) => [
    path,
    importsOf(text)
      .filter((target) => target.startsWith('.') && target.endsWith('.ts'))
      .map((target) => join(dirname(path), target)),
  ]),
)

/** A way from a file back to itself; undefined where there is none. */
function circleFrom(start: string): readonly string[] | undefined {
  const before = new Map<string, string>()
  const queue = [start]
  for (const path of queue)
    for (const next of filesOf.get(path) ?? []) {
      if (next === start) {
        const way = [path]
        for (let at = path; before.has(at);) way.unshift((at = before.get(at)!))
        return [...way, start]
      }
      if (before.has(next)) continue
      before.set(next, path)
      queue.push(next)
    }
  return undefined
}

/** The folders of src/cli from the ground up: a file imports from its own folder and from those before it. */
const floors = [
  'terminal',
  'command',
  'files',
  'config',
  'output',
  'args',
  'help',
  'source',
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
}

/** Files over 350 lines, with the reason. */
const large: Readonly<Record<string, string>> = {
  'src/cli/commands/pull/run.ts': 'one run of a pull, to be split by noun',
  'src/client/service.ts': 'every endpoint by hand, to be made from the contract rows',
  'src/engine/database/migrations.ts': 'the list of all steps of the schema, which only grows',
  'src/engine/database/sqlite.ts': 'to be split: connection, statements, transactions',
  'src/engine/orders/orders.ts': 'to be split by noun',
  'src/engine/records/listing.ts': 'to be split into plan, survey and fetch',
  'src/engine/sample/seed.ts': 'to be split by noun',
  'src/engine/tracking.ts': 'to be split by noun',
  'src/server/answers.ts': 'the answer schemas, to be made from those of the contract',
  'src/server/app.ts': 'to be split into assembly, routes and hooks',
  'src/server/examples.ts': 'a list of examples',
  'src/server/openapi.ts': 'to be made shorter with the answer schemas',
}

/** Files in which a prettier-ignore is elsewhere than before a literal table; the list only gets shorter. */
const ignoring: ReadonlySet<string> = new Set([
  'src/cli/args/parse.ts',
  'src/cli/commands/local/simulate.ts',
  'src/cli/commands/messages/options.ts',
  'src/cli/commands/messages/templates.ts',
  'src/cli/commands/rates/many/coverage.ts',
  'src/cli/commands/rates/many/options.ts',
  'src/cli/commands/rates/many/parcelfile.ts',
  'src/cli/commands/rates/many/pricers.ts',
  'src/cli/commands/rates/serviceability.ts',
  'src/cli/commands/report/figures.ts',
  'src/cli/commands/setup/init.ts',
  'src/cli/commands/setup/profileview.ts',
  'src/cli/commands/shipments/rows.ts',
  'src/cli/commands/shipments/summary.ts',
  'src/cli/commands/shipments/watch.ts',
  'src/client/redact.ts',
  'src/client/service.ts',
  'src/delivery/publicaddress.ts',
  'src/delivery/templatecheck.ts',
  'src/delivery/variables.ts',
  'src/domain/contract.ts',
  'src/domain/foreign/records.ts',
  'src/domain/parse.ts',
  'src/domain/wire.ts',
  'src/engine/messages/queue.ts',
  'src/engine/records/absentnames.ts',
  'src/engine/records/summary.ts',
  'src/engine/sample/simulation.ts',
  'src/engine/tracking.ts',
  'src/server/answers.ts',
  'src/server/docs.ts',
  'src/server/requests.ts',
])
/** All of them in src; the number only gets smaller, down to 60. */
const mostIgnores = 153

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

/** How many lines over 120 characters a file has, where it has any; `UPDATE=1` writes the list anew. */
const longPath = join(root, 'test', 'longlines.txt')

describe('the house of src', () => {
  test('no file imports itself by way of others', () => {
    const circles = sources.map(({ path }) => circleFrom(path)).filter((way) => way !== undefined)
    expect(circles).toEqual([])
  })

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

  test('no line has more than 120 characters, those of literal tables and of test/longlines.txt aside', () => {
    const found = sources
      .map(({ path, text }) => [path, longLines(text)] as const)
      .filter(([path, count]) => count > 0 && !path.endsWith('.data.ts'))
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        longPath,
        found
          .map(([path, count]) => `${count} ${path}\n`)
          .toSorted()
          .join(''),
      )
    const allowed = new Map(
      readFileSync(longPath, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(line.indexOf(' ') + 1), Number.parseInt(line, 10)]),
    )
    expect(found.filter(([path, count]) => count > (allowed.get(path) ?? 0))).toEqual([])
  })

  test('prettier-ignore is before literal tables only', () => {
    const wrong = sources.filter(({ text }) => {
      const lines = text.split('\n')
      return lines.some((line, i) => ignore.test(line) && !(/^ *\/\//.test(line) && startsTable(lines[i + 1]!)))
    })
    expect(wrong.map(({ path }) => path).filter((path) => !ignoring.has(path))).toEqual([])
    expect(
      sources.flatMap(({ text }) => text.split('\n').filter((line) => ignore.test(line))).length,
    ).toBeLessThanOrEqual(mostIgnores)
  })
})

describe('the rules of the house', () => {
  const outside = sources.filter(({ path }) => layerOf(path) === 'domain' || layerOf(path) === 'engine')

  test.each(outside)('$path reads no clock, chance, environment or process', ({ text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code.match(/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\brandomUUID\(/g) ?? []).toEqual([])
  })

  test.each(sources)('$path opens with a sentence about itself', ({ path, text }) => {
    if (path.endsWith('.data.ts')) expect(text).toMatch(/^\/[/*]/)
    else expect(text).toMatch(/^\/\/ .{20,}/)
  })

  test.each(sources)('$path leaves the process alone and coerces nothing', ({ text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code.match(/process\.exit\(|\bconsole\.|z\.coerce|export default/g) ?? []).toEqual([])
  })

  test.each(sources)('$path writes JSON to a stream through jsonText alone', ({ text }) => {
    expect(text).not.toMatch(/std(out|err)\.write\([^\n]*(?<!safeJson\()JSON\.stringify/)
  })

  test.each(sources)('$path puts no template text into SQL that is not bound', ({ text }) => {
    expect(text.match(/\.(prepare|exec)\(`[^`]*\$\{/g) ?? []).toEqual([])
  })
})
