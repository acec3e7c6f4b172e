// A program for Windows without the signature of the Node inside: what was put in has broken it, and Windows treats a
// broken signature worse than none.

/** From the start of the head: the optional header, its list of tables (64 bits), and the place of signatures there. */
const [optional, tables, signatures] = [24, 112, 4 * 8]

/** Where the head names the signature, 8 bytes: its place and its size. */
export const signaturePlace = (file: Buffer): number => file.readUInt32LE(60) + optional + tables + signatures

/** Takes the name of the signature out of the head. */
export function unsign(file: Buffer): Buffer {
  const at = signaturePlace(file)
  return file.fill(0, at, at + 8)
}
