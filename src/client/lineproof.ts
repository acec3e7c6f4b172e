// Proves that lines of bytes are JSON objects without making their values: a tenth of the time of `JSON.parse`, and no
// garbage. WebAssembly does it (lineproof.wat), 16 bytes of a text at a time (docs/inside/performance.md, P10).
import { proofModule } from './lineproof.data.ts'

/**
 * Bytes that are looked at at first and later on, if lines are proven: many short lines that are not would be copied
 * again and again. The later ones hold each line that may be proven, wherever it begins.
 */
const [firstPart, laterPart] = [4_096, 131_072]

const lineBreak = 10

/** The address of the lines in the memory of the proof. */
const linesAt = 1024

/** What is used of WebAssembly, of which the types of Node have no values. Absent without a compiler (`--jitless`). */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly?: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: object }
  }
}

/** What the module exports. */
interface Proof {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** The address after the last line that is proven, from an address on. */
  readonly prove: (at: number) => number
  /** How many lines that were. */
  readonly count: { readonly value: number }
}

interface Prover extends Proof {
  readonly room: Uint8Array
}

let made: Prover | undefined | 'none'

/** The proof, made when it is first needed; undefined where Node has no WebAssembly, or no memory for it. */
function prover(): Prover | undefined {
  if (made === undefined) {
    try {
      const { exports } = new wasm!.Instance(new wasm!.Module(Buffer.from(proofModule, 'base64')))
      const proof = exports as Proof
      made = { ...proof, room: new Uint8Array(proof.memory.buffer, linesAt) }
    } catch {
      made = 'none'
    }
  }
  return made === 'none' ? undefined : made
}

/**
 * How many lines from `from` on are proven, and the place after them. What is not proven may be JSON all the same:
 * deeper than 500 or longer than 65,536 bytes. `bytes` are UTF-8 and end with a line break.
 */
export function provenLines(bytes: Uint8Array, from: number): { readonly count: number; readonly end: number } {
  const proof = prover()
  let [count, end] = [0, from]
  if (proof === undefined) return { count, end }
  for (let size = firstPart; end < bytes.length; size = laterPart) {
    const part = bytes.subarray(end, end + size)
    const whole = part.lastIndexOf(lineBreak) + 1
    // A line that is not whole in the first part may be so in a later one.
    if (whole === 0 && size === firstPart) continue
    proof.room.set(part)
    proof.room[part.length] = 0
    const proven = proof.prove(linesAt) - linesAt
    end += proven
    count += proof.count.value
    if (proven < whole || whole === 0) break
  }
  return { count, end }
}
