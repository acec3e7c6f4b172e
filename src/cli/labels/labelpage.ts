// The page of a label: where what it says is drawn. The upper part and the foot have their places; the items get what
// is left.
import type { Label, Party } from '../../domain/labels/label.ts'
import { hasBarcode } from '../../domain/labels/code128.ts'
import { counted } from '../../domain/count.ts'
import { groupedDigits, rupeesText } from '../../domain/money.ts'
import { fitted, type Fitted, type Place } from './fitting.ts'
import { barcodeAt, heightOf, moduleFor, rule, textAt, type Mark, type Page } from './marks.ts'
import type { Typesetter } from './typesetter.ts'

/** The labels of a run: what they leave out, and what each says about the run. */
export interface LabelRun {
  readonly width: number
  readonly height: number
  readonly phone: boolean
  /** The time of printing, as it is shown. */
  readonly printed: string
  readonly pages: number
}

/** A page of a label, and what people must know of it. */
export interface DrawnLabel extends Page {
  /** A text was cut. */
  readonly cut: boolean
  /** The bars of the AWB are narrower than scanners take for sure. */
  readonly narrow: boolean
}

/** The margin of a label, dots. */
const edge = 16

/** Rupees as a label says them: every printer has these letters. */
export const labelMoney = (paise: number): string => {
  const [whole, rest] = rupeesText(paise).split('.') as [string, string]
  return `Rs ${groupedDigits(whole)}.${rest}`
}

/** What draws one label, from the top to the foot. */
interface Pen {
  readonly set: Typesetter
  readonly run: LabelRun
  readonly marks: Mark[]
  cut: boolean
}

/** Draws a text and returns its height. */
function put(
  pen: Pen,
  text: string | null,
  x: number,
  y: number,
  place: Place,
  more: Parameters<typeof textAt>[3] = {},
): number {
  if (text === null || text === '') return 0
  const fit: Fitted = fitted(pen.set, text, place)
  pen.cut ||= fit.cut
  pen.marks.push(...textAt(fit, x, y, { width: place.width, ...more }))
  return heightOf(fit)
}

/** The courier, and the code by which its hub sorts. Returns where the next part begins. */
function head(pen: Pen, { courier, service, routing }: Label): number {
  const { width } = pen.run
  const half = Math.round(width * 0.58)
  put(pen, courier, edge, 18, { width: half - edge, size: 44, least: 22, lines: service === null ? 2 : 1, bold: true })
  put(pen, service, edge, 70, { width: half - edge, size: 24, least: 18, lines: 1 })
  put(
    pen,
    routing,
    half,
    22,
    { width: width - half - edge, size: 56, least: 24, lines: 1, bold: true },
    { align: 'right' },
  )
  pen.marks.push(rule(edge, 102, width - 2 * edge))
  return 112
}

/** The barcode of the AWB with its digits; whether its bars are narrow. */
function awb(pen: Pen, { awb: text }: Label, y: number): boolean {
  const { width } = pen.run
  const module = moduleFor(text, width)
  if (module === undefined) return false
  pen.marks.push(barcodeAt(text, module, 0, y + 4, width, 168))
  put(
    pen,
    text,
    edge,
    y + 178,
    { width: width - 2 * edge, size: 34, least: 18, lines: 1, bold: true },
    { align: 'middle' },
  )
  return module < 3
}

/** What to collect, in letters that nobody overlooks. */
function payment(pen: Pen, { collect, value }: Label, y: number): void {
  const { width } = pen.run
  const [w, h] = [width - 2 * edge, 84]
  pen.marks.push(collect > 0 ? { kind: 'filled', x: edge, y, w, h } : { kind: 'frame', x: edge, y, w, h, thick: 3 })
  const white = collect > 0
  const text = collect > 0 ? `COLLECT ${labelMoney(collect)}` : 'PREPAID'
  put(pen, text, edge + 16, y + 17, { width: w * 0.72, size: 52, least: 30, lines: 1, bold: true }, { white })
  const rest = collect > 0 ? 'Cash on delivery' : 'Collect nothing'
  const at = edge + Math.round(w * 0.74)
  put(pen, rest, at, y + 16, { width: w * 0.26 - 12, size: 22, least: 14, lines: 1 }, { white, align: 'right' })
  const worth = value === null ? null : `Value ${labelMoney(value)}`
  put(pen, worth, at, y + 46, { width: w * 0.26 - 12, size: 22, least: 14, lines: 1 }, { white, align: 'right' })
}

