// Answers from a mirror: listings and look-ups from pulled records, their age, and a refusal for what a mirror cannot
// know (docs/guides/mirror.md).
import { existsSync } from 'node:fs'
import { count, counted } from '../../domain/count.ts'
import {
  contract,
  type EndpointTable,
  type Query,
  type ShippingService,
  type WalkingService,
} from '../../domain/contract.ts'
import { ShipxError } from '../../domain/errors.ts'
import { unanswerable, type SentKind } from '../../domain/foreign/records.ts'
import { addedFilters, listings } from '../../domain/parcels/listings.ts'
import { isoOf } from '../../domain/time.ts'
import type { Capability } from '../../domain/wire.ts'
import type { Database } from '../../engine/database/port.ts'
import { pullStates } from '../../engine/transfer/mirror.ts'
import { embeddedService } from '../../engine/service.ts'
import { findAccount } from '../../engine/accounts/settings.ts'
import { openFile } from './engine.ts'
import type { Context } from '../command/context.ts'
import { inFlags } from '../command/faults.ts'
import { showTime } from '../output/display.ts'
import type { MirrorPlace } from './mirrorpath.ts'
import { pullKinds, mirrorAccount, type PullState, type PullKind } from './mirrorstate.ts'
import { openingOf, type Purpose, type Source } from './source.ts'

const noMirror = (name: string, kinds: readonly PullKind[]): ShipxError =>
  new ShipxError('no_mirror', `there is no mirror of ${kinds.length === 1 ? `the ${kinds[0]} of ` : ''}${name} yet`, {
    hint: kinds.length === 1 ? `shipx pull ${kinds[0]}` : 'shipx pull',
  })

/** The refusal of a write. */
const readOnly = (name: string): ShipxError =>
  new ShipxError(
    'mirror_read_only',
    `the mirror of ${name} is read-only: only shipx pull and shipx listen write to it`,
    {
      hint: 'leave --local out to change your account',
    },
  )

/**
 * Opens a mirror for a command and reports its age. Throws `mirror_read_only` for a write of records, and `no_mirror`
 * when nothing that the command needs was pulled.
 */
