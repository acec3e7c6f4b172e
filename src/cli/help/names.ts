// Names that commands have seen, in small files for completion and suggestions, one file for each account
// (namesplace.ts). They are only a convenience: they may be old, and shipx does not report a failure here.
import { chmodSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashText } from '../../domain/texthash.ts'
import { dataFolder } from '../files/folders.ts'
import { makeFolder } from '../files/folders.ts'
import type { Io } from '../terminal/io.ts'
import { accountAsked, type Asking } from './namesplace.ts'

/** A courier as rate cards and offers name it. */
export interface SeenCourier {
  readonly id: string
  readonly name: string
}

/** What commands last saw of an account, each list in that order. */
export interface Seen {
  readonly stores?: readonly string[]
  readonly couriers?: readonly SeenCourier[]
  readonly warehouses?: readonly string[]
}

/** How many names of each kind are saved. */
export const mostNames = 2000

/** How many accounts have saved names; the least recently used ones are removed. */
const mostAccounts = 50

/** A file of names is small; a larger file is something else. */
const largest = 2_000_000

/** Whether any shell takes a name as one plain word, and shipx not as a flag. Completion does not offer other names. */
export const plainName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9][\w.-]{0,99}$/.test(name)

const folderOf = (io: Io): string => join(dataFolder(io), 'names')

const fileOf = (io: Io, account: string): string => join(folderOf(io), `${hashOf(account)}.json`)

/** 106 bits of a hash of text. Loading node:crypto would take a tenth of completion's time. */
function hashOf(text: string): string {
  const half = (seed: number): string => {
    const pair = new Uint32Array(2)
    hashText(text, pair, seed)
    const [low, high] = [pair[0]!, pair[1]!]
    return (4294967296 * (2097151 & high) + low).toString(36).padStart(11, '0')
  }
  return half(0) + half(1)
}

function textAt(path: string): string | undefined {
  try {
    return statSync(path).size > largest ? undefined : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The valid part of a list from a file that any program may have written. */
const listed = <T>(value: unknown, is: (one: unknown) => one is T): readonly T[] =>
  Array.isArray(value) ? value.filter(is).slice(0, mostNames) : []

const isCourier = (one: unknown): one is SeenCourier =>
  typeof one === 'object' &&
  one !== null &&
  'id' in one &&
  'name' in one &&
  plainName(one.id) &&
  typeof one.name === 'string'

function seenIn(content: string | undefined): Required<Seen> {
  let value: Readonly<Record<string, unknown>> = {}
  try {
    const read: unknown = JSON.parse(content ?? '{}')
    if (typeof read === 'object' && read !== null) value = read as typeof value
  } catch {
    // An invalid file counts as no file.
  }
  return {
    stores: listed(value['stores'], plainName),
    couriers: listed(value['couriers'], isCourier),
    warehouses: listed(value['warehouses'], plainName),
  }
}

/** What commands last saw of the command line's account; empty lists when the account is unknown. */
export function seenNames(asking: Asking): Required<Seen> & { readonly embedded: boolean } {
  try {
    const { account, embedded } = accountAsked(asking)
    return { ...seenIn(textAt(fileOf(asking.io, account))), embedded }
  } catch {
    return { ...seenIn(undefined), embedded: false }
  }
}

/**
 * Saves names that a command has seen, each list in place of the old one. A function receives the saved names and
 * returns the new ones. Writes another file and renames it, readable by the user alone, and only when something is new.
 * Never throws.
 */
export function keepNames(asking: Asking, seen: Seen | ((before: Required<Seen>) => Seen)): void {
  try {
    const { io } = asking
    const path = fileOf(io, accountAsked(asking).account)
    const before = textAt(path)
    const old = seenIn(before)
    // Cut first: there may be a million.
    const given = typeof seen === 'function' ? seen(old) : seen
    const after = JSON.stringify({
      stores:
        given.stores === undefined ? old.stores : [...new Set(listed(given.stores.slice(0, mostNames), plainName))],
      couriers:
        given.couriers === undefined ? old.couriers : listed(given.couriers.slice(0, mostNames), isCourier).map(tidy),
      warehouses: given.warehouses === undefined ? old.warehouses : [...new Set(listed(given.warehouses, plainName))],
    } satisfies Required<Seen>)
    if (after === (before ?? JSON.stringify(old))) return
    const folder = folderOf(io)
    makeFolder(folder, 0o700)
    if (before === undefined) makeRoom(folder)
    const temporary = `${path}.${io.pid}.tmp`
    writeFileSync(temporary, after, { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    // A failure here must not spoil the command, which has done its work.
  }
}

/** Saves the names of the connected stores among these, as `keepNames`. */
export function keepStores(
  asking: Asking,
  stores: readonly { readonly store_name: string; readonly status?: string | null | undefined }[],
): void {
  // Cut first: there may be a million.
  const some = stores.slice(0, mostNames).filter(({ status }) => status !== 'disconnected')
  keepNames(asking, { stores: some.map(({ store_name }) => store_name) })
}

/** Saves couriers, as `keepNames`: all couriers of a rate card, or those of an answer in addition to the saved ones. */
export function keepCouriers(
  asking: Asking,
  couriers: readonly { readonly carrier_id: string; readonly carrier_name: string }[],
  are: 'all' | 'some',
): void {
  const seen = new Map(couriers.map(({ carrier_id: id, carrier_name: name }) => [id, { id, name }]))
  keepNames(asking, (before) => ({
    couriers:
      are === 'all'
        ? [...seen.values()]
        : [...new Map([...before.couriers.map((one) => [one.id, one] as const), ...seen]).values()],
  }))
}

/** Names without characters that display badly: completion shows them next to the id. */
const tidy = ({ id, name }: SeenCourier): SeenCourier => ({
  id,
  name: name.replace(/[^\p{L}\p{M}\p{N} .,&()'-]/gu, '').slice(0, 60),
})

/** Forgets the names of the current account, which may become another one. Never throws. */
export function forgetNames(asking: Asking): void {
  try {
    rmSync(fileOf(asking.io, accountAsked(asking).account), { force: true })
    // Removes only an empty folder.
    rmdirSync(folderOf(asking.io))
  } catch {
    // There was nothing to forget.
  }
}

function makeRoom(folder: string): void {
  chmodSync(folder, 0o700)
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (files.length < mostAccounts) return
  const byAge = files.toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
  for (const path of byAge.slice(0, files.length - mostAccounts + 1)) rmSync(path, { force: true })
}
