// R27: logos: every picture is taken as it is, nothing else is, whatever its name says, and the limit is exact to the
// byte.
import { mkdirSync, readFileSync } from 'node:fs'
import { maxLogoBytes, maxLogoSide } from '../../src/domain/stores.ts'
import { logoType } from '../../src/engine/accounts/stores.ts'
import { drawsOf, type Draws } from '../support/chance.ts'
import { deskOf, failedRows, type Desk } from '../support/imports.ts'
import { animated, extended, extension, jpeg, lossless, lossy, png, pngOfBytes, webpOf } from '../support/pictures.ts'
import { send, startService } from '../support/service.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

const makers = { png, jpeg, lossy, lossless, extended, animated } as const
type Form = keyof typeof makers
const forms = Object.keys(makers) as readonly Form[]
const typeOf = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  lossy: 'image/webp',
  lossless: 'image/webp',
  extended: 'image/webp',
  animated: 'image/webp',
}

/** A file that somebody gives for a logo: its type, or undefined where it is none that may be taken. */
interface Given {
  readonly what: string
  readonly bytes: Buffer
  readonly type: string | undefined
}

/** So many pictures of every form and of many sizes. */
const pictures = (count: number): readonly Given[] => {
  const { below } = drawsOf(27)
  return Array.from({ length: count }, (_, n) => {
    const form = forms[n % forms.length]!
    const side = (): number => (n % 7 === 0 ? maxLogoSide : 1 + below(maxLogoSide))
    return { what: form, bytes: makers[form](side(), side()), type: typeOf[form] }
  })
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Files of other kinds, and what is put before or behind a picture to make it two things at once. */
// prettier-ignore
const others = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>',
  '<!doctype html><script>alert(1)</script>', '%PDF-1.7\n',
  `GIF89a${'\x08\x00'.repeat(30)}`, `BM${'\0'.repeat(60)}`, `II*\0${'\0'.repeat(60)}`,
  `RIFF\x38\0\0\0WAVEfmt ${'\0'.repeat(48)}`, 'PK\x03\x04\x14\0',
  '\x7fELF\x02\x01\x01', '#!/bin/sh\nid\n', '<?php system($_GET[0]) ?>', '\0\0\0\x1cftypavif', '\0\0\x01\0\x01\0',
  'ID3\x04', '   ', '\0\0',
]

/** A copy with a byte at one of these places another than it was; `Q` is in no signature and no name. */
const spoilt = (bytes: Buffer, places: readonly number[], { pick }: Draws): Buffer => {
  const copy = Buffer.from(bytes)
  copy[pick(places)] = 0x51
  return copy
}

const from = (start: number, end: number): readonly number[] => Array.from({ length: end - start }, (_, n) => start + n)

/** Where a form has its signature and its names, and where only what a picture shows. */
const names: Readonly<Record<Form, (bytes: Buffer) => readonly number[]>> = {
  png: (bytes) => [...from(0, 8), ...from(12, 16), ...from(bytes.length - 8, bytes.length - 4)],
  jpeg: (bytes) => [0, 1, 2, bytes.length - 2, bytes.length - 1],
  lossy: () => [...from(0, 4), ...from(8, 16), 23, 24, 25],
  lossless: () => [...from(0, 4), ...from(8, 16), 20],
  extended: () => [...from(0, 4), ...from(8, 16), ...from(30, 34), 38],
  animated: () => [...from(0, 4), ...from(8, 16)],
}

const shows: Readonly<Record<Form, (bytes: Buffer) => readonly number[]>> = {
  png: (bytes) => from(41, bytes.length - 16),
  jpeg: (bytes) => from(30, 40).concat(from(bytes.length - 6, bytes.length - 2)),
  lossy: (bytes) => from(30, bytes.length),
  lossless: (bytes) => from(25, bytes.length),
  extended: (bytes) => from(43, bytes.length),
  // The second frame.
  animated: (bytes) => from(bytes.length - 9, bytes.length),
}

/** A length inside of a form that says too much. */
const lengths: Readonly<Record<Form, (bytes: Buffer, by: number) => void>> = {
  png: (bytes, by) => bytes.writeUInt32BE(bytes.readUInt32BE(33) + by, 33),
  jpeg: (bytes, by) => bytes.writeUInt16BE(bytes.length + by, 4),
  lossy: (bytes, by) => bytes.writeUInt32LE(bytes.length - 8 + by, 4),
  lossless: (bytes, by) => bytes.writeUInt32LE(bytes.length - 8 + by, 4),
  extended: (bytes, by) => bytes.writeUInt32LE(bytes.length - 8 + by, 4),
  animated: (bytes, by) => bytes.writeUInt32LE(bytes.length - 8 + by, 4),
}

