// The number formats of a workbook that change what a cell means: dates, times, percent and leading zeros.
import { damaged, type Refuse } from './refusal.ts'
import { readXml } from './xml.ts'

/** How a number is shown; any other format changes only its looks. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'percent' }
  /** So many digits at least: 000000. */
  | { readonly kind: 'zeros'; readonly digits: number }

const plain: NumberFormat = { kind: 'plain' }

/** Styles at most; Excel has 65,490. */
const mostStyles = 100_000

/** The format of each style, by the style's number. Throws `invalid_file`. */
export async function readStyles(
  part: AsyncIterable<Buffer> | undefined,
  refuse: Refuse,
): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let ofCells = false
  if (part === undefined) return []
  await readXml(
    part,
    {
      open: (name, attributes) => {
        if (name === 'cellXfs') ofCells = true
        else if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
        else if (name === 'xf' && ofCells) ids.push(Number(attributes['numFmtId'] ?? 0))
        if (ids.length + codes.size > mostStyles) throw damaged(refuse, `it has more than ${mostStyles} styles`)
      },
      close: (name) => {
        if (name === 'cellXfs') ofCells = false
      },
    },
    refuse,
  )
  const known = new Map<number, NumberFormat>()
  return ids.map((id) => {
    const format = known.get(id) ?? formatOf(codes.get(id) ?? builtIn(id))
    known.set(id, format)
    return format
  })
}

/** The code of a format that every workbook has (ECMA-376 18.8.30); those of dates differ by language only. */
function builtIn(id: number): string {
  if (id === 9 || id === 10) return '0%'
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'd'
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) ? 'h:mm' : ''
}

/** What a format code makes of a number. */
export function formatOf(code: string): NumberFormat {
  const section = bareSection(code)
  if (/^0+$/.test(section)) return section.length === 1 ? plain : { kind: 'zeros', digits: section.length }
  if (/^general/i.test(section)) return plain
  if (/[yd]/i.test(section)) return { kind: 'date' }
  if (/[hs]/i.test(section)) return { kind: 'time' }
  // Without hours and seconds, m is the month.
  if (/m/i.test(section)) return { kind: 'date' }
  return section.includes('%') ? { kind: 'percent' } : plain
}

/**
 * The first section of a format code without texts in quotes, escaped signs, fillers, colours and currencies; elapsed
 * hours, minutes and seconds ([h]) stay.
 */
const bareSection = (code: string): string =>
  code
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(h+|m+|s+)\]/gi, 'h$1')
    .replace(/\[[^[\]]*\]/g, '')
    .split(';')[0]!
    .trim()
