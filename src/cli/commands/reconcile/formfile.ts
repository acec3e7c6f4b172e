// A file of couriers or banks, opened by its header: the forms that fit, the one that is meant, or why it is none.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import type { Context } from '../../command/context.ts'
import { folded, meaningOf, type SheetColumn } from '../../files/headers.ts'
import { shownHeaders } from '../../files/shownheaders.ts'
import { openMapped, type Maps } from '../../files/mapped.ts'
import type { Sheet } from '../../files/sheet.ts'

/** A form as far as headers tell it. */
export interface Signed {
  readonly name: string
  readonly title: string
  /** A file with all headers of one of these lists has the form. */
  readonly signs: readonly (readonly string[])[]
}

/** The first list of signs that are all among headers; undefined where none is. */
const signsIn = ({ signs }: Pick<Signed, 'signs'>, there: ReadonlySet<string>): readonly string[] | undefined =>
  signs.find((list) => list.every((sign) => there.has(folded(sign))))

/** The forms whose signs are among headers. */
export function formsAmong<F extends Pick<Signed, 'signs'>>(
  forms: readonly F[],
  headers: readonly string[],
): readonly F[] {
  const there = new Set(headers.map(folded))
  return forms.filter((form) => signsIn(form, there) !== undefined)
}

/** What kind of file is wanted. */
export interface Wanted {
  /** The flag or argument that names the file, and the file. */
  readonly field: string
  readonly path: string
  readonly sheet: string | undefined
  readonly maps: Maps
  readonly columns: readonly SheetColumn[]
  /** `no invoice`. */
  readonly nothing: string
  /** Where to look. */
  readonly wayOut: string
  /** Whether a row of a sheet is the header of such a file. */
  readonly meant: (headers: readonly string[]) => boolean
  /** Whether a form of a courier or bank reads these headers. */
  readonly formed: (headers: readonly string[]) => boolean
  /** Why a file with these headers is refused by name. */
  readonly refused: (headers: readonly string[]) => string | undefined
}

/** The error of a file that is none of the wanted kind. A reason that ends with its command has no other way out. */
export function noSuchForm({ nothing, wayOut }: Pick<Wanted, 'nothing' | 'wayOut'>, why: string, cause?: unknown) {
  const at = why.lastIndexOf(': shipx ')
  const otherSheets = cause instanceof ShipxError ? cause.hint : undefined
  return new ShipxError('unknown_form', `this is ${nothing} that shipx knows: ${at < 0 ? why : why.slice(0, at)}`, {
    hint: at < 0 ? [otherSheets, wayOut].filter(Boolean).join('; ') : why.slice(at + 2),
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Opens a file. Throws `unknown_form` for one of another kind, and as `openMapped`. */
export async function openFormed({ io }: Pick<Context, 'io'>, wanted: Wanted): Promise<Sheet> {
  const { path, field, columns, sheet: named, maps, meant, formed, refused } = wanted
  let why: string | undefined
  return openMapped(
    io,
    {
      path,
      field,
      columns,
      sheet: named,
      meant,
      keepTotals: true,
      apart: (headers) => refused(headers) === undefined && formed(headers),
      otherwise: (headers, lacking) => {
        why = refused(headers) ?? (lacking ? `its header has no AWB column: ${shownHeaders(headers)}` : undefined)
        return why
      },
    },
    maps,
  ).catch((error: unknown) => {
    if (why === undefined || !(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
    throw noSuchForm(wanted, why, error)
  })
}

/**
 * The form of an open sheet: the one that `named` names, else the one that fits; undefined where none does. Throws
 * `unknown_form` where the named one does not fit, and `invalid_input` where two do.
 */
export function chosenForm<F extends Signed>(
  { headers }: Sheet,
  forms: readonly F[],
  named: string | undefined,
  { wayOut, flag = '--format' }: { readonly wayOut: string; readonly flag?: string },
): F | undefined {
  if (named !== undefined) {
    const form = forms.find(({ name }) => name === named)!
    const there = new Set(headers.map(folded))
    if (signsIn(form, there) !== undefined) return form
    const missing = form.signs[0]!.filter((sign) => !there.has(folded(sign)))
    const message = `the file is not ${form.title}: its header lacks ${missing.join(', ')}`
    throw new ShipxError('unknown_form', message, { hint: wayOut })
  }
  const fitting = formsAmong(forms, headers)
  if (fitting.length < 2) return fitting[0]
  const message = `the header fits ${fitting.map(({ title }) => title).join(' and ')}`
  throw invalid([{ field: flag, message: `${message}; say which: ${fitting.map(({ name }) => name).join(', ')}` }])
}

/** The field of each header: as --map says it, else by its own name. */
export function fieldsOf<F extends string>(
  headers: readonly string[],
  { map }: Maps,
  own: ReadonlyMap<string, F>,
): readonly (F | string | undefined)[] {
  const mapped = new Map(
    map.map((pair) => [pair.slice(0, pair.lastIndexOf('=')).trim(), pair.slice(pair.lastIndexOf('=') + 1).trim()]),
  )
  return headers.map((header) => mapped.get(header) ?? meaningOf(own, header))
}

/** Our columns by every name that they have, folded. */
export const namesOf = <F extends string>(
  columns: readonly { readonly name: F; readonly aliases?: readonly string[]; readonly weaker?: readonly string[] }[],
): ReadonlyMap<string, F> =>
  new Map(
    columns.flatMap(({ name, aliases = [], weaker = [] }) =>
      [name, ...aliases, ...weaker].map((header) => [folded(header), name] as const),
    ),
  )

/** The column of each field of an open sheet: those of our names and maps, then those of its form. */
export function placesOf<F extends string>(
  sheet: Sheet,
  columns: Readonly<Record<string, F>> | undefined,
): ReadonlyMap<F, number> {
  const places = new Map<F, number>([...sheet.places].map(([name, at]) => [name as F, at]))
  if (columns === undefined) return places
  const fields = new Map(Object.entries(columns).map(([header, field]) => [folded(header), field]))
  const taken = new Set(places.values())
  for (const [at, header] of sheet.headers.entries()) {
    const field = fields.get(folded(header))
    if (field !== undefined && !places.has(field) && !taken.has(at)) places.set(field, at)
  }
  return places
}

/** Headers that nothing reads and no flag leaves out. */
export function unreadIn({ unknown }: Sheet, { ignore }: Maps): readonly string[] {
  const left = new Set(ignore.map(folded))
  return unknown.filter((header) => header.trim() !== '' && !left.has(folded(header)))
}
