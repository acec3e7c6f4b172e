// The thread that runs jq (compiled to WebAssembly) over pieces of output, in a file of its own next to the bundle: an
// expression that never ends, or asks for all memory, ends with its thread.
import { parentPort, workerData } from 'node:worker_threads'
import { loadJq } from 'jq-wasm'

/** What the thread starts with: the WebAssembly of jq, and the most memory that jq may take, bytes. */
export interface JqStart {
  readonly wasm: Uint8Array
  readonly memory: number
}

/** One piece: JSON texts one after another, and the expression. */
export interface JqTask {
  readonly input: string
  readonly expression: string
}

/** What jq printed, one JSON value a line, and its exit code; `stderr` has its message. */
export interface JqAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

const { wasm, memory } = workerData as JqStart

/** The memory of a WebAssembly program; Node's types know only its name. */
interface Memory {
  readonly buffer: ArrayBuffer
  grow: (pages: number) => number
}

const page = 65_536
const { prototype } = (Reflect.get(globalThis, 'WebAssembly') as { readonly Memory: { readonly prototype: Memory } })
  .Memory
const grow = Reflect.get(prototype, 'grow')
// jq's own limit is 2 GB. A refused growth ends jq with its message about memory.
prototype.grow = function (this: Memory, pages: number): number {
  if (this.buffer.byteLength + pages * page > memory) throw new RangeError('no more memory for jq')
  return grow.call(this, pages)
}

const ready = loadJq({ wasmBinary: wasm })

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
const send = (answer: JqAnswer): void => parentPort!.postMessage(answer)

parentPort!.on('message', ({ input, expression }: JqTask) => {
  void ready.then((jq) => send(jq.raw(input, expression, ['-c'])))
})
