// Reads the values of a sheet's columns from records, by the flat names of `flatten`.
import { isDictionary, scalar, type Dictionary, type Flat } from './flat.ts'

/** The values of a record in the order of the columns, null where it has none. */
export interface FlatCells {
  readonly cells: readonly Flat[]
  /** Whether the record has a value that no column shows. */
  readonly more: boolean
}

/** A place in records: the flat name of what is there, and its column. */
interface Place {
  readonly name: string
  /** The number of the column; -1 without one. */
  readonly column: number
  /** Whether no column shows what is here, or what is in it: where one does, null here means no object. */
  readonly hidden: boolean
  readonly below: Map<string, Place>
}

/** Places that are remembered: records with ever new names must not fill the memory. */
const mostPlaces = 10_000

/** Whether a name only means a missing object (`carrier` where the header has `carrier.id`). */
export const nested = (name: string, names: readonly string[]): boolean =>
  names.some((other) => other.startsWith(`${name}.`))

/** Whether a value in the place of an object says that there is none: deployments send null, "" or []. */
export const noObject = (value: Flat): boolean =>
  value === null || value === '[]' || (typeof value === 'string' && value.trim() === '')

/**
 * A reader of the values under these flat names. It makes the names of a place once, and not for each record, which
 * took half the time of a row.
 */
export function flatReader(names: readonly string[]): (record: unknown) => FlatCells {
  const columns = new Map(names.map((name, i) => [name, i]))
  let places = 0
  const placeOf = (name: string): Place => {
    const shown = name === '' ? 'value' : name
    const column = columns.get(shown) ?? -1
    return { name, column, hidden: column === -1 && !nested(shown, names), below: new Map() }
  }
  const under = (place: Place, key: string): Place => {
    const known = place.below.get(key)
    if (known !== undefined) return known
    const made = placeOf(place.name === '' ? key : `${place.name}.${key}`)
    if (places < mostPlaces) {
      place.below.set(key, made)
      places++
    }
    return made
  }
  let cells: Flat[] = []
  let more = false
  const add = (place: Place, value: unknown): void => {
    if (isDictionary(value)) addAll(place, value)
    else if (value === undefined) return
    else if (place.column !== -1) cells[place.column] = scalar(value)
    else if (place.hidden || !noObject(scalar(value))) more = true
  }
  const addAll = (place: Place, object: Dictionary): void => {
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (key !== 'attributes' || !isDictionary(value)) add(under(place, key), value)
      else
        for (const name of Object.keys(value))
          add(under(Object.hasOwn(object, name) ? under(place, key) : place, name), value[name])
    }
  }
  const root = placeOf('')
  return (record) => {
    cells = names.map(() => null)
    more = false
    add(root, record)
    return { cells, more }
  }
}
