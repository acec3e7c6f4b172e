// Pictures are told by their bytes: the type and size of a PNG, JPEG or WebP, and nothing else is one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pictureOf } from '../../src/domain/images.ts'
import { animated, extended, extension, jpeg, lossless, lossy, png, pngOf, webpOf } from '../support/pictures.ts'
import { runs } from '../support/size.ts'

describe('pictureOf', () => {
  const sizes: readonly (readonly [number, number])[] = [
    [1, 1],
    [8, 4],
    [300, 200],
    [4096, 4096],
    [4097, 16],
    [16_383, 16_000],
  ]
  const makers = { png, jpeg, lossy, lossless, extended, animated }
  const types = { png: 'png', jpeg: 'jpeg', lossy: 'webp', lossless: 'webp', extended: 'webp', animated: 'webp' }
  const names = Object.keys(makers) as (keyof typeof makers)[]

  test.each(names)('tells a %s and its size', (name) => {
    for (const [width, height] of sizes) {
      expect(pictureOf(makers[name](width, height))).toEqual({ type: `image/${types[name]}`, width, height })
    }
  })

  test('reads a picture inside a larger buffer', () => {
    const picture = png(20, 10)
    const around = new Uint8Array(picture.length + 100).fill(7)
    around.set(picture, 33)
    expect(pictureOf(around.subarray(33, 33 + picture.length))).toEqual({ type: 'image/png', width: 20, height: 10 })
  })

  test('reads every kind of JPEG frame, and takes no table for one', () => {
    for (const frame of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf]) {
      expect(pictureOf(jpeg(30, 20, frame))).toMatchObject({ width: 30, height: 20 })
    }
    for (const table of [0xc4, 0xc8, 0xcc, 0xdd]) expect(pictureOf(jpeg(30, 20, table))).toBeUndefined()
  })

  test.each(names)('no prefix of a %s is a picture, and none throws', (name) => {
    const whole = makers[name](300, 200)
    const found = Array.from({ length: whole.length }, (_, end) => pictureOf(whole.subarray(0, end)))
    expect(found.filter((picture) => picture !== undefined)).toEqual([])
  })

  test.each(names)('a %s with something behind it is no picture', (name) => {
    for (const tail of ['<script>alert(1)</script>', 'PK\x03\x04', '\0\0', '%PDF-1.4']) {
      expect(pictureOf(Buffer.concat([makers[name](8, 8), Buffer.from(tail, 'latin1')]))).toBeUndefined()
    }
  })

  // A lossless or extended WebP counts from 1, and cannot say 0.
  test.each(['png', 'jpeg', 'lossy'] as const)('a %s without a size is no picture', (name) => {
    expect([makers[name](0, 8), makers[name](8, 0)].map(pictureOf)).toEqual([undefined, undefined])
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>'],
    ['SVG with a prologue', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['GIF', `GIF89a${'\x08\x00'.repeat(30)}`],
    ['BMP', `BM${'\0'.repeat(60)}`],
    ['TIFF', `II*\0${'\0'.repeat(60)}`],
    ['text', 'a text that is long enough to be a header of anything at all'],
    ['HTML', '<!doctype html><title>logo.png</title><p>not a picture at all</p>'],
    ['PDF', `%PDF-1.7\n${' '.repeat(60)}`],
    ['a RIFF that is sound', `RIFF\x38\0\0\0WAVEfmt ${'\0'.repeat(48)}`],
    ['nothing', ''],
  ])('%s is no picture', (_, text) => {
    expect(pictureOf(Buffer.from(text, 'latin1'))).toBeUndefined()
  })

  test('a PNG with its name only, out of order or without pixels is no picture', () => {
    const whole = png(8, 8)
    const renamed = Buffer.from(whole)
    renamed.write('IHDX', 12, 'latin1')
    const header = whole.subarray(0, 33)
    const end = whole.subarray(-12)
    const long = Buffer.from(whole)
    long.writeUInt32BE(0xffffffff, 33)
    for (const bytes of [renamed, header, Buffer.concat([header, end]), Buffer.concat([header, end, end]), long]) {
      expect(pictureOf(bytes)).toBeUndefined()
    }
  })

  test('a JPEG with a frame and no scan was taken for a picture', () => {
    const whole = jpeg(30, 20)
    const scan = whole.lastIndexOf(Buffer.from([0xff, 0xda]))
    const end = Buffer.from([0xff, 0xd9])
    const withoutScan = Buffer.concat([whole.subarray(0, scan), end])
    const emptyScan = Buffer.concat([whole.subarray(0, scan + 10), end])
    const twoEnds = Buffer.concat([emptyScan, whole.subarray(-5)])
    const scanFirst = Buffer.concat([whole.subarray(0, 2), whole.subarray(scan, -2), whole.subarray(2)])
    for (const bytes of [withoutScan, emptyScan, twoEnds, scanFirst]) expect(pictureOf(bytes)).toBeUndefined()
  })

  test('a JPEG of several scans, with tables between them, is a picture', () => {
    const whole = jpeg(30, 20, 0xc2)
    const table = whole.subarray(whole.indexOf(Buffer.from([0xff, 0xc4])), whole.indexOf(Buffer.from([0xff, 0xc2])))
    const scan = whole.subarray(whole.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
    const bytes = Buffer.concat([whole.subarray(0, -2), table, scan, whole.subarray(-2)])
    expect(pictureOf(bytes)).toEqual({ type: 'image/jpeg', width: 30, height: 20 })
  })

  test('a WebP of the extended form without image data was taken for a picture', () => {
    const head = extension(30, 20)
    const other = [...Buffer.from('EXIF'), 4, 0, 0, 0, 1, 2, 3, 4]
    const empty = [...Buffer.from('VP8L'), 0, 0, 0, 0]
    const frame = [...Buffer.from('ANMF'), 16, 0, 0, 0, ...Array<number>(16).fill(0)]
    for (const chunks of [[], [other], [empty], [frame], [other, empty, frame]])
      expect(pictureOf(webpOf(head, ...chunks))).toBeUndefined()
    const long = extended(30, 20)
    long.writeUInt32LE(100, 34)
    expect(pictureOf(long)).toBeUndefined()
    expect(pictureOf(webpOf(head, other, [...extended(30, 20).subarray(30)]))).toMatchObject({ width: 30, height: 20 })
  })

  test('frames inside frames to any depth are no picture, and do not make it throw', () => {
    const [depth, each] = [50_000, 24]
    const nested = Buffer.alloc(depth * each)
    for (let n = 0; n < depth; n++) {
      nested.write('ANMF', n * each, 'latin1')
      nested.writeUInt32LE((depth - n) * each - 8, n * each + 4)
    }
    const head = webpOf(extension(8, 8))
    const bytes = Buffer.concat([head, nested])
    bytes.writeUInt32LE(bytes.length - 8, 4)
    expect(pictureOf(bytes)).toBeUndefined()
  })

  test('a PNG whose pixels swallow its end was taken for a picture', () => {
    const whole = png(8, 8)
    const swallowed = Buffer.from(whole)
    swallowed.writeUInt32BE(whole.readUInt32BE(33) + 12, 33)
    const endOfOthers = pngOf(8, 8, 0, [['IDAT', Buffer.from('xxxxIENDxxxx')]]).subarray(0, -12)
    const empty = pngOf(8, 8, 0, [['IDAT', Buffer.alloc(0)]])
    for (const bytes of [swallowed, endOfOthers, empty]) expect(pictureOf(bytes)).toBeUndefined()
  })

  test('a PNG of several chunks of pixels, and one that moves, are pictures', () => {
    const [control, pixels] = [Buffer.alloc(8, 1), Buffer.alloc(30, 2)]
    const bytes = pngOf(8, 4, 6, [
      ['acTL', control],
      ['fcTL', Buffer.alloc(26)],
      ['IDAT', pixels],
      ['IDAT', Buffer.alloc(0)],
      ['IDAT', pixels],
      ['fdAT', pixels],
      ['tEXt', Buffer.from('IEND')],
    ])
    expect(pictureOf(bytes)).toEqual({ type: 'image/png', width: 8, height: 4 })
  })

  test('no bytes at all make it throw', () => {
    const seeds = names.map((name) => makers[name](20, 10))
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 255 })), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 40 }),
        (seed, edits, noise) => {
          const bytes = Buffer.from(seed)
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value
          const picture = pictureOf(bytes)
          if (picture !== undefined) expect(picture.width > 0 && picture.height > 0).toBe(true)
          expect(pictureOf(noise)).toBeUndefined()
        },
      ),
      { numRuns: runs(200, 2000) },
    )
  })
})