export async function mirrorSource(context: Context, place: MirrorPlace, use: Purpose): Promise<Source> {
  const { io, flags, command } = context
  if (use === 'write' || use === 'bulk' || (use !== 'beside' && flags.has('dry-run'))) throw readOnly(place.name)
  // A report covers shipments, and returns if some were pulled.
  const asked = pullKinds.filter((kind) => kind === (command.path[0] === 'report' ? 'shipments' : command.path[0]))
  if (!existsSync(place.path)) throw noMirror(place.name, [])
  const database = await openFile(context, place.path, openingOf(context, use))
  try {
    await context.debug(`mirror ${place.path}`)
    const { account, states } = await mirrorStates(database)
    const wanted = asked.length > 0 ? asked : pullKinds
    if (account === undefined || !wanted.some((kind) => states.has(kind))) throw noMirror(place.name, asked)
    await reportAge(
      context,
      place,
      wanted.flatMap((kind) =>
        [states.get(kind)].flatMap((state) => (state === undefined ? [] : [[kind, state] as const])),
      ),
    )
    const check = (kind: SentKind, input: Query): void => refuseUnknown(context, states.get(kind), kind, input)
    const engine = embeddedService(database, account, io.host)
    const service: WalkingService = {
      ...mirroredMethods<ShippingService>(contract, engine, () => readOnly(place.name)),
      listShipments: async (input) => (check('shipments', input), engine.listShipments(input)),
      listReturns: async (input) => (check('returns', input), engine.listReturns(input)),
      walkShipments: async (input, passedOn) => (check('shipments', input), engine.walkShipments(input, passedOn)),
      walkReturns: async (input, passedOn) => (check('returns', input), engine.walkReturns(input, passedOn)),
      shipmentIds: (input) => (check('shipments', input), engine.shipmentIds(input)),
      returnIds: (input) => (check('returns', input), engine.returnIds(input)),
    }
    return {
      service,
      engine: { database, account, service: engine, path: place.path },
      remote: undefined,
      mirror: { name: place.name, pulled: pulledOf(states) },
      check,
      close: database.close,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The account of a mirror, if it has one, and the progress of the pull of each kind. */
export async function mirrorStates(
  database: Database,
): Promise<{ readonly account: number | undefined; readonly states: ReadonlyMap<PullKind, PullState> }> {
  const account = await database.read(() => findAccount(mirrorAccount), 'single')
  const rows = account === undefined ? [] : await database.read(() => pullStates(account), 'single')
  // The same table also counts recent requests for the limit of requests (budget.ts).
  const kinds = rows.filter((row): row is typeof row & { readonly kind: PullKind } =>
    pullKinds.includes(row.kind as PullKind),
  )
  return { account, states: new Map(kinds.map(({ kind, state }) => [kind, JSON.parse(state) as PullState])) }
}

/** Whether a mirror's deployment announced a capability at the last pull; false when there is no mirror yet. */
export async function announces(context: Context, place: MirrorPlace, capability: Capability): Promise<boolean> {
  if (!existsSync(place.path)) return false
  const database = await openFile(context, place.path, 'read')
  try {
    const { states } = await mirrorStates(database)
    return [...states.values()].some(({ capabilities }) => capabilities.includes(capability))
  } finally {
    await database.close()
  }
}

/** When the last pull of each kind ended. */
const pulledOf = (states: ReadonlyMap<string, PullState>): ReadonlyMap<SentKind, number | undefined> =>
  new Map(
    (['shipments', 'returns'] as const).flatMap((kind) =>
      states.has(kind) ? [[kind, states.get(kind)!.at] as const] : [],
    ),
  )

/**
 * The methods of a mirror for a table of endpoints. The engine answers those that a mirror can answer; all others throw
 * what `refusal` returns.
 */
export function mirroredMethods<E extends object>(table: EndpointTable, engine: E, refusal: () => ShipxError): E {
  const refuse = async (): Promise<never> => {
    throw refusal()
  }
  const methods = Object.entries(table).map(([name, { mirrored }]) => [
    name,
    mirrored ? engine[name as keyof E] : refuse,
  ])
  return Object.fromEntries(methods) as E
}

/** Refuses a question about data that the deployment does not send: users would believe an empty answer. */
function refuseUnknown(context: Context, state: PullState | undefined, kind: SentKind, input: Query): void {
  // A deployment that announces the extra filters sends their fields in every record that has them.
  if (state === undefined || state.capabilities.includes('extra_filters')) return
  const fields = unanswerable(kind, input, new Set(state.carried))
  if (fields.length === 0 || state.carried.length === 0) return
  const message = 'filters by a field that the service does not send, so your local copy lacks it'
  const details = inFlags(
    context,
    fields.map((field) => ({ field, message })),
  )
  const added = addedFilters(listings[kind === 'shipments' ? 'listShipments' : 'listReturns'])
  throw new ShipxError('not_supported', `${details[0]!.field!} ${message}`, {
    details,
    // The deployment cannot answer a filter that it does not have.
    ...(fields.some((field) => added.includes(field)) ? {} : { hint: 'leave --local out to ask your account itself' }),
  })
}

/** Reports once how old the mirror is, or warns that it is incomplete. */
async function reportAge(
  context: Context,
  { name }: MirrorPlace,
  states: readonly (readonly [PullKind, PullState])[],
): Promise<void> {
  if (reported.has(context)) return
  reported.add(context)
  const { now } = context.io.host
  const [kind, unfinished] = states.find(([, { covered }]) => covered === undefined) ?? []
  if (unfinished !== undefined)
    return context.warn(
      `the mirror of ${name} is not complete: the first pull of its ${kind} has not ended. Finish it: shipx pull`,
    )
  const oldest = Math.min(...states.map(([, { at }]) => at ?? 0))
  const from = Math.max(...states.map(([, { covered }]) => covered!.from))
  const since = from <= 0 ? '' : `, of what was created since ${showTime(from * 1000, { ...context.screen, now: 0 })}`
  const lacking = states.flatMap(([kind, { left_out: n }]) =>
    n === undefined ? [] : [`${count(n)} ${n === 1 ? kind.slice(0, -1) : kind}`],
  )
  const without = lacking.length === 0 ? '' : `, without ${lacking.join(' and ')} that had no id or attributes`
  await context.note(
    `from your local copy of ${name}, pulled ${pulledText(now() - oldest)}${since}${without} (refresh: shipx pull)`,
  )
  await context.debug(`pulled at ${isoOf(oldest)}`)
}

/** Runs that have reported the age. */
const reported = new WeakSet<Context>()

const pulledText = (ms: number): string => (ms < 60_000 ? 'just now' : `${ageOf(ms)} ago`)

/** A span of time: in minutes up to 2 hours, in hours up to 2 days, then in days. */
export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const [n, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day']
  return counted(n, [unit, `${unit}s`])
}
