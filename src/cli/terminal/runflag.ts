// A flag of V8 that has another value for the rest of a run.
import { setFlagsFromString } from 'node:v8'
import { flagChanged } from './heapflags.ts'

/** Sets a flag to a value. `usual` is its value at the start, which kept code is made with. */
export function setForRun(flag: string, value: number, usual: number): void {
  setFlagsFromString(`${flag}=${value}`)
  flagChanged(() => {
    setFlagsFromString(`${flag}=${usual}`)
    return true
  })
}
