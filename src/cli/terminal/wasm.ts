// How V8 compiles WebAssembly.
import { setFlagsFromString } from 'node:v8'
import { flagChanged } from './heapflags.ts'

/**
 * From now on V8 compiles WebAssembly once, and not again for more speed. The second compilation of undici's parser
 * takes 90 ms, begins at the first answer, and a process does not end before it has.
 */
export function compileWasmOnce(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
  flagChanged(() => {
    setFlagsFromString('--wasm-dynamic-tiering')
    setFlagsFromString('--wasm-tier-up')
    return true
  })
}
