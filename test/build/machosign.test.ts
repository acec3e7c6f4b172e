// The signature that the build gives a program for macOS.
import { describe, expect, test } from 'vitest'
import { alteredPages, signed } from '../../src/build/single/machosign.ts'

/** The least program for macOS that can be signed: its head, two segments, and some bytes. */
function leastMacho(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 'code')
  file.fill(0, 0, 1024)
  file.writeUInt32LE(0xfeedfacf, 0)
  const [text, linkedit] = [32, 32 + 152]
  file.writeUInt32LE(2, 16)
  file.writeUInt32LE(152 + 72, 20)
  const segment = (at: number, name: string, sections: number, offset: number, size: number): void => {
    file.writeUInt32LE(0x19, at)
    file.writeUInt32LE(72 + 80 * sections, at + 4)
    file.write(name, at + 8)
    file.writeBigUInt64LE(BigInt(offset), at + 40)
    file.writeBigUInt64LE(BigInt(size), at + 48)
    file.writeUInt32LE(sections, at + 64)
  }
  segment(text, '__TEXT', 1, 0, 16_384)
  file.writeUInt32LE(1024, text + 72 + 48)
  segment(linkedit, '__LINKEDIT', 0, 16_384, bytes - 16_384)
  return file
}

describe('the signature for macOS', () => {
  test('has the hash of each page; an altered byte shows, and a second signature takes the place of the first', () => {
    const once = signed(leastMacho(20_001), 'shipx')
    expect([once.length % 16, alteredPages(once)]).toEqual([0, 0])
    const altered = Buffer.from(once)
    altered[10_000] = 0
    expect(alteredPages(altered)).toBe(1)
    expect(signed(once, 'shipx').equals(once)).toBe(true)
  })
})
