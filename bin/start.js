// Loads the bundle with the code that V8 made of it in an earlier run, which saves most of the start-up (docs/architecture.md,
// Start-up). That code is kept in a folder of the user's own, a file for each first word of a command line.
const { closeSync, constants, fstatSync, openSync, readFileSync, statSync, writeSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const vm = require('node:vm')

const file = join(__dirname, '..', 'dist', 'shipx.cjs')

/** Before V8's bytes: what they were made of and for which kinds of runs, as JSON filled up with blanks. */
const headBytes = 1024

/** V8's bytes stand in the file twice, since V8 runs damaged ones: to compare them costs less than any checksum to load. */
function codeIn(bytes) {
  const middle = (headBytes + bytes.length) / 2
  const whole = Number.isInteger(middle) && bytes.compare(bytes, headBytes, middle, middle) === 0
  return whole ? bytes.subarray(headBytes, middle) : undefined
}

/** The folder of kept code; undefined where code is not to be kept. */
function codeFolder({ env, platform }) {
  const own = env.SHIPX_CODE_CACHE
  if (own !== undefined && own !== '') return own === 'off' || !isAbsolute(own) ? undefined : own
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'shipx', 'code')
  const home = homedir()
  if (!isAbsolute(home)) return undefined
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'shipx', 'code')
  const xdg = env.XDG_CACHE_HOME
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.cache'), 'shipx', 'code')
}

/** What tells one bundle from another, an edited one from itself before, and a copy from its original. */
function identityOf(path) {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [process.version, process.arch, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** The head and V8's bytes of a file that only this user can have written; undefined for any other. */
function readKept(path, identity) {
  let descriptor
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(descriptor)
    const foreign = process.getuid !== undefined && (found.uid !== process.getuid() || (found.mode & 0o022) !== 0)
    if (foreign || !found.isFile()) return undefined
    const bytes = readFileSync(descriptor)
    const head = JSON.parse(bytes.latin1Slice(0, headBytes))
    const code = head.of === identity ? codeIn(bytes) : undefined
    return code && { ran: head.ran, code }
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Runs a command line; the code that it needed is kept for the next one of its kind. */
async function runMain(argv) {
  const word = argv.find((arg) => /^[a-z]{2,20}$/.test(arg))
  const folder = word === undefined ? undefined : codeFolder(process)
  const identity = folder && identityOf(file)
  const path = folder && join(folder, `${word}-${process.version}-${process.arch}.code`)
  const kept = path && readKept(path, identity)
  // The build makes sure that the bundle is ASCII, so that it can be read without decoding (src/build/ascii.js).
  const script = new vm.Script(Module.wrap(readFileSync(file, 'latin1')), { filename: file, cachedData: kept?.code })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file))
  const run = await module.exports.main(process)
  const ran = script.cachedDataRejected === true ? [] : (kept?.ran ?? [])
  if (path !== undefined && run?.word === word && !ran.includes(run.kind)) {
    const { keep } = require('./keep.js')
    keep({ script, path, headBytes, head: { of: identity, ran: [...ran, run.kind] } })
  }
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
  runMain(argv)
}
