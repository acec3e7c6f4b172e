// A TrueType file: its glyphs as outlines, and a copy with only the glyphs that a document shows.

/** A point of an outline, in units of the font, y upwards; `on` the curve or its control point. */
export interface OutlinePoint {
  readonly x: number
  readonly y: number
  readonly on: boolean
}

type Contour = readonly OutlinePoint[]

/** A font file that is read by its tables. */
export interface FontFile {
  /** The closed contours of a glyph; those of its parts with it. */
  readonly outlineOf: (glyph: number) => readonly Contour[]
  /** The same font with the outlines of these glyphs alone, as a PDF embeds it: the numbers of glyphs stay. */
  readonly only: (glyphs: Iterable<number>) => Uint8Array
}

/** The tables that a PDF needs; letters and shaping are done. */
const kept = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']

/** Flags of a part of a composite glyph. */
const part = { words: 1, offsets: 2, scale: 8, more: 32, scales: 64, matrix: 128 }
/** Flags of a point of a simple glyph. */
const flag = { on: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 }

/** A part of a composite glyph, where it lies and by how much it is scaled. */
interface Part {
  readonly glyph: number
  readonly dx: number
  readonly dy: number
  readonly matrix: readonly [number, number, number, number]
}

/** A part may have parts; a font in which they go in a circle ends here. */
const mostDepth = 6

/** The parts of a composite glyph, from the place of the first one. */
function partsAt(data: DataView, start: number): readonly Part[] {
  const parts: Part[] = []
  for (let at = start, flags = part.more; (flags & part.more) !== 0;) {
    flags = data.getUint16(at)
    const wide = (flags & part.words) !== 0
    const [dx, dy] = wide
      ? [data.getInt16(at + 4), data.getInt16(at + 6)]
      : [data.getInt8(at + 4), data.getInt8(at + 5)]
    const read = (n: number): number => data.getInt16(at + (wide ? 8 : 6) + n * 2) / 16_384
    const scales =
      (flags & part.scale) !== 0 ? 1 : (flags & part.scales) !== 0 ? 2 : (flags & part.matrix) !== 0 ? 4 : 0
    const matrix: Part['matrix'] =
      scales === 1
        ? [read(0), 0, 0, read(0)]
        : scales === 2
          ? [read(0), 0, 0, read(1)]
          : scales === 4
            ? [read(0), read(1), read(2), read(3)]
            : [1, 0, 0, 1]
    const placed = (flags & part.offsets) !== 0
    parts.push({ glyph: data.getUint16(at + 2), dx: placed ? dx : 0, dy: placed ? dy : 0, matrix })
    at += (wide ? 8 : 6) + scales * 2
  }
  return parts
}