/** A picture whose frame is whole and has no pixels. */
const bare: Readonly<Record<Form, (bytes: Buffer, draws: Draws) => Buffer>> = {
  png: (bytes) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt32BE(bytes.length - 45, 33)
    return copy
  },
  jpeg: (bytes, { pick }) => {
    const scan = bytes.lastIndexOf(Buffer.from([0xff, 0xda]))
    return Buffer.concat([bytes.subarray(0, scan + pick([0, 10])), bytes.subarray(-2)])
  },
  lossy: (bytes) => webpOf([...bytes.subarray(12, 16), 10, 0, 0, 0, ...bytes.subarray(20, 30)]),
  lossless: (bytes) => webpOf([...bytes.subarray(12, 16), 4, 0, 0, 0, ...bytes.subarray(20, 24)]),
  extended: (bytes, { pick }) =>
    webpOf([...bytes.subarray(12, 30)], ...pick([[], [[...Buffer.from('EXIF'), 2, 0, 0, 0, 1, 2]]])),
  animated: (_, { below }) =>
    webpOf(extension(1 + below(99), 1 + below(99)), [...Buffer.from('ANMF'), 16, 0, 0, 0, ...Buffer.alloc(16)]),
}

type Mutation = (form: Form, bytes: Buffer, draws: Draws) => Buffer

const counted: readonly Form[] = ['lossless', 'extended', 'animated']

/** What makes of a picture something that is none, or none that may be taken. */
const mutations: Readonly<Record<string, Mutation>> = {
  'cut off': (_, bytes, { below }) => bytes.subarray(0, below(bytes.length)),
  'something behind it': (_, bytes, { pick }) => Buffer.concat([bytes, latin(pick(others))]),
  'something before it': (_, bytes, { pick }) => Buffer.concat([latin(pick(others)), bytes]),
  'a name spoilt': (form, bytes, draws) => spoilt(bytes, names[form](bytes), draws),
  'no pixels': (form, bytes, draws) => bare[form](bytes, draws),
  'a wrong length': (form, bytes, { below }) => {
    const copy = Buffer.from(bytes)
    lengths[form](copy, 2 + below(30_000))
    return copy
  },
  // A lossless or extended WebP counts from 1, and cannot say 0.
  'no size': (form, _, { pick, below }) => {
    const [width, height] = pick([
      [0, 1 + below(99)],
      [1 + below(99), 0],
      [0, 0],
    ] as const)
    return makers[counted.includes(form) ? 'png' : form](width, height)
  },
  'too large a side': (form, _, { pick, below }) => {
    const [long, other] = [maxLogoSide + 1 + below(9000), 1 + below(maxLogoSide)]
    const [width, height] = pick([
      [long, other],
      [other, long],
    ] as const)
    return makers[form](width, height)
  },
  'the head of another': (form, bytes, { below }) => {
    const other = makers[forms[(forms.indexOf(form) + 1) % 3]!](8, 8)
    const at = 12 + below(8)
    return typeOf[form] === 'image/webp'
      ? Buffer.concat([png().subarray(0, at), bytes.subarray(at)])
      : Buffer.concat([other.subarray(0, at), bytes.subarray(at)])
  },
  'something else': (_, __, { pick, below }) => Buffer.concat([latin(pick(others)), Buffer.alloc(below(200), 0x20)]),
  noise: (_, __, { below }) => Buffer.from(Array.from({ length: below(300) }, () => below(256))),
}

/** So many mutants, each twelfth one changed only in what it shows: it stays a picture. */
function mutants(count: number): readonly Given[] {
  const draws = drawsOf(5000)
  const list = Object.entries(mutations)
  return Array.from({ length: count }, (_, n) => {
    const form = draws.pick(forms)
    const bytes = makers[form](1 + draws.below(maxLogoSide), 1 + draws.below(maxLogoSide))
    if (n % 12 === 11)
      return { what: `${form}, other pixels`, bytes: spoilt(bytes, shows[form](bytes), draws), type: typeOf[form] }
    const [what, mutation] = list[n % 12]!
    return { what: `${form}, ${what}`, bytes: mutation(form, bytes, draws), type: undefined }
  })
}

