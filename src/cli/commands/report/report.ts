// `shipx report`: the figures of a period as one self-contained page, or as JSON (docs/guides/report.md).
import { existsSync } from 'node:fs'
import type { Query } from '../../../domain/contract.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { parseInput } from '../../../domain/parse.ts'
import { dayMs, isoOf } from '../../../domain/time.ts'
import { holdsSample } from '../../../engine/sample/mark.ts'
import type { Work } from '../../../engine/database/port.ts'
import { reportReturns, reportShipments } from '../../../engine/records/report.ts'
import { count } from '../../../domain/count.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { done } from '../../output/outcome.ts'
import type { Engine } from '../../source/engine.ts'
import { questionFor } from '../../listings/question.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { pageWriter } from '../../pages/pagefile.ts'
import { text, type FlagValues } from '../../command/flags.ts'
import { flag, moment, month, word } from '../../args/kinds.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { asked, flagIn, shipmentKind } from '../../listings/listing.ts'
import { printRecord } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { tariffInUse } from '../reconcile/unbilled.ts'
import { warehousesHere } from '../reconcile/warehouses.ts'
import { rtoPricer } from '../shipments/outcomes.ts'
import { codTermsHere } from '../reconcile/codterms.ts'
import { reportOf, type Report, type Scope } from './figures.ts'
import { gapsOf, monthName } from './findings.ts'
import { moneyOf, monthFrom, type Month, type MonthMoney } from './month.ts'
import { rtoGroupings, rtoOf } from './rto.ts'
import { withRecords } from '../pull/offer.ts'
import { placeOf, type Source } from '../../source/source.ts'

/** The default file name. */
const usualFile = 'report.html'

/** The default period of a report. */
const usualSpan = 30 * dayMs

const report = verb({ force: flag, out: word }, async (context, options) => {
  const { flags, format } = context
  const json = format === 'json'
  const out = options.out ?? (json ? undefined : usualFile)
  const faults = shapeFaults(flags, json, out)
  const { input: typed, unknown } = await asked(context, shipmentKind, faults, sinceOver(context))
  return withRecords(context, 'a report', ['shipments', 'returns'], async (own, source) => {
    const { engine } = source
    growHeapSlowly()
    const replaced = out !== undefined && existsSync(out) ? ' in place of the earlier one' : ''
    const input = await questionFor(own, shipmentKind, source, typed)
    const write = out === undefined || out === '-' ? undefined : pageWriter(own, out, 'report', options.force)
    const told = await figuresOf(own, source, engine, input)
    if (json) await printRecord(own, view, told)
    if (out !== undefined) {
      const { pageOf } = await import('./page.ts')
      const page = pageOf(told)
      if (write === undefined) await own.io.stdout.write(page)
      write?.(page)
      if (write !== undefined)
        await done(own, `${count(told.totals.shipments)} shipments, written to ${out}${replaced}`)
    }
    if (told.money !== undefined) for (const gap of gapsOf(told.money)) await own.note(gap)
    await warnUnknown(own, unknown)
    await warnFuture(own)
    return 0
  })
})

/** Warns of a month that has not begun: its report is empty. */
async function warnFuture(context: Context): Promise<void> {
  const { value } = month(context.flags, 'month', context.io.host.now())
  if (value !== undefined && value[0] > context.io.host.now())
    await context.warn(`${monthName(monthFrom(value).name)} has not begun: this report is empty.`)
}

/** The JSON of a report is one object, whose fields `--fields` narrows. */
const view: View<Report> = { columns: [], id: () => '', names: [], noun: ['report', 'reports'] }

function shapeFaults(flags: FlagValues, json: boolean, out: string | undefined): readonly Fault[] {
  const faults: Fault[] = ['jsonl', 'csv', 'tsv', 'excel', 'ids']
    .filter((other) => flags.has(other))
    .map((other) => ({
      field: `--${other}`,
      message: 'a report is a page or --json; for rows: shipx shipments summary',
    }))
  if (json && out === '-')
    faults.push({ field: '--out', message: 'and --json both go to standard output; name a file' })
  return faults
}

/** The start of the default period, 30 days before its end, when the user sets none. */
function sinceOver({ flags, io }: Context): { readonly start_time?: number } {
  if (flags.has('since') || flags.has('start-time') || flags.has('month')) return {}
  const now = io.host.now()
  const end = Number(text(flags, 'end-time') ?? NaN) * 1000
  const until = moment(flags, 'until', now).value ?? (Number.isFinite(end) ? end : now)
  return { start_time: Math.max(0, Math.floor((until - usualSpan) / 1000)) }
}

/** From this many shipments on, users wait long enough to need a note: about a second for each 100,000. */
const patience = 150_000

