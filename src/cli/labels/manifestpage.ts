// The pages of a manifest: A4 sheets with a row for each parcel, and a box for the signature on the last one.
import { hasBarcode } from '../../domain/labels/code128.ts'
import { totalsOf, type Manifest, type ManifestLine } from '../../domain/labels/manifest.ts'
import { count, counted } from '../../domain/count.ts'
import { fitted, type Place } from './fitting.ts'
import { labelMoney, weightText } from './labelpage.ts'
import { barcodeAt, dpi, moduleFor, rule, textAt, type Mark, type Page } from './marks.ts'
import type { Typesetter } from './typesetter.ts'

const mm = (length: number): number => Math.round((length / 25.4) * dpi)

/** A4, its margin, and the places on it, in dots. */
const [width, height, edge] = [mm(210), mm(297), mm(12)]
const inner = width - 2 * edge
const top = mm(52)
const rowHeight = mm(13)
const signatureHeight = mm(52)
const lowest = height - edge - 30

/** The columns: where each begins, in parts of the width, and whether its texts end at the right. */
const columns = [
  { title: '#', from: 0, to: 0.05 },
  { title: 'AWB', from: 0.06, to: 0.5 },
  { title: 'Order', from: 0.51, to: 0.7 },
  { title: 'Pieces', from: 0.7, to: 0.77, right: true },
  { title: 'Weight', from: 0.78, to: 0.87, right: true },
  { title: 'COD', from: 0.88, to: 1, right: true },
] as const

const placeOf = (at: number): { readonly x: number; readonly width: number } => {
  const { from, to } = columns[at]!
  return { x: edge + Math.round(from * inner), width: Math.round((to - from) * inner) }
}

/** Draws texts at places. */
type Put = (text: string, x: number, y: number, place: Place, align?: 'left' | 'right') => readonly Mark[]

const putter =
  (set: Typesetter): Put =>
  (text, x, y, place, align = 'left') =>
    textAt(fitted(set, text, place), x, y, { width: place.width, align })

/** Rows on a page that also has the signature, and on one that has not. */
const rowsWith = Math.floor((lowest - signatureHeight - top) / rowHeight)
const rowsWithout = Math.floor((lowest - top) / rowHeight)

/** The lines of each page: the last one leaves the place of the signature. */
function pagesOf(lines: readonly ManifestLine[]): readonly (readonly ManifestLine[])[] {
  const pages: (readonly ManifestLine[])[] = []
  let from = 0
  while (lines.length - from > rowsWith) {
    const taken = Math.min(rowsWithout, lines.length - from)
    pages.push(lines.slice(from, from + taken))
    from += taken
  }
  return [...pages, lines.slice(from)]
}

function head(put: Put, { courier, warehouse, day, number }: Manifest, printed: string, page: string): readonly Mark[] {
  const half = inner / 2
  return [
    ...put('Pickup manifest', edge, edge, { width: half, size: 52, least: 30, lines: 1, bold: true }),
    ...put(number, edge + half, edge + 12, { width: half, size: 34, least: 16, lines: 1, bold: true }, 'right'),
    ...put(`Courier: ${courier}`, edge, edge + 80, { width: half, size: 34, least: 18, lines: 1 }),
    ...put(`Warehouse: ${warehouse}`, edge, edge + 126, { width: inner * 0.7, size: 30, least: 18, lines: 2 }),
    ...put(`Date: ${day}`, edge + half, edge + 80, { width: half, size: 34, least: 18, lines: 1 }, 'right'),
    ...put(`Printed ${printed}`, edge, lowest + 6, { width: half, size: 20, least: 16, lines: 1 }),
    ...put(page, edge + half, lowest + 6, { width: half, size: 20, least: 16, lines: 1 }, 'right'),
    ...columns.flatMap(({ title, ...column }, at) => {
      const { x, width: wide } = placeOf(at)
      const place = { width: wide, size: 24, least: 16, lines: 1, bold: true }
      return put(title, x, top - 38, place, 'right' in column ? 'right' : 'left')
    }),
    rule(edge, top - 6, inner, 3),
  ]
}

function row(put: Put, line: ManifestLine, n: number, y: number): readonly Mark[] {
  const cells = [
    count(n),
    '',
    line.order ?? '-',
    count(line.pieces),
    line.weight === null ? '-' : weightText(line.weight),
    line.collect > 0 ? labelMoney(line.collect) : '-',
  ]
  const { x, width: wide } = placeOf(1)
  const module = hasBarcode(line.awb) ? moduleFor(line.awb, wide, 3) : undefined
  const bars = module === undefined ? [] : [{ ...barcodeAt(line.awb, module, x, y + 8, wide, 46), x }]
  const struck = line.handed === false
  return [
    ...bars,
    ...put(line.awb, x, y + 60, { width: wide, size: 24, least: 14, lines: 1 }),
    ...cells.flatMap((text, at) => {
      const place = { width: placeOf(at).width, size: 24, least: 12, lines: at === 2 ? 2 : 1 }
      return text === '' ? [] : put(text, placeOf(at).x, y + 30, place, 'right' in columns[at]! ? 'right' : 'left')
    }),
    ...(struck ? [rule(edge, y + 44, inner, 4), ...notHanded(put, y)] : []),
    rule(edge, y + rowHeight - 6, inner, 1),
  ]
}

const notHanded = (put: Put, y: number): readonly Mark[] =>
  put('NOT HANDED OVER', placeOf(2).x, y + 64, { width: inner * 0.3, size: 24, least: 16, lines: 1, bold: true })

/** The sums, and where the pickup executive signs. */
function signature(put: Put, manifest: Manifest): readonly Mark[] {
  const y = lowest - signatureHeight
  const { parcels, pieces, weight, collect, struck } = totalsOf(manifest)
  const sums = [
    counted(parcels, ['parcel', 'parcels']),
    counted(pieces, ['piece', 'pieces']),
    weightText(weight),
    `COD ${labelMoney(collect)}`,
    ...(struck > 0 ? [`${count(struck)} struck out: not handed over`] : []),
  ].join('  ·  ')
  const [half, gap] = [Math.round(inner / 2), 60]
  const fields = [
    ['Name of the pickup executive', edge + 20, y + 130],
    ['Phone', edge + half, y + 130],
    ['Date and time', edge + 20, y + 250],
    ['Signature', edge + half, y + 250],
  ] as const
  return [
    ...put(`Total: ${sums}`, edge, y + 10, { width: inner, size: 32, least: 18, lines: 1, bold: true }),
    { kind: 'frame', x: edge, y: y + 60, w: inner, h: signatureHeight - 76, thick: 3 },
    ...fields.flatMap(([title, x, at]): readonly Mark[] => [
      ...put(title, x, at + 8, { width: half - gap, size: 22, least: 16, lines: 1 }),
      rule(x, at, half - gap, 2),
    ]),
  ]
}

/** The pages of a manifest; the fonts of its texts are ready. */
export function drawManifest(set: Typesetter, manifest: Manifest, printed: string): readonly Page[] {
  const put = putter(set)
  const pages = pagesOf(manifest.lines)
  let n = 0
  return pages.map((lines, i) => ({
    width,
    height,
    marks: [
      ...head(put, manifest, printed, `${count(i + 1)} of ${count(pages.length)}`),
      ...lines.flatMap((line, at) => row(put, line, ++n, top + at * rowHeight)),
      ...(i === pages.length - 1 ? signature(put, manifest) : []),
    ],
  }))
}
