// Flattens records to names with dots, and narrows records to some of their fields.

/** A value under a flat name. */
export type Flat = string | number | boolean | null

/** An object of a record. */
export type Dictionary = Readonly<Record<string, unknown>>

export const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A record under flat names: nested names joined with dots and without `attributes.` (kept where the short name is
 * taken); a list is one cell of compact JSON. A record that is not an object is under the name `value`.
 */
export function flatten(record: unknown): Map<string, Flat> {
  const flat = new Map<string, Flat>()
  const add = (name: string, value: unknown): void => {
    if (isDictionary(value)) addAll(name === '' ? '' : `${name}.`, value)
    else if (value !== undefined) flat.set(name === '' ? 'value' : name, scalar(value))
  }
  const addAll = (prefix: string, object: Dictionary): void => {
    for (const [key, value] of Object.entries(object)) {
      if (key !== 'attributes' || !isDictionary(value)) add(prefix + key, value)
      else for (const [name, inner] of Object.entries(value)) add(attributeName(prefix, name, object), inner)
    }
  }
  add('', record)
  return flat
}

const attributeName = (prefix: string, name: string, owner: Dictionary): string =>
  Object.hasOwn(owner, name) ? `${prefix}attributes.${name}` : prefix + name

/** A value as one cell. */
export function scalar(value: unknown): Flat {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return JSON.stringify(value) ?? null
}

/** The flat names of all records, in the order first seen. */
export function flatNames(records: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  for (const record of records) for (const name of flatten(record).keys()) names.add(name)
  return [...names]
}

type Path = readonly string[]

const pathOf = (field: string): Path => field.trim().split('.')

/**
 * Each path that leads through a key of an object, without that key; short names lead through `attributes` too. A key
 * that has dots itself, such as a column of SQL, is named whole.
 */
function pathsThrough(key: string, object: Dictionary, paths: readonly Path[]): readonly Path[] {
  if (key.includes('.')) return paths.filter((path) => path.join('.') === key).map(() => [])
  const direct = paths.filter((path) => path[0] === key).map((path) => path.slice(1))
  if (key !== 'attributes') return direct
  return [...direct, ...paths.filter((path) => path[0] !== undefined && !Object.hasOwn(object, path[0]))]
}

function narrow(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => narrow(item, paths))
    return items.some((item) => item !== undefined) ? items.map((item) => item ?? {}) : undefined
  }
  if (!isDictionary(value)) return undefined
  const kept: [string, unknown][] = []
  for (const [key, child] of Object.entries(value)) {
    const inner = pathsThrough(key, value, paths)
    const narrowed = inner.length === 0 ? undefined : narrow(child, inner)
    if (narrowed !== undefined) kept.push([key, narrowed])
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/**
 * A record with only the named fields (`awb,order.id`; `attributes.` is optional), nested and ordered as in the record.
 * A field inside a list narrows each of its items. Ignores a field that the record lacks.
 */
export function pick(record: unknown, fields: readonly string[]): unknown {
  return narrow(record, fields.map(pathOf)) ?? {}
}

/** The fields that no record has; empty when there are no records. */
export function unknownFields(records: readonly unknown[], fields: readonly string[]): readonly string[] {
  if (records.length === 0) return []
  return fields.filter((field) => {
    const paths = [pathOf(field)]
    return records.every((record) => narrow(record, paths) === undefined)
  })
}
