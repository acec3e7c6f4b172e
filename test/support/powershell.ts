// PowerShell's grammar, to read scripts where there is no PowerShell.
import { createRequire } from 'node:module'
import { Language, Parser } from 'web-tree-sitter'

const grammar = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')

/** Returns a function that reads a script, and returns the places that PowerShell would not understand. */
export async function powershellParser(): Promise<(script: string) => readonly string[]> {
  await Parser.init()
  const parser = new Parser().setLanguage(await Language.load(grammar))
  return (script) => {
    const { rootNode: top } = parser.parse(script)!
    const wrong = top.descendantsOfType('ERROR').flatMap((node) => (node === null ? [] : [node]))
    const places = wrong.map(({ startPosition: { row }, text }) => `line ${row + 1}: ${text.slice(0, 60)}`)
    // A sign that is missing makes no node of its own.
    return top.hasError && places.length === 0 ? ['something is missing'] : places
  }
}
