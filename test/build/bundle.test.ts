// Defends that what is installed is what was tested: the bundle is ASCII and strict, two builds are the same bytes, and what
// lies inside is listed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { build as bundle } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asciiExpression, asciiProgram } from '../../src/build/ascii.js'
import { lazyTree } from '../../src/build/lazytree.js'
import { without } from '../../src/build/without.js'
import { readWords } from '../../src/cli/args/parse.ts'
import type { Tree } from '../../src/cli/command/tree.ts'
import { tree } from '../../src/cli/commands/table.ts'
import { program } from '../support/program.ts'
import { root, trackedFiles } from '../support/checkout.ts'

const installed = join(program, '..', '..')

/** The files that Node loads as code, by their path in the package. */
const scripts = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.[cm]?js$/.test(name) && !name.includes('swagger-ui'),
)

describe('the installed program', () => {
  test.each(scripts.filter((name) => name.startsWith('dist')))(
    '%s is ASCII, so that any encoding reads the same',
    (name) => {
      const bytes = readFileSync(join(installed, name))
      expect(bytes.length).toBeGreaterThan(500)
      expect(bytes.findIndex((byte) => byte > 0x7f)).toBe(-1)
    },
  )

  test('is made of parts: what no command has run leaves little in the code that V8 keeps', () => {
    const bundle = readFileSync(join(installed, 'dist', 'shipx.cjs'), 'latin1')
    expect(new Script(bundle, { filename: 'unrun.cjs' }).createCachedData().length).toBeLessThan(100_000)
  })

  test('has all of its code in these files', () => {
    expect(scripts.toSorted()).toEqual([
      'bin/early.js',
      'bin/keep.js',
      'bin/shipx.js',
      'bin/start.js',
      'dist/jq.cjs',
      'dist/packages/conf.cjs',
      'dist/packages/echarts.cjs',
      'dist/packages/fastify.cjs',
      'dist/packages/html.cjs',
      'dist/packages/inquirer.cjs',
      'dist/packages/liquid.cjs',
      'dist/packages/mcp.cjs',
      'dist/packages/multipart.cjs',
      'dist/packages/nodemailer.cjs',
      'dist/packages/ora.cjs',
      'dist/packages/parquet.cjs',
      'dist/packages/pg.cjs',
      'dist/packages/saxes.cjs',
      'dist/packages/undici.cjs',
      'dist/packages/yauzl.cjs',
      'dist/packages/yazl.cjs',
      'dist/quick.cjs',
      'dist/reader.cjs',
      'dist/records.cjs',
      'dist/shipx.cjs',
      'dist/sql.cjs',
      'dist/write.cjs',
    ])
  })

  test.each(['shipx', 'quick', 'reader', 'records', 'sql', 'write'])(
    'dist/%s.cjs is in strict mode, as its sources are',
    (name) => {
      const code = readFileSync(join(installed, 'dist', `${name}.cjs`), 'latin1')
      expect(name === 'shipx' ? code.slice(Module.wrap('').indexOf('{') + 2) : code).toMatch(/^"use strict";/)
    },
  )

  test('names every package inside it, with the version of the lockfile and its hash', () => {
    const bill = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly {
        readonly name: string
        readonly version: string
        readonly hashes: readonly { readonly content: string }[]
      }[]
    }
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>
    }
    const names = bill.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['undici', 'fastify', 'pg', 'nodemailer', 'zod', 'commander']))
    for (const { name, version, hashes } of bill.components) {
      const locked = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`))
      expect([name, locked.map(([, one]) => one.version)]).toEqual([name, expect.arrayContaining([version])])
      expect(hashes[0]!.content).toMatch(/^[0-9a-f]{128}$/)
    }
    const licences = readFileSync(join(installed, 'dist', 'LICENSES.txt'), 'utf8')
    for (const { name, version } of bill.components) expect(licences).toContain(`${name} ${version}\n`)
    expect(licences).toContain('https://www.data.gov.in/Godl\n(adapted: cleaned and compacted)\n')
    // What the COPYING of jq and its libraries names: the package jq-wasm has none of it.
    for (const holder of ['Stephen Dolan', 'David M. Gay', 'NetBSD', 'Kungliga', 'K.Kosako', 'Rich Felker'])
      expect(licences).toContain(holder)
  })
})

test('the part of undici that is built has what the sources take from it', () => {
  const built = createRequire(import.meta.url)(join(root, 'dist', 'packages', 'undici.cjs')) as object
  const taken = trackedFiles('src')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .flatMap((text) => [
      ...text.matchAll(/^import \{ ([^}]+) \} from 'undici'/gm),
      ...text.matchAll(/usually\(\(\{ (\w+) \}\)/g),
      ...text.matchAll(/const \{ (\w+) \} = await import\('undici'\)/g),
    ])
    .flatMap(([, names]) => names!.split(', ').filter((name) => !name.startsWith('type ')))
  expect(new Set(taken)).toEqual(new Set(['Agent', 'EnvHttpProxyAgent', 'FormData']))
  expect(Object.keys(built)).toEqual(expect.arrayContaining(taken))
})

test('a page from a deployment waited for HTTP/2, proxies and forms, which it does not use', () => {
  const code = `const undici = require(${JSON.stringify(join(installed, 'dist', 'packages', 'undici.cjs'))})
    for (const name of ['EnvHttpProxyAgent', 'FormData'])
      if (Object.getOwnPropertyDescriptor(undici, name).get === undefined) console.log(name)
    process.stdout.write(process.moduleLoadList.join('\\n'))`
  const loaded = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }).split('\n')
  expect(loaded).toContain('NativeModule net')
  for (const name of ['http2', 'zlib']) expect(loaded).not.toContain(`NativeModule ${name}`)
  for (const name of ['EnvHttpProxyAgent', 'FormData']) expect(loaded).not.toContain(name)
})

test('the build ended with an error where npm had left out the optional package', async () => {
  const contents = `import Database from 'better-sqlite3'
    import { join } from 'node:path'
    console.log(typeof Database, typeof join)`
  const build = (missing: boolean) =>
    bundle({
      stdin: { contents, resolveDir: root },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      write: false,
      external: ['bindings', '*.node'],
      plugins: [without('better-sqlite3', () => missing)],
    })
  const [absent, there] = await Promise.all([build(true), build(false)])
  expect(absent.outputFiles[0]!.text).not.toContain('SqliteError')
  expect(there.outputFiles[0]!.text).toContain('SqliteError')
  expect(execFileSync(process.execPath, ['-e', absent.outputFiles[0]!.text], { encoding: 'utf8' })).toBe(
    'object function\n',
  )
})

test('a second build, elsewhere in time, language and folder, gives the same bytes', { tags: ['full'] }, () => {
  const digest = (): readonly string[] =>
    readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .map(
        (name) =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(root, 'dist', name)))
            .digest('hex')}`,
      )
      .toSorted()
  const before = digest()
  const env = { PATH: process.env['PATH'], HOME: '/tmp', TZ: 'Asia/Kolkata', LC_ALL: 'C', LANG: 'hi_IN' }
  execFileSync(process.execPath, [join(root, 'src', 'build', 'bundle.js')], { cwd: '/', env, stdio: 'ignore' })
  expect(before.length).toBeGreaterThan(15)
  expect(digest()).toEqual(before)
})

