// Whose document it is: the courier that a flag, a line or the parcels name, under the one spelling that is used here.
import { didYouMean } from '../../../domain/nearest.ts'
import { invalid } from '../../../domain/errors.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { billerOf, courierKey } from '../../../domain/money/policies.ts'
import { count } from '../../../domain/count.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { documentCouriers, parcelCouriers } from '../../../engine/money/couriers.ts'
import type { Context } from '../../command/context.ts'
import { folded } from '../../files/headers.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import type { InvoiceFile } from './invoicefile.ts'
import type { Matched } from './judging.ts'
import type { InvoiceOptions } from './options.ts'

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** What a name is looked up in. */
interface NamedIn {
  readonly place: BesidePlace | undefined
  /** The couriers of --parcels. */
  readonly given?: readonly string[]
  /** The couriers of the rate card; read where no document and no parcel has the name. */
  readonly ofCard: () => Promise<readonly string[]>
  /** Whether a name that nobody has may be kept. */
  readonly lenient: boolean
}

/** The spelling of a courier that kept documents have, else that of the parcels; undefined where neither has it. */
async function spelling(place: BesidePlace | undefined, name: string): Promise<Spelt> {
  if (place === undefined) return { found: undefined, known: [] }
  const { database, account } = place
  const kept = await database.read(() => documentCouriers(account), 'single')
  const own = kept.find((one) => same(one, name))
  if (own !== undefined) return { found: own, known: kept }
  const parcels = await database.read(() => parcelCouriers(database.dialect, account), 'single')
  const carried = parcels.find((one) => same(one.name, name)) ?? parcels.find(({ id }) => id === name)
  return { found: carried?.name, known: [...new Set([...kept, ...parcels.map((one) => one.name)])] }
}

interface Spelt {
  readonly found: string | undefined
  readonly known: readonly string[]
}

/** Whether the words of a name begin with those of another: `Blue Dart Express`, and not `Blue Dartt`. */
const beginsWith = (name: string, other: string): boolean => {
  const [words, first] = [name, other].map((text) => text.trim().toLowerCase().split(/\s+/)) as [string[], string[]]
  return first.every((word, at) => words[at] === word)
}

/** A courier as a document is kept under it. */
export const speltHere = async (place: BesidePlace, name: string): Promise<string> =>
  name === '' ? name : ((await spelling(place, name)).found ?? name)

/** The known couriers that have a text as a part of their name. */
function havingPart(known: readonly string[], name: string): readonly string[] {
  const wanted = folded(name)
  return wanted.length < 3 ? [] : known.filter((one) => folded(one).includes(wanted))
}

/** Whether --courier names the courier of a kept document: by its name in any case, by its id, or by a part of it. */
export async function isCourierOf(place: BesidePlace, known: string, name: string): Promise<boolean> {
  if (same(known, name)) return true
  if (known === '' || name.trim() === '') return false
  const spelt = await spelling(place, name)
  const [only, ...more] = spelt.found === undefined ? havingPart(spelt.known, name) : [spelt.found]
  return only !== undefined && more.length === 0 && same(only, known)
}

/**
 * The courier that --courier names, as it is spelt here; part of a name stands for the one courier that has it. Warns
 * of a name that no parcel, no card and no kept document has. Throws `invalid_input` where it looks misspelt and the
 * document is kept.
 */
export async function courierGiven(
  context: Context,
  name: string,
  { place, given = [], ofCard, lenient }: NamedIn,
): Promise<string> {
  if (name.trim() === '') return ''
  const spelt = await spelling(place, name)
  if (spelt.found !== undefined) return spelt.found
  const known = [...new Set([...spelt.known, ...given, ...(await ofCard())])]
  const own = known.find((one) => same(one, name))
  if (own !== undefined) return own
  const parts = havingPart(known, name)
  if (parts.length > 0) return parts.length === 1 ? parts[0]! : name
  if (known.length === 0 || known.some((one) => beginsWith(name, one))) return name
  const guess = didYouMean(
    name,
    known.map((one) => safe(one)),
  )
  const message = `no parcel, rate card or kept document has a courier called "${safe(name.slice(0, 60))}"`
  if (guess !== '' && !lenient)
    throw invalid([{ field: '--courier', message: `${message}${guess}` }], '--force keeps it under this name')
  await context.warn(`${message.replace(/^n/, 'N')}${guess === '' ? '.' : guess}`)
  return name
}

