// What `import.meta.url` is in the bundle; esbuild puts it where that is used. A banner instead would stand before
// "use strict" and so switch it off for the whole program.
import { pathToFileURL } from 'node:url'

export const shipxUrl = pathToFileURL(__filename).href
