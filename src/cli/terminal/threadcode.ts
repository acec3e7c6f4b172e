// The code of a thread, wherever it lies (src/cli/source/packagefiles.ts finds it).
import type { WorkerOptions } from 'node:worker_threads'

/** The code of a thread, as `new Worker` takes it. */
export interface ThreadCode {
  readonly code: string
  readonly options: WorkerOptions
}
