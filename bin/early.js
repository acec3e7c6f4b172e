// Starts the process of `shipx sql` before shipx itself is read: it takes as long to start. shipx does not wait for it,
// and it ends with shipx (src/cli/commands/sql/child.ts).
const { spawn } = require('node:child_process')

/** The process of these words; undefined where it cannot start: shipx tries again later, and reports that. */
exports.startEarly = function startEarly([program, ...words]) {
  try {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
    child.on('error', () => undefined)
    if (child.pid === undefined) return undefined
    for (const one of [child, child.stdin, child.stdout, child.stderr]) one.unref()
    return child
  } catch {
    return undefined
  }
}