describe('making a program ASCII', () => {
  const characters = '₹×“”‘’–—：／。．｡•क्षி🛵\u200d\ufeff\u2028'

  test('leaves every regular expression matching what it matched', { tags: ['full'] }, () => {
    const piece = fc.oneof(
      fc.constantFrom(...characters),
      fc.constantFrom('a', '\\d', '\\.', '\\\\', '[₹x]', '[^–-—]', '(?:，|b)', '\\s*', '\\₹', '\\/'),
    )
    // prettier-ignore
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.array(fc.oneof(fc.constantFrom(...characters, 'a', '7', '.', '\\', ' ', 'b', '，'), fc.string({ unit: 'binary' })), { maxLength: 12 }), (parts, texts) => {
        const source = parts.join('')
        const ascii = asciiExpression(source)
        expect(ascii).toMatch(/^[ -~]*$/)
        const [before, after] = [new RegExp(source, 'g'), new RegExp(ascii, 'g')]
        const subject = texts.join('') + source
        expect([...subject.matchAll(after)].map((found) => [found.index, found[0]])).toEqual([...subject.matchAll(before)].map((found) => [found.index, found[0]]))
      }),
    )
  })

  test('takes apart expressions, division and strings as a parser does', () => {
    const code = 'const a=b/c/2;const d=/[×₹]/u.test(e)?f/g:/\\₹/.source;const s="/\\u20b9/"'
    expect(asciiProgram(code, 'x')).toBe(
      'const a=b/c/2;const d=/[\\u00d7\\u20b9]/u.test(e)?f/g:/\\u20b9/.source;const s="/\\u20b9/"',
    )
  })

  test('refuses a character that it cannot write another way, so that the build fails', () => {
    expect(() => asciiProgram('const a="₹"', 'shipx.cjs')).toThrow(/shipx\.cjs: not ASCII: const a="₹"/)
    expect(() => asciiProgram('/₹/;String.raw`₹`', 'shipx.cjs')).toThrow(/not ASCII/)
  })
})

describe('the command tree in the bundle', () => {
  const texts: string[] = []
  // The module as the bundle has it, with a look at what it parses.
  const lazy = new Function('JSON', lazyTree(tree).replace('export default', 'return'))({
    parse: (text: string): unknown => {
      texts.push(text)
      return JSON.parse(text)
    },
  }) as Tree

  test('a start does not parse all commands: only the one that runs, and the shared flags', () => {
    for (const line of ['rates --from 400001 --json', 'shipments list --status ndr_raised -q', 'stores list'])
      readWords(lazy, line.split(' '))
    expect(texts.map((text) => /"path":(\[.*?\])|"name":"json"/.exec(text)?.[1])).toEqual([
      undefined,
      '["rates"]',
      '["shipments","list"]',
      '["stores","list"]',
    ])
    expect(texts.join('')).toMatch(/^[ -~]*$/)
  })

  test('is the tree itself, printed and read', () => {
    expect(JSON.stringify(lazy)).toBe(JSON.stringify(tree))
    expect(lazy.commands.map(({ flags }) => flags)).toEqual(tree.commands.map(({ flags }) => flags))
    expect(lazy.globals).toBe(lazy.globals)
    expect(lazy.commands[0]!.flags).toBe(lazy.commands[0]!.flags)
  })
})