const joined = (parts: readonly (string | null)[], between = ', '): string =>
  parts.filter((part) => part !== null && part !== '').join(between)

/** The customer: where the rider goes. Returns where the next part begins. */
function customer(pen: Pen, { to }: Label, top: number): number {
  const { width, phone } = pen.run
  const all = width - 2 * edge
  let y = top
  put(pen, 'To', edge, y, { width: 60, size: 22, least: 22, lines: 1 })
  y += put(pen, to.name, edge + 48, y - 6, { width: all - 48, size: 38, least: 22, lines: 2, bold: true })
  y += put(pen, to.street, edge, y, { width: all, size: 28, least: 18, lines: 5 })
  y += put(pen, to.landmark === null ? null : `Landmark: ${to.landmark}`, edge, y, {
    width: all,
    size: 24,
    least: 18,
    lines: 2,
  })
  const right = Math.round(all * 0.34)
  const bottom = Math.max(y, top + 186)
  put(
    pen,
    to.pincode,
    width - edge - right,
    bottom,
    { width: right, size: 68, least: 40, lines: 1, bold: true },
    { align: 'right' },
  )
  const left = { width: all - right - 12, size: 30, least: 18, lines: 1, bold: true }
  put(pen, joined([to.city, to.state]), edge, bottom, left)
  if (phone && to.phone !== null) put(pen, `Phone ${to.phone}`, edge, bottom + 38, { ...left, bold: false })
  return bottom + 76
}

/** The order with its barcode where it can be one, and the invoice. */
function order(pen: Pen, { order: number, invoice }: Label, y: number): number {
  const { width } = pen.run
  const half = Math.round(width * 0.56)
  pen.marks.push(rule(edge, y, width - 2 * edge))
  const module = number !== null && hasBarcode(number) ? moduleFor(number, half, 3) : undefined
  if (number !== null && module !== undefined) pen.marks.push(barcodeAt(number, module, 0, y + 12, half, 58))
  const x = module === undefined ? edge : half
  const place = { width: width - edge - x, size: 26, least: 16, lines: invoice === null ? 2 : 1 }
  put(pen, number === null ? null : `Order ${number}`, x, y + 12, { ...place, bold: true })
  if (invoice !== null)
    put(pen, joined([`Invoice ${invoice.number}`, invoice.date]), x, y + 44, { ...place, size: 22, lines: 1 })
  return y + 82
}

/** What an item says: its SKU, how many, and what tax asks for. */
function itemText({ sku, name, units, hsn, tax, price }: Label['items'][number]): string {
  const what = joined([sku, name === sku ? null : name], ' ')
  const more = joined([
    hsn === null ? null : `HSN ${hsn}`,
    price === null ? null : labelMoney(price),
    tax === null ? null : `tax ${labelMoney(tax)}`,
  ])
  return `${units} x ${what === '' ? 'item' : what}${more === '' ? '' : ` (${more})`}`
}

