// The program that tests run: what `npm pack` packs, unpacked as npm installs it, with kept code (test/support/build.setup.ts). Beside
// it lies better-sqlite3 alone. `SHIPX_TEST_CODE` says what becomes of kept code: it is used, rejected, or there is none.
import { chmodSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './checkout.ts'

/** How the program under test is loaded. */
export type CodeMode = 'kept' | 'rejected' | 'off'

/** `bin/shipx.js` of the unpacked tarball; outside of the tests (scorecard) that of the checkout. */
export const program = process.env['SHIPX_TEST_PROGRAM'] ?? join(root, 'bin', 'shipx.js')

const modes: readonly string[] = ['kept', 'rejected', 'off'] satisfies readonly CodeMode[]
const asked = process.env['SHIPX_TEST_CODE'] ?? 'kept'
if (!modes.includes(asked)) throw new Error(`SHIPX_TEST_CODE is one of ${modes.join(', ')}`)
export const codeMode = asked as CodeMode

/** Kept code that V8 rejects, made by test/support/build.setup.ts: another version of V8 made it, as far as V8 can tell. */
export const rejectedCode = process.env['SHIPX_TEST_REJECTED'] ?? ''

/** Where a program under test keeps code: a folder that all tests of a run share; and its module for SQLite. */
export const codeEnv = (
  mode: CodeMode = codeMode,
): { readonly SHIPX_CODE_CACHE: string; readonly SHIPX_SQLITE?: string } => ({
  SHIPX_CODE_CACHE: mode === 'off' ? 'off' : (process.env['SHIPX_TEST_KEPT'] ?? join(tmpdir(), 'shipx-test-code')),
  ...(process.env['SHIPX_SQLITE'] === undefined ? {} : { SHIPX_SQLITE: process.env['SHIPX_SQLITE'] }),
})

/** Writes a `shipx` into a folder that starts the program under test, for bash. */
export function writeLauncher(folder: string, mode: CodeMode = codeMode): string {
  const path = join(folder, 'shipx')
  // Each start finds code that V8 rejects, and keeps its own after it: so it is put there each time.
  const before = mode === 'rejected' ? `cp '${rejectedCode}'/*.code "$SHIPX_CODE_CACHE"/\n` : ''
  writeFileSync(path, `#!/bin/sh\n${before}exec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}
