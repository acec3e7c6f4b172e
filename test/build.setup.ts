// Makes the build once before the tests, so that those that run the real command line run what is in the tree.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../src/build/bundle.js', import.meta.url))], {
    stdio: 'inherit',
  })
}