/** Items, as many as there is place for; what is left is counted. */
function items(pen: Pen, label: Label, top: number, bottom: number): void {
  const { width } = pen.run
  const all = width - 2 * edge
  const [size, line] = [22, 27]
  pen.marks.push(rule(edge, top, all))
  const measures = joined(
    [
      label.weight === null ? null : `${label.charged ? 'Charged weight' : 'Weight'} ${weightText(label.weight)}`,
      label.sides === null ? null : `${label.sides.join(' x ')} cm`,
      label.items.length === 0 ? null : counted(unitsOf(label), ['piece', 'pieces']),
    ],
    '  ·  ',
  )
  let y = top + 10
  y += put(pen, measures, edge, y, { width: all, size: 24, least: 16, lines: 1, bold: true })
  const place = Math.floor((bottom - y - 4) / line)
  const shown = label.items.length > place ? label.items.slice(0, Math.max(0, place - 1)) : label.items
  for (const item of shown) {
    put(pen, itemText(item), edge, y, { width: all, size, least: 16, lines: 1 })
    y += line
  }
  const rest = label.items.slice(shown.length)
  if (rest.length > 0)
    put(
      pen,
      `+ ${counted(rest.length, ['more item', 'more items'])}, ${counted(sumUnits(rest), ['piece', 'pieces'])}`,
      edge,
      y,
      { width: all, size, least: 16, lines: 1 },
    )
}

const sumUnits = (all: Label['items']): number => all.reduce((sum, { units }) => sum + units, 0)
const unitsOf = ({ items: all }: Label): number => sumUnits(all)

export const weightText = (grams: number): string =>
  grams < 1000 ? `${Math.round(grams)} g` : `${String(Math.round(grams) / 1000)} kg`

const placeText = (party: Party): string =>
  joined([
    party.name,
    party.street,
    party.landmark,
    joined([joined([party.city, party.state]), party.pincode], ' '),
    party.phone === null ? null : `Phone ${party.phone}`,
  ])

/** The seller, and where the parcel goes when nobody takes it. Drawn upwards from the foot; returns where it begins. */
function foot(pen: Pen, label: Label, page: number): number {
  const { width, height, printed, pages } = pen.run
  const all = width - 2 * edge
  const { seller, back, from } = label
  const last = height - edge - 20
  const small = { width: all / 2, size: 18, least: 14, lines: 1 }
  put(pen, `Printed ${printed}`, edge, last, small)
  put(pen, `${page} of ${pages}`, edge + all / 2, last, small, { align: 'right' })
  const sold = joined([
    seller.name === null ? null : `Sold by ${seller.name}`,
    seller.gstin === null ? null : `GSTIN ${seller.gstin}`,
    from === null ? null : `Sent from ${placeText(from)}`,
  ])
  const parts: readonly (readonly [string, boolean])[] = [
    ...(back === null ? [] : [[`If undelivered, return to: ${placeText(back)}`, false] as const]),
    ...(sold === '' ? [] : [[sold, false] as const]),
  ]
  let y = last - 6
  for (const [text, bold] of parts) {
    const fit = fitted(pen.set, text, { width: all, size: 22, least: 16, lines: 4, bold })
    pen.cut ||= fit.cut
    y -= heightOf(fit)
    pen.marks.push(...textAt(fit, edge, y))
    y -= 4
  }
  pen.marks.push(rule(edge, y - 6, all))
  return y - 8
}

/** The texts of a label, whose fonts must be ready. */
export const textsOf = ({
  courier,
  service,
  to,
  items: all,
  seller,
  from,
  back,
  order: number,
}: Label): readonly (string | null)[] => [
  courier,
  service,
  number,
  seller.name,
  ...[to, from, back].flatMap((party) =>
    party === null ? [] : [party.name, party.street, party.landmark, party.city, party.state],
  ),
  ...all.flatMap(({ sku, name }) => [sku, name]),
]

/** Whether the barcode of an AWB fits on a label at all. */
export const fitsLabel = (awbText: string, width: number): boolean => moduleFor(awbText, width) !== undefined

/** Draws a label; its fonts are ready and its AWB fits. `page` counts from 1. */
export function drawLabel(set: Typesetter, label: Label, run: LabelRun, page: number): DrawnLabel {
  const pen: Pen = { set, run, marks: [], cut: false }
  let y = head(pen, label)
  const narrow = awb(pen, label, y)
  y += 226
  payment(pen, label, y)
  y = customer(pen, label, y + 104)
  y = order(pen, label, y)
  items(pen, label, y, foot(pen, label, page))
  return { width: run.width, height: run.height, marks: pen.marks, cut: pen.cut, narrow }
}
