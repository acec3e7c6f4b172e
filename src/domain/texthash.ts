// A fast hash of text, for tables and file names; not for secrets. A command that completes words must not load
// node:crypto.

/** Writes two 32-bit hashes of a text (cyrb53's mixing) into `pair`; another `seed` makes other hashes. */
export function hashInto(pair: Uint32Array, text: string, seed = 0): void {
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
