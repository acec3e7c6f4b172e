// One program of the chunks that esbuild makes of a program with dynamic imports. Each chunk is a function that runs when
// something first needs it: what a command does not use costs its start nothing, because V8's kept code does not have it.
import { basename } from 'node:path'
import { parse } from 'acorn'
import { transform } from 'esbuild'

/** Loads a chunk by its number, and anything else as Node does. */
const loader = `
var made = [], outer = require
function part(name) {
  if (typeof name !== 'number') return outer(name)
  if (made[name] === undefined) {
    made[name] = { exports: {} }
    parts[name](made[name], made[name].exports, part)
  }
  return made[name].exports
}
module.exports = part(0)
`

/**
 * The chunks (ES modules as `{ path, text }`) as one CommonJS program that exports what the chunk `entry` exports.
 * `options` are those of the build that the transforms share.
 */
export async function programOf(chunks, entry, options) {
  const names = chunks.map(({ path }) => basename(path)).toSorted((a, b) => (b === entry) - (a === entry))
  if (names[0] !== entry) throw new Error(`there is no chunk ${entry}`)
  const texts = new Map(chunks.map(({ path, text }) => [basename(path), text]))
  const made = await Promise.all(
    names.map((name) => transform(texts.get(name), { ...options, minify: false, format: 'cjs' })),
  )
  // One after the other: the order of the helpers must not depend on which transform was the first to end.
  const helpers = new Map()
  const functions = made.map(({ code }) => {
    const body = numbered(withoutHelpers(code, helpers), names)
    return `function (module, exports, require) {\n${body}\n}`
  })
  const shared = [...helpers.values()].join('\n')
  const { code } = await transform(`${shared}\nvar parts = [${functions.join(',\n')}]\n${loader}`, options)
  return `"use strict";${code}`
}

/** A chunk without the functions that esbuild puts before each; they are kept in `helpers`, once for all. */
function withoutHelpers(code, helpers) {
  let [body, at] = ['', 0]
  for (const { type, start, end, declarations } of parse(code, { ecmaVersion: 'latest' }).body) {
    const name = type === 'VariableDeclaration' ? declarations[0].id.name : undefined
    if (!/^__[a-z]/.test(name ?? '')) continue
    const text = code.slice(start, end)
    if (plain(helpers.get(name) ?? text) !== plain(text)) throw new Error(`two chunks have another ${name}`)
    helpers.set(name, text)
    body += code.slice(at, start)
    at = end
  }
  return (body + code.slice(at)).replace('"use strict";', '')
}

/** esbuild numbers a helper's parameters where the chunk has the same names. */
const plain = (helper) => helper.replace(/\b([a-z]+)\d+\b/gi, '$1')

/** A chunk that names the others by their numbers, and gives what it exports without a copy. */
const numbered = (code, names) =>
  code
    .replace(/require\("\.\/([^"/]+)"\)/g, (found, other) => {
      const number = names.indexOf(other)
      return number === -1 ? found : `require(${number})`
    })
    .replace(/__toESM\((require\(\d+\))\)/g, '$1')
    .replace(/module\.exports = __toCommonJS\((\w+)\);/, 'module.exports = $1;')
