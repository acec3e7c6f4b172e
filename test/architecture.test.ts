// Defends the layers: domain knows nothing outside itself, engine knows domain, cli wires; and a few rules of the house.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: join('src', path), text: readFileSync(join(root, 'src', path), 'utf8') }))

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

  test('the rule sees an arrow that points the wrong way', () => {
    const text = "import {\n  a,\n} from '../engine/listing.ts'\nimport '../z.ts'\nawait import('./x.ts')"
    expect(importsOf(text)).toEqual(['../engine/listing.ts', '../z.ts', './x.ts'])
    expect(allowed['domain']!.layers).not.toContain('engine')
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