/** All figures, from one snapshot of the data. */
async function figuresOf(context: Context, source: Source, engine: Engine, input: Query): Promise<Report> {
  const { database, account } = engine
  const { planning } = database.dialect
  // SQLite blocks this thread, so the note is printed before the query starts.
  const about =
    planning === undefined ? 0 : await database.read(() => planning.roughCount('shipment', account), 'single')
  const said = `adding up${about === 0 ? '' : ` about ${count(about)} shipments`}`
  if (about >= patience) await context.note(said)
  // The report goes on when the note cannot be shown.
  const tell = (): void => void context.note(said).catch(() => undefined)
  const waiting = setTimeout(tell, about === 0 ? 2000 : 2 ** 31 - 1)
  try {
    const returned = returnsInput(context, source, input)
    const place = placeOf(engine)
    const price = await rtoPricer(context, { ...source, engine })
    const money = await moneyWork(context, engine, input)
    const [shipments, sample, besides] = await database.read(function* () {
      const endings = rtoGroupings(input)
      const sums = yield* reportShipments(place, input, endings)
      const sample = yield* holdsSample(account)
      const back = typeof returned === 'string' ? returned : yield* reportReturns(place, returned)
      return [
        sums,
        sample,
        {
          returns: back,
          rto: yield* rtoOf(place, input, endings, price),
          money: typeof money === 'function' ? yield* money() : money,
        },
      ] as const
    })
    return reportOf({ ...scopeOf(context, source, input), sample_data: sample }, shipments, besides)
  } finally {
    clearTimeout(waiting)
  }
}

/** The work that reads the money of the month of --month; undefined without it, a sentence where it is left out. */
async function moneyWork(
  context: Context,
  { database, account }: Engine,
  input: Query,
): Promise<(() => Work<MonthMoney | string>) | string | undefined> {
  const known = monthAsked(context, input)
  if (known === undefined || typeof known === 'string') return known
  const now = context.io.host.now()
  const terms = await codTermsHere(context, { database, account, close: async () => undefined }, undefined)
  const tariff = await tariffInUse(context)
  const warehouses = await warehousesHere(context)
  return () => moneyOf({ database, account, terms, tariff, warehouses }, known, now)
}

/** The month of --month, or why its money is left out. */
function monthAsked(context: Context, input: Query): Month | string | undefined {
  const { flags, io } = context
  const { value } = month(flags, 'month', io.host.now())
  if (value === undefined) return undefined
  if (['since', 'until', 'start-time', 'end-time'].some((name) => flags.has(name)))
    return 'Left out: money is about a whole month, so give --month alone.'
  const filters = Object.keys(input).filter((name) => !period.has(name))
  return filters.length === 0 ? monthFrom(value) : leftOut(context, filters)
}

/** That filters are only for shipments. */
function leftOut(context: Context, names: readonly string[]): string {
  const other = names.map((name) => flagIn(context, shipmentKind, name))
  return `Left out: ${other.join(' and ')} ${other.length === 1 ? 'is' : 'are'} only for shipments.`
}

/** Filters of shipments that returns also have, with their names for returns. */
const alike: Readonly<Record<string, string>> = {
  search: 'search',
  store_name: 'store_name',
  channel: 'channel',
  zone: 'zone',
  sku: 'sku',
  warehouse_ids: 'warehouse_id',
  carrier_id: 'carrier_ids',
  city: 'city',
  state: 'state',
  pincode: 'pincode',
}
/** Filters that only set the period. */
const period: ReadonlySet<string> = new Set(['start_time', 'end_time', 'date_field'])

/** The same query for returns, or why there is none. */
function returnsInput(context: Context, source: Source, input: Query): Query | string {
  const filters = Object.entries(input).filter(([name]) => !period.has(name))
  const other = filters.map(([name]) => name).filter((name) => alike[name] === undefined)
  if (other.length > 0) return leftOut(context, other)
  const { start_time, end_time } = input as { readonly start_time?: number; readonly end_time?: number }
  const wanted = parseInput('listReturns', {
    ...Object.fromEntries(filters.map(([name, value]) => [alike[name]!, value])),
    ...(start_time === undefined ? {} : { created_at__gte: isoOf(start_time * 1000) }),
    ...(end_time === undefined ? {} : { created_at__lte: isoOf(end_time * 1000 + 999) }),
  }) as Query
  if (source.mirror !== undefined && !source.mirror.pulled.has('returns'))
    return 'Left out: the mirror holds no returns. To pull them: shipx pull returns'
  try {
    source.check?.('returns', wanted)
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'not_supported') return `Left out: ${error.message}.`
    throw error
  }
  return wanted
}

function scopeOf({ io, flags }: Context, { mirror }: Source, input: Query): Omit<Scope, 'sample_data'> {
  const now = io.host.now()
  const {
    start_time,
    end_time,
    date_field = 'created_at',
  } = input as {
    readonly start_time?: number
    readonly end_time?: number
    readonly date_field?: string
  }
  const at = mirror?.pulled.get('shipments')
  return {
    generated_at: isoOf(now),
    source:
      mirror === undefined
        ? { kind: 'engine', name: text(flags, 'account') ?? 'default', pulled_at: null }
        : { kind: 'mirror', name: mirror.name, pulled_at: at === undefined ? null : isoOf(at) },
    period: {
      since: start_time === undefined ? null : isoOf(start_time * 1000),
      until: end_time === undefined ? isoOf(now) : isoOf(end_time * 1000),
      date_field,
      time_zone: 'Asia/Kolkata',
    },
    filters: Object.fromEntries(Object.entries(input).filter(([name]) => !period.has(name))),
  }
}

export const verbs = { report }
