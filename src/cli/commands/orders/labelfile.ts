// Writes labels into one file: PDF, one or four on a sheet, or ZPL.
import { skuKey, type Label } from '../../../domain/labels/label.ts'
import { drawLabel, textsOf, type DrawnLabel, type LabelRun } from '../../labels/labelpage.ts'
import type { LabelSpool } from '../../labels/labelspool.ts'
import { dpi } from '../../labels/marks.ts'
import { pdfFile, type Sheet } from '../../labels/pdffile.ts'
import { typesetter } from '../../labels/typesetter.ts'
import { zplOf } from '../../labels/zplfile.ts'

/** The papers that labels go on. */
export const sizes = ['4x6', 'a4'] as const
export type Size = (typeof sizes)[number]

/** A sheet of each paper: its size in dots, that of a label on it, and where labels lie. */
interface Paper {
  readonly width: number
  readonly height: number
  readonly label: readonly [width: number, height: number]
  readonly places: readonly (readonly [x: number, y: number])[]
}

const mm = (length: number): number => Math.round((length / 25.4) * dpi)
const [a4Width, a4Height, margin] = [mm(210), mm(297), mm(2)]
const [half, middle] = [Math.floor(a4Width / 2), Math.floor(a4Height / 2)]

export const papers: Readonly<Record<Size, Paper>> = {
  '4x6': { width: 4 * dpi, height: 6 * dpi, label: [4 * dpi, 6 * dpi], places: [[0, 0]] },
  a4: {
    width: a4Width,
    height: a4Height,
    label: [half - 2 * margin, middle - 2 * margin],
    places: [
      [margin, margin],
      [half + margin, margin],
      [margin, middle + margin],
      [half + margin, middle + margin],
    ],
  },
}

/** The orders in which labels are printed. */
export const sorts = ['sku', 'order'] as const

/** How a file of labels is to be. */
export interface LabelForm {
  readonly size: Size
  readonly zpl: boolean
  readonly sort: (typeof sorts)[number] | undefined
  readonly hidePhone: boolean
  /** The time of printing, as it is shown, and in ms UTC. */
  readonly printed: string
  readonly now: number
  readonly version: string
}

/** What was drawn, for those who must know of it. */
export interface Drawn {
  readonly labels: number
  readonly cut: number
  readonly narrow: number
  readonly boxed: number
}

/** Couriers one after the other, then what a packer picks: what a label is sorted by. */
function keyOf(label: Label, sort: LabelForm['sort']): string {
  if (sort === undefined) return ''
  const name = label.order ?? label.awb
  return [label.courier ?? '', ...(sort === 'sku' ? [skuKey(label)] : []), name].join('\u0000')
}

/** The places of a spool in the order of printing. */
function printOrder(spool: LabelSpool, sort: LabelForm['sort']): readonly number[] {
  const places = Array.from({ length: spool.count() }, (_, place) => place)
  if (sort === undefined) return places
  const { compare } = new Intl.Collator('en', { numeric: true })
  const keys = places.map((place) => keyOf(spool.at(place), sort))
  return places.toSorted((a, b) => compare(keys[a]!, keys[b]!) || a - b)
}

/** Draws all labels of a spool, and writes them as they come. */
export async function writeLabels(
  spool: LabelSpool,
  form: LabelForm,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Drawn> {
  const paper = papers[form.zpl ? '4x6' : form.size]
  const run: LabelRun = {
    width: paper.label[0],
    height: paper.label[1],
    phone: !form.hidePhone,
    printed: form.printed,
    pages: spool.count(),
  }
  const set = typesetter()
  let [labels, cut, narrow] = [0, 0, 0]
  const out = form.zpl ? zplOut(write) : pdfOut(write, paper, form)
  for (const place of printOrder(spool, form.sort)) {
    const label = spool.at(place)
    await set.ready(textsOf(label))
    const drawn = drawLabel(set, label, run, ++labels)
    if (drawn.cut) cut++
    if (drawn.narrow) narrow++
    await out.add(drawn)
  }
  await out.end()
  return { labels, cut, narrow, boxed: set.boxed() }
}

/** Where drawn labels go. */
interface LabelsOut {
  readonly add: (label: DrawnLabel) => Promise<void>
  readonly end: () => Promise<void>
}

const zplOut = (write: (bytes: Uint8Array) => Promise<void>): LabelsOut => ({
  add: (label) => write(Buffer.from(zplOf(label))),
  end: async () => undefined,
})

function pdfOut(write: (bytes: Uint8Array) => Promise<void>, paper: Paper, { version, now }: LabelForm): LabelsOut {
  const pdf = pdfFile(write, { title: 'Labels', producer: `shipx ${version}`, created: now })
  let pages: Sheet['pages'][number][] = []
  const close = async (): Promise<void> => {
    if (pages.length > 0) await pdf.sheet({ width: paper.width, height: paper.height, pages })
    pages = []
  }
  return {
    add: async (page) => {
      const [x, y] = paper.places[pages.length]!
      pages.push({ page, x, y })
      if (pages.length === paper.places.length) await close()
    },
    end: async () => {
      await close()
      await pdf.end()
    },
  }
}
