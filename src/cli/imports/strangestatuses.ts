// Statuses of imported records that no filter takes: how many records have each, and what is said of them.
import { count } from '../../domain/count.ts'
import { returnBuckets, returnStatuses, shipmentBuckets, shipmentStatuses } from '../../domain/parcels/statuses.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Context } from '../command/context.ts'
import { safe } from '../terminal/safe.ts'

/** How many records have each status that is none of ours, by the attribute: a status, and a detailed one. */
export interface Strange {
  readonly status: Map<string, number>
  readonly detailed: Map<string, number>
}

export const noneStrange = (): Strange => ({ status: new Map(), detailed: new Map() })

const own = {
  shipments: { status: new Set<unknown>(shipmentStatuses), detailed: new Set<unknown>(Object.keys(shipmentBuckets)) },
  returns: {
    status: new Set<unknown>([...returnStatuses, 'lost']),
    detailed: new Set<unknown>(Object.keys(returnBuckets)),
  },
}

/** Different statuses that are kept by name; all others are counted under the empty name. */
const mostNames = 50

function add(counts: Map<string, number>, status: string, records: number): void {
  const name = counts.has(status) || counts.size < mostNames ? status : ''
  counts.set(name, (counts.get(name) ?? 0) + records)
}

/** Counts the statuses of a record that are none of ours. */
export function lookAt(strange: Strange, kind: keyof typeof own, { columns }: Entry): void {
  const { status, granular_status: detailed } = columns
  if (typeof status === 'string' && !own[kind].status.has(status)) add(strange.status, status, 1)
  if (typeof detailed === 'string' && !own[kind].detailed.has(detailed)) add(strange.detailed, detailed, 1)
}

/** Adds what a batch has to what earlier ones had. */
export function addStrange(all: Strange, more: Strange): void {
  for (const attribute of ['status', 'detailed'] as const)
    for (const [status, records] of more[attribute]) add(all[attribute], status, records)
}

/** How many of them a warning names. */
const named = 3

function listed(counts: ReadonlyMap<string, number>): string {
  const names = [...counts].filter(([name]) => name !== '')
  const first = names.slice(0, named).map(([name, records]) => `"${safe(short(name))}" (${count(records)})`)
  const more = names.length > named || counts.has('')
  return `${first.join(', ')}${more ? ' and others' : ''}`
}

const short = (name: string): string => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

/** Warns of the records that no filter by status finds. */
export async function warnStrange(context: Context, kind: keyof typeof own, strange: Strange): Promise<void> {
  const missed = {
    status: ['statuses', kind === 'shipments' ? '--status, --open and stuck do' : '--status and --open do'],
    detailed: ['detailed statuses', '--granular-status does'],
  } as const
  for (const attribute of ['status', 'detailed'] as const) {
    const counts = strange[attribute]
    if (counts.size === 0) continue
    const [what, filters] = missed[attribute]
    const records = [...counts.values()].reduce((sum, one) => sum + one, 0)
    const them = records === 1 ? `this ${kind.slice(0, -1)}` : `these ${count(records)} ${kind}`
    await context.warn(`${what} that shipx has no filter for: ${listed(counts)}; ${filters} not find ${them}`)
  }
}
