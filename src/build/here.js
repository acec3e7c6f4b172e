// The value of `import.meta.url` in the bundle; esbuild inserts it where that is used. A banner would come before "use
// strict" and so switch it off for the whole program.
import { pathToFileURL } from 'node:url'

export const shipxUrl = pathToFileURL(__filename).href