/** The couriers of matched parcels with how many each carried, the most first; one of another case is the same. */
export function carriersOf(
  matched: readonly { readonly parcel: Pick<KnownParcel, 'carrier_name'> | undefined }[],
): readonly (readonly [string, number])[] {
  const found = new Map<string, { readonly name: string; parcels: number }>()
  for (const { parcel } of matched) {
    const name = parcel?.carrier_name
    if (name == null) continue
    const key = name.toLowerCase()
    const known = found.get(key)
    if (known === undefined) found.set(key, { name, parcels: 1 })
    else known.parcels++
  }
  return [...found.values()].map(({ name, parcels }) => [name, parcels] as const).toSorted(([, a], [, b]) => b - a)
}

/** That the parcels of a file went with several couriers, and the flags that say whose it is. */
export function severalText(carriers: readonly (readonly [string, number])[]): string {
  const [first] = carriers
  const shown = carriers.slice(0, 3).map(([name, parcels]) => `${safe(name)} (${count(parcels)})`)
  const more = carriers.length - shown.length
  const names = `${shown.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
  return (
    `the file names no courier, and its parcels went with ${names}; say whose it is: ` +
    `--courier ${quoted(first![0])}, or --courier "" for a bill of several couriers`
  )
}

/**
 * The courier of all parcels of a file that names none. Throws `invalid_input` where several carried them and the file
 * is kept.
 */
export function carrierOf(matched: readonly Matched[], file: InvoiceFile, options: InvoiceOptions): string | undefined {
  if (!takesCarrier(file, options)) return undefined
  const carriers = carriersOf(matched)
  if (carriers.length > 1 && !options.dry_run) throw invalid([{ field: '--courier', message: severalText(carriers) }])
  return carriers.length === 1 ? carriers[0]![0] : undefined
}

/** The courier of a line: its parcel's, where the word of the line means that one; else the word, '' without one. */
const namedBy = (
  { line, parcel }: Pick<Matched, 'line' | 'parcel'>,
  { sameCourier }: Pick<Bench, 'sameCourier'>,
): string =>
  line.courier !== '' && parcel?.carrier_name != null && sameCourier(line.courier, parcel)
    ? parcel.carrier_name
    : line.courier

/** The couriers that lines name, two at most: a file that names several is a bill of no one courier. */
export function namedCouriers(bench: Pick<Bench, 'sameCourier'>) {
  const found = new Set<string>()
  return {
    add: (matched: Pick<Matched, 'line' | 'parcel'>): void => {
      if (found.size > 1) return
      const name = namedBy(matched, bench)
      if (name !== '') found.add(courierKey(name))
    },
    several: (): boolean => found.size > 1,
  }
}

/** Whose document it is, where neither a flag, the form nor the parcels say it: '' for one of several couriers. */
export function courierIn(
  matched: readonly Matched[],
  { courier }: Pick<InvoiceOptions, 'courier'>,
  bench: Pick<Bench, 'sameCourier'>,
): string {
  const named = namedCouriers(bench)
  for (const one of matched) named.add(one)
  return courier === '' || named.several() ? '' : matched[0]!.line.courier
}

/** Whether nothing but its parcels says whose document a file is; a platform bills for all of its couriers. */
export const takesCarrier = ({ places, name }: InvoiceFile, { courier }: InvoiceOptions): boolean =>
  courier === undefined && !places.has('courier') && billerOf(name, '') === ''

/** The courier of all parcels of a file that was read, where it names none itself. */
export const carriedBy = (
  { couriers }: { readonly couriers: ReadonlyMap<string, number> },
  file: InvoiceFile,
  options: InvoiceOptions,
): string | undefined => (takesCarrier(file, options) && couriers.size === 1 ? [...couriers.keys()][0] : undefined)
