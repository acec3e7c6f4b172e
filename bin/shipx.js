#!/usr/bin/env node
// Starts shipx, or says in one line that this Node is too old. Any Node can read this file.
var parts = process.versions.node.split('.')
if (Number(parts[0]) < 20 || (Number(parts[0]) === 20 && Number(parts[1]) < 19)) {
  process.stderr.write('shipx needs Node 20.19 or newer; this is Node ' + process.versions.node + '\n')
  process.exitCode = 1
} else {
  require('./start.js').start()
}
