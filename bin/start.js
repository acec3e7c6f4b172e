// Loads the bundle with the code that V8 kept of it at build time, which saves most of the start-up (docs/performance.md).
// What another Node kept is left alone, and the bundle is then loaded as it is.
const { readFileSync, writeSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

const file = join(__dirname, '..', 'dist', 'shipx.cjs')
const kept = join(__dirname, '..', 'dist', `shipx-${process.version}-${process.platform}-${process.arch}.cache`)

/** The bundle's exports, and the script that they came from when it was loaded with a cache in mind. */
function load() {
  let cachedData
  try {
    cachedData = readFileSync(kept)
  } catch {
    return { exports: plain() }
  }
  // The bundle holds nothing but ASCII, so that it can be read without decoding.
  const script = new vm.Script(Module.wrap(readFileSync(file, 'latin1')), {
    filename: file,
    cachedData,
  })
  if (script.cachedDataRejected) return { exports: plain() }
  const module = { exports: {} }
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file))
  return module
}

/** The bundle as Node loads it; newer ones keep the code by themselves. */
function plain() {
  Module.enableCompileCache?.()
  return require(file)
}

/** Writes what needs no command; a reader that has gone is a quiet end, a full disk is not. */
function answer(text) {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`✗ the output could not be written: ${error.message}\n`)
    process.exitCode = 1
  })
  process.stdout.write(text)
}

/**
 * Writes to the descriptor itself, since opening the stream costs more than completion does; a pipe that takes no more at
 * once is left to the stream.
 */
function answerAtOnce(text) {
  let left = Buffer.from(text)
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left))
  } catch (error) {
    if (error.code !== 'EPIPE') answer(left)
  }
}

const argv = process.argv.slice(2)
const quickly = argv.length === 0 || argv[0] === 'complete' || (argv.length === 1 && /^(--help|-h)$/.test(argv[0]))
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  answer(`shipx ${require('../package.json').version}\n`)
} else if (quickly) {
  require('../dist/quick.cjs')
    .quick(argv, process)
    .then(argv[0] === 'complete' ? answerAtOnce : answer)
} else {
  load().exports.main(process)
}
