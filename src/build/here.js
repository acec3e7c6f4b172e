// The value of `import.meta.url` in the bundle, worked out where that is used. esbuild inserts the import of this. A
// banner would come before "use strict" and so switch it off for the whole program.
import { pathToFileURL } from 'node:url'

export const shipxFile = {
  get url() {
    return pathToFileURL(__filename).href
  },
}
