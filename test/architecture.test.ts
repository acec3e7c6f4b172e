// Defends the layers: domain knows nothing outside itself, engine knows domain, cli wires; that
// imports go in no circle; and a few rules of the house.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from './support/checkout.ts'

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
      packages: ['zod', 'sql-template-tag', 'better-sqlite3', 'pg', 'node:crypto', 'node:fs', 'node:module'],
    },
    client: { layers: ['domain', 'client'], packages: ['undici', 'zod', 'node:'] },
    server: { layers: ['domain', 'engine', 'server'], packages: ['fastify', '@fastify/multipart', 'zod', 'node:'] },
    delivery: {
      layers: ['domain', 'engine', 'delivery'],
      packages: ['liquidjs', 'nodemailer', 'undici', 'ipaddr.js', 'node:'],
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

describe('the import rule', () => {
  const ours = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text).flatMap((target) => (target.startsWith('.') ? [join(dirname(path), target)] : [])),
    ]),
  )

  test('a file imports what its layer may', () => {
    const wrong = faults(sources, ({ path, text }) => {
      const layer = allowed[layerOf(path)]!
      const packages = importsOf(text).filter((target) => !target.startsWith('.'))
      return [
        ...packages.filter((target) => !layer.packages.some((name) => target.startsWith(name))),
        ...ours.get(path)!.filter((target) => !layer.layers.includes(layerOf(target))),
      ]
    })
    expect(wrong).toEqual([])
    expect([...ours.values()].flat().length).toBeGreaterThan(1000)
  })

  test('no imports go in a circle, `await import()` included', () => {
    const done = new Set<string>()
    const circles: (readonly string[])[] = []
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path])
      if (done.has(path)) return
      for (const target of ours.get(path) ?? []) follow(target, [...way, path])
      done.add(path)
    }
    for (const path of ours.keys()) follow(path, [])
    expect(circles).toEqual([])
  })
})

describe('the rules of the house', () => {
  test('domain and engine read no clock, chance, environment or process', () => {
    const inner = sources.filter(({ path }) => layerOf(path) === 'domain' || layerOf(path) === 'engine')
    const forbidden = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\brandomUUID\(/g
    expect(faults(inner, ({ text }) => withoutComments(text).match(forbidden) ?? [])).toEqual([])
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
