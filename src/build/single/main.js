// The main script of shipx as one file (docs/inside/singlefile.md): what bin/start.js reads from files comes from inside
// the program. A thread and the process of `shipx sql` start here too, with the name of their part as the first word.
import { dirname } from 'node:path'
import { getRawAsset } from 'node:sea'
import vm from 'node:vm'
import { start } from '../../../bin/start.js'

const file = process.execPath

/** The bytes of a file inside, where they lie: nothing may write to them. */
const bytesOf = (name) => Buffer.from(getRawAsset(name))

/** The code of the build is ASCII, and each file of it is wrapped as a module (assets.ts). */
const textOf = (name) => bytesOf(name).latin1Slice()

const loaded = new Map()

/** The `require` of the code inside: a file of the build, and otherwise a module of Node. */
function load(name) {
  if (!name.startsWith('./')) return require(name)
  const found = loaded.get(name)
  if (found !== undefined) return found.exports
  const module = { exports: {} }
  loaded.set(name, module)
  const script = new vm.Script(textOf(name.slice(2)), { filename: name })
  script.runInThisContext()(module.exports, load, module, file, dirname(file))
  return module.exports
}

/** What V8 made of the code for a first word while the program was built; undefined where there is none. */
function codeFor(word) {
  try {
    return bytesOf(`code/${word}`)
  } catch {
    return undefined
  }
}

const part = /^::(reader|records|sql|jq|write)$/.exec(process.argv[2] ?? '')?.[1]
if (part === undefined) {
  start({
    file,
    version: () => JSON.parse(textOf('package.json')).version,
    quick: () => load('./quick.cjs'),
    sql: [file, '::sql'],
    text: () => textOf('shipx.cjs'),
    require: () => load,
    code: codeFor,
  })
} else {
  load(`./${part}.cjs`)
}
