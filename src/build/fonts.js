// The fonts of labels, and HarfBuzz, which shapes them: packed into dist/fonts from their npm packages.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

/** A font of each script of src/cli/labels/scripts.ts. */
const fonts = {
  devanagari: import.meta.resolve('@expo-google-fonts/noto-sans-devanagari/package.json'),
  bengali: import.meta.resolve('@expo-google-fonts/noto-sans-bengali/package.json'),
  gurmukhi: import.meta.resolve('@expo-google-fonts/noto-sans-gurmukhi/package.json'),
  gujarati: import.meta.resolve('@expo-google-fonts/noto-sans-gujarati/package.json'),
  oriya: import.meta.resolve('@expo-google-fonts/noto-sans-oriya/package.json'),
  tamil: import.meta.resolve('@expo-google-fonts/noto-sans-tamil/package.json'),
  telugu: import.meta.resolve('@expo-google-fonts/noto-sans-telugu/package.json'),
  kannada: import.meta.resolve('@expo-google-fonts/noto-sans-kannada/package.json'),
  malayalam: import.meta.resolve('@expo-google-fonts/noto-sans-malayalam/package.json'),
}

/** The packages whose fonts are inside. */
export const fontPackages = Object.keys(fonts).map((script) => `@expo-google-fonts/noto-sans-${script}`)

/** The package whose WebAssembly is inside. */
export const shaperPackage = 'harfbuzzjs'

/** Each file of the folder, and the file of a package that it holds. */
const files = [
  ...Object.entries(fonts).map(([script, about]) => {
    const family = `NotoSans${script[0].toUpperCase()}${script.slice(1)}_400Regular.ttf`
    return [`${script}.ttf.br`, join(dirname(fileURLToPath(about)), '400Regular', family)]
  }),
  ['harfbuzz.wasm.br', fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz.wasm'))],
]

/** Whether a file unpacks to these bytes: packing takes seconds. */
function holds(path, bytes) {
  try {
    return existsSync(path) && brotliDecompressSync(readFileSync(path)).equals(bytes)
  } catch {
    return false
  }
}

/** Fills the folder of fonts, with nothing else in it. */
export function packFonts(folder) {
  mkdirSync(folder, { recursive: true })
  for (const [name, source] of files) {
    const bytes = readFileSync(source)
    const path = join(folder, name)
    if (!holds(path, bytes)) writeFileSync(path, brotliCompressSync(bytes))
  }
  const wanted = new Set(files.map(([name]) => name))
  for (const entry of readdirSync(folder)) if (!wanted.has(entry)) rmSync(join(folder, entry), { recursive: true })
}
