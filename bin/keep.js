// Saves the code that V8 compiled from the bundle during a run, in a folder of this user alone. Loaded only when there
// is something to save. If saving fails, it stays silent.
const { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

/** One file covers at most this many kinds of runs: another one would make all of them slower. */
const mostKinds = 12
/** Age in ms at which a file is deleted. It belongs to an older installation, or a single run makes it again. */
const oldest = 30 * 24 * 60 * 60 * 1000

/** Writes V8's code of `script` and its head, as a whole or not at all. Never throws. */
exports.keep = function keep({ script, path, head, headBytes }) {
  if (head.ran.length > mostKinds) return
  const text = JSON.stringify(head)
  if (text.length > headBytes || /[^ -~]/.test(text)) return
  const temporary = `${path}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`
  try {
    const folder = dirname(path)
    makeFolder(folder)
    if (!own(folder)) return
    sweep(folder)
    const code = script.createCachedData()
    writeFileSync(temporary, Buffer.concat([Buffer.from(text.padEnd(headBytes)), code, code]), {
      flag: 'wx',
      mode: 0o600,
    })
    renameSync(temporary, path)
  } catch {
    remove(temporary)
  }
}

function remove(path) {
  try {
    rmSync(path)
  } catch {
    // It was never made, or its folder can no longer be written.
  }
}

/** Makes a folder and at most three above it. Node's own `recursive` never ends below /proc. */
function makeFolder(folder, around = 3) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT' || around === 0) throw error
    makeFolder(dirname(folder), around - 1)
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** Whether a folder belongs to this user; if so, makes sure that others cannot write to it. */
function own(folder) {
  const found = lstatSync(folder)
  if (!found.isDirectory()) return false
  if (process.getuid === undefined) return true
  if (found.uid !== process.getuid()) return false
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  return true
}

function sweep(folder) {
  const before = Date.now() - oldest
  for (const entry of readdirSync(folder)) {
    if (/\.(code|tmp)$/.test(entry) && statSync(join(folder, entry)).mtimeMs < before) remove(join(folder, entry))
  }
}