/** Reads the tables of a font. */
export function fontFile(file: Uint8Array): FontFile {
  const data = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tables = new Map<string, readonly [at: number, length: number]>()
  for (let i = 0; i < data.getUint16(4); i++) {
    const at = 12 + i * 16
    tables.set(Buffer.from(file.subarray(at, at + 4)).toString('latin1'), [
      data.getUint32(at + 8),
      data.getUint32(at + 12),
    ])
  }
  const place = (name: string): number => tables.get(name)![0]
  const long = data.getInt16(place('head') + 50) === 1
  const glyphs = data.getUint16(place('maxp') + 4)
  const locate = (i: number): number =>
    long ? data.getUint32(place('loca') + i * 4) : data.getUint16(place('loca') + i * 2) * 2
  const rangeOf = (glyph: number): readonly [number, number] =>
    glyph >= glyphs ? [0, 0] : [place('glyf') + locate(glyph), place('glyf') + locate(glyph + 1)]

  function partsOf(glyph: number): readonly Part[] {
    const [from, end] = rangeOf(glyph)
    return end - from < 10 || data.getInt16(from) >= 0 ? [] : partsAt(data, from + 10)
  }

  function outlineOf(glyph: number, depth = 0): readonly Contour[] {
    const [from, end] = rangeOf(glyph)
    if (end - from < 10 || depth > mostDepth) return []
    if (data.getInt16(from) >= 0) return simpleOutline(data, from)
    return partsOf(glyph).flatMap(({ glyph: inner, dx, dy, matrix: [a, b, c, d] }) =>
      outlineOf(inner, depth + 1).map((contour) =>
        contour.map(({ x, y, on }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, on })),
      ),
    )
  }

  /** Adds a glyph and what it is made of. */
  function add(glyph: number, to: Set<number>): void {
    if (to.has(glyph)) return
    to.add(glyph)
    for (const { glyph: inner } of partsOf(glyph)) add(inner, to)
  }

  function only(wanted: Iterable<number>): Uint8Array {
    const shown = new Set<number>()
    add(0, shown)
    for (const glyph of wanted) add(glyph, shown)
    const loca = Buffer.alloc((glyphs + 1) * 4)
    const outlines: Uint8Array[] = []
    let size = 0
    for (let glyph = 0; glyph < glyphs; glyph++) {
      loca.writeUInt32BE(size, glyph * 4)
      if (!shown.has(glyph)) continue
      const outline = padded(file.subarray(...rangeOf(glyph)))
      outlines.push(outline)
      size += outline.length
    }
    loca.writeUInt32BE(size, glyphs * 4)
    const head = Buffer.from(file.subarray(place('head'), place('head') + tables.get('head')![1]))
    // Places of glyphs are long from here on.
    head.writeInt16BE(1, 50)
    const made: Readonly<Record<string, Uint8Array>> = { glyf: Buffer.concat(outlines), loca, head }
    return assembled(
      kept.flatMap((name) => {
        const own = made[name]
        const there = tables.get(name)
        if (own !== undefined) return [[name, own] as const]
        return there === undefined ? [] : [[name, file.subarray(there[0], there[0] + there[1])] as const]
      }),
    )
  }
  return { outlineOf: (glyph) => outlineOf(glyph), only }
}

const padded = (bytes: Uint8Array): Uint8Array =>
  bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes], bytes.length + 4 - (bytes.length % 4))

/** A font of some tables. A PDF asks for no sums of them. */
function assembled(tables: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
  const head = Buffer.alloc(12 + tables.length * 16)
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt16BE(tables.length, 4)
  const power = Math.floor(Math.log2(tables.length))
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE((tables.length - 2 ** power) * 16, 10)
  let at = head.length
  const bodies = tables.map(([name, bytes], i) => {
    head.write(name, 12 + i * 16, 'latin1')
    head.writeUInt32BE(at, 12 + i * 16 + 8)
    head.writeUInt32BE(bytes.length, 12 + i * 16 + 12)
    const body = padded(bytes)
    at += body.length
    return body
  })
  return Buffer.concat([head, ...bodies])
}

/** The contours of a glyph that has no parts. */
function simpleOutline(data: DataView, from: number): readonly Contour[] {
  const contours = data.getInt16(from)
  const ends = Array.from({ length: contours }, (_, i) => data.getUint16(from + 10 + i * 2))
  const points = (ends.at(-1) ?? -1) + 1
  let at = from + 10 + contours * 2
  at += 2 + data.getUint16(at)
  const flags: number[] = []
  while (flags.length < points) {
    const one = data.getUint8(at++)
    flags.push(one)
    if ((one & flag.repeat) === 0) continue
    for (let times = data.getUint8(at++); times > 0; times--) flags.push(one)
  }
  const along = (short: number, same: number): readonly number[] => {
    let value = 0
    return flags.slice(0, points).map((one) => {
      if ((one & short) !== 0) value += data.getUint8(at++) * ((one & same) === 0 ? -1 : 1)
      else if ((one & same) === 0) {
        value += data.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const xs = along(flag.shortX, flag.sameX)
  const ys = along(flag.shortY, flag.sameY)
  return ends.map((end, i) =>
    Array.from({ length: end - (ends[i - 1] ?? -1) }, (_, n) => {
      const point = (ends[i - 1] ?? -1) + 1 + n
      return { x: xs[point]!, y: ys[point]!, on: (flags[point]! & flag.on) !== 0 }
    }),
  )
}
