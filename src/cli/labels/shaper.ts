// HarfBuzz, which shapes the scripts of India, and the fonts of Noto that it shapes them with. Loaded when a label has
// a letter that Helvetica lacks; each font when its script comes up.
import { brotliDecompressSync } from 'node:zlib'
import { installed } from '../source/packagefiles.ts'
import { otherLetters, type Script } from './scripts.ts'

/** A glyph of a shaped text, in thousandths of the size: how far it moves the pen, and where it lies from there. */
export interface Glyph {
  readonly id: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

/** A font that is loaded. */
export interface LoadedFont {
  readonly script: Script
  /** The file of the font (TrueType). */
  readonly file: Uint8Array
  readonly shape: (text: string) => readonly Glyph[]
  readonly has: (point: number) => boolean
  /** The width of a glyph by itself, thousandths of the size. */
  readonly widthOf: (glyph: number) => number
}

/** The functions of HarfBuzz that are used here; addresses are numbers. */
type Call = (...args: readonly number[]) => number
interface HarfBuzz {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly [name: `hb_${string}`]: Call
  readonly malloc: Call
  readonly free: Call
}

/** WebAssembly, of which Node's types know only the name. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const pageBytes = 65_536

/** Starts HarfBuzz. Its few calls to the outside are those of memory; it draws no clock and opens no file. */
function start(): HarfBuzz {
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyApi
  const fail = (): never => {
    throw new Error('HarfBuzz stopped')
  }
  const grow = (wanted: number): number => {
    const { memory } = harfbuzz as unknown as { memory: { buffer: ArrayBuffer; grow: (pages: number) => number } }
    try {
      memory.grow(Math.ceil((wanted - memory.buffer.byteLength) / pageBytes))
      return 1
    } catch {
      return 0
    }
  }
  const env = {
    _emscripten_runtime_keepalive_clear: () => undefined,
    _abort_js: fail,
    _setitimer_js: () => 0,
    emscripten_resize_heap: grow,
  }
  const code = brotliDecompressSync(installed().file('fonts/harfbuzz.wasm.br'))
  const instance = new Instance(new Module(code), { env, wasi_snapshot_preview1: { proc_exit: fail } })
  const harfbuzz = instance.exports as HarfBuzz
  ;(Reflect.get(harfbuzz, '__wasm_call_ctors') as Call)()
  return harfbuzz
}

let running: HarfBuzz | undefined
const loaded = new Map<string, LoadedFont>()

/** The font of a script. */
export function fontOf(script: Script): LoadedFont {
  let font = loaded.get(script.name)
  if (font === undefined) {
    running ??= start()
    const file = brotliDecompressSync(installed().file(`fonts/${script.name}.ttf.br`))
    font = openFont(running, script, file)
    loaded.set(script.name, font)
  }
  return font
}

/** The font for letters of no script of India, where it has them; undefined for one that no font here has. */
export function fontFor(point: number): LoadedFont | undefined {
  const font = fontOf(otherLetters)
  return font.has(point) ? font : undefined
}

const tagOf = (tag: string): number => [...tag].reduce((all, letter) => (all << 8) | letter.charCodeAt(0), 0)

/** Memory mode 2 of a blob: HarfBuzz may write to it, and does not copy it. */
const writable = 2
const leftToRight = 4
/** Bytes of one glyph in HarfBuzz's lists. */
const entry = 20

function openFont(hb: HarfBuzz, script: Script, file: Uint8Array): LoadedFont {
  const call = (name: `hb_${string}`, ...args: readonly number[]): number => hb[name]!(...args)
  const data = hb.malloc(file.length)
  new Uint8Array(hb.memory.buffer).set(file, data)
  const face = call('hb_face_create', call('hb_blob_create', data, file.length, writable, 0, 0), 0)
  const font = call('hb_font_create', face)
  call('hb_font_set_scale', font, 1000, 1000)
  const buffer = call('hb_buffer_create')
  const found = hb.malloc(4)
  const widths = new Map<number, number>()
  /** Runs something with memory of so many bytes. */
  const within = <T>(bytes: number, work: (at: number) => T): T => {
    const at = hb.malloc(bytes)
    try {
      return work(at)
    } finally {
      hb.free(at)
    }
  }
  return {
    script,
    file,
    shape: (text) =>
      within(text.length * 2 + 2, (at) => {
        Buffer.from(hb.memory.buffer, at, text.length * 2).write(text, 'utf16le')
        call('hb_buffer_clear_contents', buffer)
        call('hb_buffer_set_direction', buffer, leftToRight)
        call('hb_buffer_set_script', buffer, tagOf(script.tag))
        call('hb_buffer_add_utf16', buffer, at, text.length, 0, text.length)
        call('hb_shape', font, buffer, 0, 0)
        const length = call('hb_buffer_get_length', buffer)
        const infos = new DataView(hb.memory.buffer, call('hb_buffer_get_glyph_infos', buffer, 0), length * entry)
        const places = new DataView(hb.memory.buffer, call('hb_buffer_get_glyph_positions', buffer, 0), length * entry)
        return Array.from({ length }, (_, i) => ({
          id: infos.getUint32(i * entry, true),
          advance: places.getInt32(i * entry, true),
          x: places.getInt32(i * entry + 8, true),
          y: places.getInt32(i * entry + 12, true),
        }))
      }),
    has: (point) => call('hb_font_get_nominal_glyph', font, point, found) !== 0,
    widthOf: (glyph) => {
      let width = widths.get(glyph)
      if (width === undefined) widths.set(glyph, (width = call('hb_font_get_glyph_h_advance', font, glyph)))
      return width
    },
  }
}
