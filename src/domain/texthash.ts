// A quick hash of text, for tables and names of files. It is not a secret and keeps nothing safe.

/**
 * Writes two 32-bit hashes of a text into `pair` (cyrb53's mixing, both halves whole). Saved files are named by it: the
 * result for a text and a seed never changes.
 */
export function hashText(text: string, pair: Uint32Array, seed = 0): void {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  pair[0] = a
  pair[1] = b
}
