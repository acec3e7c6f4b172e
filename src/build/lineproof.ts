// Makes src/client/lineproof.data.ts: the module of lineproof.wat as text.
import { readFileSync } from 'node:fs'
import wabt from 'wabt'

const source = new URL('../client/lineproof.wat', import.meta.url)

/** The text of the generated file. Throws for a module that is not valid. */
export async function lineProof(): Promise<string> {
  const module = (await wabt()).parseWat('lineproof.wat', readFileSync(source), { simd: true })
  module.validate()
  const text = Buffer.from(module.toBinary({}).buffer).toString('base64')
  const lines = text.match(/.{1,100}/g)!.map((line) => `  '${line}',`)
  return `// Generated from lineproof.wat (\`npm run generate\`).

/** The WebAssembly module that proves lines, in base64. */
export const proofModule = [
${lines.join('\n')}
].join('')
`
}
