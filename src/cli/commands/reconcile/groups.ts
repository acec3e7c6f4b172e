// What --by adds the differences of lines up by. A SKU is that of the shipment, which is looked up.
import type { KeptLine } from '../../../engine/money/lines.ts'
import { readZone } from '../../../domain/read/zone.ts'
import { skusOfAwbs } from '../../../engine/money/unbilled.ts'
import type { BesidePlace } from '../../source/beside.ts'

/** What --by groups lines by. */
export const groupings = ['reason', 'zone', 'courier', 'journey', 'sku'] as const
export type Grouping = (typeof groupings)[number]

/** The groups of lines. */
export interface Groups {
  /** Looks up what the next lines need, by their AWBs. */
  readonly look: (awbs: readonly string[]) => Promise<void>
  /** The group of a line that was looked up. */
  readonly of: (line: KeptLine) => string
}

const names: Readonly<Record<Exclude<Grouping, 'reason' | 'sku'>, (line: KeptLine) => string>> = {
  zone: ({ zone, zone_billed: billed }) =>
    `${zone ?? 'no zone of ours'}, billed as ${billed === null ? '-' : oneZone(billed)}`,
  courier: ({ courier }) => courier ?? '-',
  journey: ({ journey }) => journey,
}

/** One name for the spellings of a zone that a bill writes: the card's five by their own, others in capitals. */
export const oneZone = (billed: string): string =>
  readZone(billed) ?? (isOwn.test(billed) ? billed : billed.toUpperCase())

const isOwn = /^zone_/

const nothing = async (): Promise<void> => undefined

/** The groups of --by; undefined for reasons, which the sums have anyway. SKUs are in the database of the records. */
export function groupsOf(
  by: Grouping | undefined,
  place: Pick<BesidePlace, 'database' | 'account'> | undefined,
): Groups | undefined {
  if (by === undefined || by === 'reason') return undefined
  if (by !== 'sku') return { look: nothing, of: names[by] }
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  return {
    look: async (awbs) => {
      known =
        place === undefined ? new Map() : await place.database.read(() => skusOfAwbs(place.account, [...new Set(awbs)]))
    },
    of: ({ awb }) => {
      const skus = known.get(awb) ?? []
      return skus.length > 1 ? 'several SKUs' : (skus[0] ?? 'no SKU known')
    },
  }
}
