// Loads the bundle with the code that V8 compiled from it in an earlier run, which saves most of the start-up
// (docs/inside/architecture.md, Start-up). That code is in a folder of the user's own, one file for each first word of
// a command line.
const { closeSync, constants, fstatSync, openSync, readFileSync, statSync, writeSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const vm = require('node:vm')

/**
 * Where the code comes from: the files of the package. src/build/single/main.js has the same from inside one file.
 * `sql` starts the process of a query, as src/cli/source/packagefiles.ts says too.
 * Kept code belongs to `file`; `code` is what comes with the program, the head and V8's bytes once.
 */
const installed = {
  file: join(__dirname, '..', 'dist', 'shipx.cjs'),
  version: () => require('../package.json').version,
  quick: () => require('../dist/quick.cjs'),
  sql: [process.execPath, join(__dirname, '..', 'dist', 'sql.cjs')],
  text: () => readFileSync(installed.file, 'latin1'),
  require: () => Module.createRequire(installed.file),
  code: () => undefined,
}

/**
 * The head before V8's bytes: which bundle they belong to and which kinds of runs they cover, as JSON filled up with
 * blanks.
 */
const headBytes = 1024

/**
 * The file contains V8's bytes twice, since V8 would run damaged ones. Comparing them costs less than loading any
 * checksum.
 */
function codeIn(bytes) {
  const middle = (headBytes + bytes.length) / 2
  const whole = Number.isInteger(middle) && bytes.compare(bytes, headBytes, middle, middle) === 0
  return whole ? bytes.subarray(headBytes, middle) : undefined
}

/** The same of the bytes that come with the program. */
function readInside(bytes) {
  return bytes && { ran: JSON.parse(bytes.latin1Slice(0, headBytes)).ran, code: bytes.subarray(headBytes) }
}

/** The folder of saved code; undefined if code must not be saved. */
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

/** Differs between two bundles, before and after an edit, and between a copy and its original. */
function identityOf(path) {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [process.version, process.arch, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** The head and V8's bytes of a file that only this user can have written; undefined for any other file. */
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

/** Whether a command line looks like a query, which has a process of its own. */
const runsQuery = (argv) =>
  argv[0] === 'sql' && argv.length > 1 && !argv.some((arg) => ['--help', '-h', '--schema'].includes(arg))

/** Runs a command line, and saves the code that it needed for the next run of its kind. */
async function runMain(argv, from) {
  const { file } = from
  let early
  if (runsQuery(argv)) {
    const { startEarly } = require('./early.js')
    early = startEarly(from.sql)
  }
  const word = argv.find((arg) => /^[a-z]{2,20}$/.test(arg))
  const folder = word === undefined ? undefined : codeFolder(process)
  const identity = folder && identityOf(file)
  const path = folder && join(folder, `${word}-${process.version}-${process.arch}.code`)
  const kept = (path && readKept(path, identity)) ?? readInside(word && from.code(word))
  // The build makes the bundle ASCII and wraps it as a module, so that it runs without being decoded or copied.
  const script = new vm.Script(from.text(), { filename: file, cachedData: kept?.code })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, from.require(), module, file, dirname(file))
  const run = await module.exports.main(process, early)
  const ran = script.cachedDataRejected === true ? [] : (kept?.ran ?? [])
  if (path !== undefined && run?.word === word && !ran.includes(run.kind)) {
    const { keep } = require('./keep.js')
    keep({ script, path, headBytes, head: { of: identity, ran: [...ran, run.kind] } })
  }
}

/** Writes an answer that needs no command. A reader that has gone ends it quietly; a full disk is reported. */
function answer(text) {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`✗ the output could not be written: ${error.message}\n`)
    process.exitCode = 1
  })
  process.stdout.write(text)
}

/**
 * Writes to the descriptor itself, since opening the stream takes longer than completion does. If a pipe accepts no
 * more, the stream writes the rest.
 */
function answerAtOnce(text) {
  let left = Buffer.from(text)
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left))
  } catch (error) {
    if (error.code !== 'EPIPE') answer(left)
  }
}

/** Answers or runs the command line of the process. */
exports.start = function start(from = installed) {
  const argv = process.argv.slice(2)
  const quickly = argv.length === 0 || argv[0] === 'complete' || (argv.length === 1 && /^(--help|-h)$/.test(argv[0]))
  if (argv.length === 1 && ['--version', '-V', 'version'].includes(argv[0])) {
    answer(`shipx ${from.version()}\n`)
  } else if (quickly) {
    from
      .quick()
      .quick(argv, process)
      .then(argv[0] === 'complete' ? answerAtOnce : answer)
  } else {
    runMain(argv, from)
  }
}