/** Files at the limit and a byte beyond it. */
const limits: readonly Given[] = [
  { what: 'a file of the limit', bytes: pngOfBytes(maxLogoBytes), type: 'image/png' },
  { what: 'a byte more than the limit', bytes: pngOfBytes(maxLogoBytes + 1), type: undefined },
]

/** What the engine's own check takes a file for. */
function takenFor(bytes: Buffer): string | undefined {
  try {
    return logoType({ bytes, name: 'logo.png' })
  } catch {
    return undefined
  }
}

/** What a sheet of stores and `stores create` take otherwise than they should, and pictures that come back changed. */
async function byCommand(desk: Desk, files: readonly Given[]): Promise<readonly string[]> {
  mkdirSync(desk.path('in'))
  files.forEach(({ bytes }, n) => desk.write(`in/${n}.png`, bytes))
  desk.write('stores.csv', `store_name,logo\n${files.map((_, n) => `s-${n},in/${n}.png\n`).join('')}`)
  await desk.run(['stores', 'import', 'stores.csv', '--yes', '--quiet'])
  const failed = new Set(failedRows(desk.path('stores.failed.csv')).map((row) => row['store_name']))
  const faults = files.flatMap(({ what, type }, n) =>
    failed.has(`s-${n}`) === (type === undefined)
      ? []
      : [`a sheet: ${what} is ${type === undefined ? 'taken' : 'refused'}`],
  )
  await desk.run(['stores', 'export', '--out', 'all.csv', '--logos', 'out'])
  const exported = failedRows(desk.path('all.csv'))
  for (const { store_name, logo } of exported) {
    const file = files[Number(store_name!.slice(2))]!
    if (!readFileSync(desk.path(logo!)).equals(file.bytes))
      faults.push(`a sheet: ${file.what} comes back with other bytes`)
  }
  if (exported.length !== files.length - failed.size) faults.push(`${exported.length} logos came back`)
  for (const [n, { what, type }] of limits.entries()) {
    const at = desk.write(`limit-${n}.png`, limits[n]!.bytes)
    const { exit } = await desk.run(['stores', 'create', '--name', `limit-${n}`, '--logo', at, '--yes'])
    if ((exit === 0) !== (type !== undefined)) faults.push(`stores create: ${what}: exit ${String(exit)}`)
  }
  return faults
}

/** The files that the service takes otherwise than it should, and pictures that it does not give back as they were. */
async function byHttp(files: readonly Given[]): Promise<readonly string[]> {
  const service = await startService()
  const faults: string[] = []
  try {
    const { key } = await service.keyFor('default')
    for (const [n, { what, bytes, type }] of files.entries()) {
      const body = new FormData()
      body.set('store_name', `s-${n}`)
      body.set('logo', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png')
      const { status, json } = await send(`${service.api}/client-stores`, { method: 'POST', key, body })
      if (status >= 500 || status < 300 !== (type !== undefined)) faults.push(`HTTP: ${what}: ${status}`)
      if (status >= 300 || type === undefined) continue
      const { logo_url } = (json as { readonly data: { readonly logo_url: string } }).data
      const given = await fetch(`${service.url}${logo_url}`, { headers: { authorization: key } })
      const same = bytes.equals(Buffer.from(await given.arrayBuffer()))
      if (!same || given.headers.get('content-type') !== type) faults.push(`HTTP: ${what} comes back as something else`)
    }
  } finally {
    await service.close()
  }
  return faults
}

/** R27: so many of 300 pictures and 5,000 mutants, and the limit. */
export const r27 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const good = pictures(share(size, 300, 15))
    const changed = mutants(share(size, 5000, 110))
    const files = [...good, ...changed, ...limits]
    const faults = files.flatMap(({ what, bytes, type }) => {
      const taken = takenFor(bytes)
      return taken === type ? [] : [`${what} is taken for ${taken ?? 'nothing'}`]
    })
    const desk = deskOf()
    try {
      faults.push(...(await byCommand(desk, files)))
    } finally {
      desk.clear()
    }
    faults.push(...(await byHttp(files)))
    return {
      row: 'R27',
      what: `${good.length} logos and ${changed.length.toLocaleString('en-IN')} mutants, each by the engine's check, in a sheet and over HTTP; a file of the limit and one of a byte more`,
      tried: files.length * 3 + limits.length,
      result: `${faults.length} taken or refused wrongly`,
      target: '0 non-images accepted, the limit exact to the byte',
      faults: summed(faults),
    }
  })
