// `shipx shipments|returns list|get`: fetches one page or all of them, and prints. The contract defines the filters.
import { count, counted } from '../../../domain/count.ts'
import type { Query, WalkBatch } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { defaultPerPage, maxPerPage, type Meta, type Page } from '../../../domain/page.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { inFile, isSheet } from '../../command/flags.ts'
import { refuseAbsentThere } from '../../listings/absentnames.ts'
import { couriersIn, type NamedCourier } from '../../listings/recentnames.ts'
import { keepCouriers } from '../../help/names.ts'
import { questionFor, questionWords } from '../../listings/question.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { flag, limit, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { asked, returnKind, shipmentKind, type Kind } from '../../listings/listing.ts'
import {
  courierSheets,
  sheetContext,
  showSheets,
  splitOf,
  splitOptions,
  type Split,
} from '../../listings/couriersheets.ts'
import { costedKind, inventedCosts, namesCosts } from '../../listings/costs.ts'
import { gathered } from '../../output/gathered.ts'
import { namesIn } from '../../listings/pastednames.ts'
import { commandLine } from '../../args/commandline.ts'
import { checkShape, hiddenColumns, printer } from '../../output/printer.ts'
import { oneRecord, printRecord, referenceFrom } from '../../listings/lookup.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import { where } from '../../source/place.ts'

/** The options of a list other than its filters. */
const listOptions = { limit: limit(defaultPerPage), all: flag, page: word, per_page: word, ...splitOptions }

/** Looks up what the columns of records need besides them, before they are printed. */
type Look = (source: Source, records: readonly string[]) => Promise<void>

const nothingMore: Look = async () => undefined

/** A list whose columns know what parcels cost. */
interface Costed<R> {
  readonly kind: Kind<R>
  readonly look: Look
  /** Whether one of the prices was invented. */
  readonly invented: () => boolean
}

/** A listing of COD parcels: on a narrow screen, the amount stays and the place goes. */
const aboutCod = <R>(kind: Kind<R>): Kind<R> => ({
  ...kind,
  view: {
    ...kind.view,
    columns: kind.view.columns.map((column) => {
      const { main: _, ...others } = column
      return column.key === 'cod' ? { ...column, main: true } : column.key === 'to' ? others : column
    }),
  },
})

const lister = <R>(usual: Kind<R>, costed?: () => Costed<R>) =>
  verb(listOptions, async (context, { limit, all, page, per_page, ...given }) => {
    const costs = costed !== undefined && namesCosts(context.flags) ? costed() : undefined
    const { kind: named, look } = costs ?? { kind: usual, look: nothingMore }
    const single = page !== undefined || per_page !== undefined
    const { split, faults } = splitOf(context, given)
    const { input: typed, unknown } = await asked(context, named, faults)
    const kind = (typed as { readonly is_cod?: boolean }).is_cod === true ? aboutCod(named) : named
    checkShape(split === undefined ? context : sheetContext(context), kind.view)
    const wanted = all || (split !== undefined && !context.flags.has('limit')) ? Infinity : limit
    return withSource(context, 'read', async (source) => {
      const input = await questionFor(context, kind, source, typed)
      const seen = new Map<string, NamedCourier>()
      const looking: Look = async (from, records) => {
        if (from.remote !== undefined) for (const one of couriersIn(records)) seen.set(one.carrier_id, one)
        await look(from, records)
      }
      if (split !== undefined) await inSheets(context, kind, source, input, wanted, split, looking)
      else if (single || wanted <= maxPerPage)
        await onePage(context, kind, source, single ? input : { ...input, per_page: wanted }, looking)
      else await joined(context, kind, source, input, wanted, looking)
      if (seen.size > 0) keepCouriers(context, [...seen.values()], 'some')
      if (costs?.invented() === true) await context.note(inventedCosts())
      await warnUnknown(context, unknown)
      return 0
    })
  })

/** Exactly one page of the service. */
async function onePage<R>(context: Context, kind: Kind<R>, source: Source, input: Query, look: Look): Promise<void> {
  const page: Page = await source.service[kind.endpoint](input as never)
  await look(source, page.records)
  if (page.records.length === 0) return empty(context, kind, source, page.meta, input)
  await title(context, kind, source, page.records.length, page.meta.total, input)
  const out = printer(context, kind.view)
  await out.batch(page.records)
  await out.end(page.meta)
  await warnCut(context, kind, page.records.length, page.meta.total)
  await next(context, page.meta, page.records.length, out.hidden())
}

/** A sheet looks whole: warns where it ends at the default limit. */
async function warnCut<R>(context: Context, { view }: Kind<R>, shown: number, total: number): Promise<void> {
  const chosen = ['limit', 'page', 'per-page'].some((name) => context.flags.has(name))
  if (chosen || shown >= total || !isSheet(context.format)) return
  await context.warn(`${count(shown)} of ${counted(total, view.noun)}; --all writes all of them`)
}

/** How many lines bytes have, the last one without its end. */
function linesIn(bytes: Uint8Array): number {
  let lines = 1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

/** The records as one sheet for each courier, written while reading. */
async function inSheets<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
  wanted: number,
  split: Split,
  look: Look,
): Promise<void> {
  const walk = await source.service[kind.walk](input)
  const total = walk.total === undefined ? undefined : Math.min(wanted, walk.total)
  const sheets = courierSheets(context, kind.view, split)
  try {
    await gathered(context, `Reading ${kind.view.noun[1]}`, total, firstOf(walk.batches, wanted), async (records) => {
      const couriers = new Map<string | null, string[]>()
      await look(source, records)
      for (const record of records) {
        const courier = kind.courier(kind.read(record, context.missed))
        couriers.set(courier, [...(couriers.get(courier) ?? []), record])
      }
      for (const [courier, own] of couriers) await sheets.add(courier, own)
      return records.length
    })
    const written = await sheets.finish()
    if (written.length === 0) await refuseAbsentThere(context, kind, source, input)
    if (written.length === 0) await context.note(`No ${kind.view.noun[1]} match.`)
    await showSheets(context, kind.view, written)
  } finally {
    sheets.close()
  }
}

/** The first records of a walk, batch by batch. */
async function* firstOf(batches: AsyncIterable<WalkBatch>, wanted: number): AsyncGenerator<readonly string[], void> {
  let left = wanted
  for await (const { records } of batches) {
    yield records.slice(0, left)
    left -= records.length
    if (left <= 0) return
  }
}

/** The first records of a walk, which `look` sees before they are passed on. */
const firstSeen = 200

/** Several pages as one: all records, or as many as requested, printed while reading. */
async function joined<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
  wanted: number,
  look: Look,
): Promise<void> {
  const out = printer(context, kind.view)
  const nothing = { current_page: 1, per_page: 0, total: 0, next_search_after: [] }
  const ids = source.service[kind.ids]
  if (out.ids !== undefined && ids !== undefined) {
    const printed = await printIds(ids(input), wanted, out.ids)
    return printed === 0 ? empty(context, kind, source, nothing, input) : undefined
  }
  const passedOn = wanted === Infinity && out.lines !== undefined
  const walk = await source.service[kind.walk](input, passedOn)
  if (walk.total === 0) return empty(context, kind, source, nothing, input)
  await title(context, kind, source, Math.min(wanted, walk.total ?? 0), walk.total, input)
  let [printed, matches] = [0, 0]
  let last: readonly string[] = []
  const print = async (batch: WalkBatch): Promise<void> => {
    // `batch.records` makes texts of the bytes, which takes longer than reading them.
    if (passedOn && batch.lines !== undefined) {
      // The names of couriers that a deployment has are kept from the first records; an export as lines keeps none.
      if (printed === 0 && context.format === 'json') await look(source, batch.records.slice(0, firstSeen))
      printed += batch.count ?? linesIn(batch.lines)
      matches = printed
      last = batch.next ?? []
      await out.lines!(batch.lines, batch.release)
      return
    }
    const { records, next: cursor } = batch
    // Bytes that are passed on unchanged create no garbage, so a search for garbage would only cost time.
    if (printed === 0) growHeapSlowly()
    const take = records.slice(0, wanted - printed)
    matches += records.length
    if (take.length === 0) return
    await look(source, take)
    await out.batch(take)
    printed += take.length
    last = cursor === undefined || take.length === records.length ? (cursor ?? []) : cursorOf(kind, take.at(-1)!, input)
  }
  const end = (): Promise<void> =>
    out.end({ current_page: 1, per_page: printed, total: walk.total ?? matches, next_search_after: last })
  const batches = walk.batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await batches.next().catch(async (error: unknown) => {
        // A file is written whole or not at all.
        if (printed === 0 || source.remote === undefined || inFile(context.format)) throw error
        // The output so far is valid, and the end of the document keeps it readable.
        await end()
        throw stoppedAfter(error, kind, printed, walk.total)
      })
      if (step.done === true) break
      await print(step.value)
      // Without a total, the rest is only counted.
      if (printed >= wanted && walk.total !== undefined) break
    }
  } finally {
    await batches.return?.()
  }
  if (matches === 0) return empty(context, kind, source, nothing, input)
  await end()
  if (out.hidden().length > 0) await context.note(`\n${hiddenColumns(out.hidden())}`)
}

/** Prints the first of some ids. Returns how many. */
async function printIds(
  batches: AsyncIterable<readonly string[]>,
  wanted: number,
  print: (ids: readonly string[]) => Promise<void>,
): Promise<number> {
  let printed = 0
  for await (const ids of batches) {
    await print(ids.slice(0, wanted - printed))
    printed = Math.min(wanted, printed + ids.length)
    if (printed === wanted) break
  }
  return printed
}

/** The error of a deployment that fails in the middle of a listing: partly done, with the cause. */
function stoppedAfter<R>(error: unknown, { view }: Kind<R>, printed: number, total: number | undefined): unknown {
  if (!(error instanceof ShipxError) || error.kind === 'interrupted' || error.code === 'filter_ignored') return error
  const all = total === undefined ? '' : `of ${count(total)} `
  const message = `${error.message}; ${count(printed)} ${all}${view.noun[1]} came before that`
  return new ShipxError('partial', message, {
    details: error.details,
    retryable: error.retryable,
    cause: error,
    hint: 'shipx pull, which goes on where it stopped, then the same command with --local',
  })
}

/** The cursor after a record in the middle of a batch. */
function cursorOf<R>(kind: Kind<R>, record: string, input: Query): readonly string[] {
  const { id, attributes } = kind.read(record) as { id: string; attributes: Record<string, unknown> }
  const sort = 'sort_by' in input && input.sort_by !== undefined ? input.sort_by : 'created_at'
  const value = attributes[sort] ?? attributes['created_at']
  return [
    sort === 'total_price'
      ? String(Math.round(Number(attributes['total_price'] ?? 0) * 100))
      : String(Date.parse(String(value))),
    id,
  ]
}

async function empty<R>(context: Context, kind: Kind<R>, source: Source, meta: Meta, input: Query): Promise<void> {
  if (meta.total === 0) await refuseAbsentThere(context, kind, source, input)
  const out = printer(context, kind.view)
  await out.end(meta)
  if (context.format !== 'plain') return
  if (meta.total > 0)
    return context.note(`page ${meta.current_page} is past the end: ${count(meta.total)} ${kind.view.noun[1]} match`)
  const filters = await questionWords(context, kind, source, input)
  await context.note(`No ${kind.view.noun[1]} match${filters === '' ? '' : `: ${filters}`}.`)
}

/**
 * On a terminal, prints what the table shows and where it comes from; without numbers where only the end of the walk
 * tells the total. A mirror has said already where it comes from.
 */
async function title<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  shown: number,
  total: number | undefined,
  input: Query,
): Promise<void> {
  if (context.format !== 'plain' || !context.screen.tty) return
  const filters = await questionWords(context, kind, source, input)
  const dot = context.screen.ascii ? ' - ' : ' · '
  const what = total === undefined ? kind.view.noun[1] : `${count(shown)} of ${counted(total, kind.view.noun)}`
  const place = source.mirror === undefined ? await where(context) : ''
  await context.note(`Showing ${[what, filters, place].filter((part) => part !== '').join(dot)}\n`)
}

/** On a terminal, prints the command for the next records. */
async function next(context: Context, meta: Meta, shown: number, hidden: readonly string[]): Promise<void> {
  if (context.format !== 'plain' || !context.screen.tty) return
  const last = (meta.current_page - 1) * meta.per_page + shown >= meta.total
  const parts: string[] = []
  if (!last) parts.push(`Next: ${nextPage(context, meta)}`)
  if (hidden.length > 0) parts.push(hiddenColumns(hidden))
  if (parts.length > 0) await context.note(`\n${parts.join('\n')}`)
}

/** The same command for the next page. */
function nextPage(context: Context, meta: Meta): string {
  const kept = [...context.flags].filter(([name]) => !['page', 'per-page', 'limit', 'all'].includes(name))
  const size = meta.per_page === defaultPerPage ? [] : [['per-page', String(meta.per_page)] as const]
  return commandLine(context, new Map([...kept, ['page', String(meta.current_page + 1)] as const, ...size]))
}

const getter =
  <R>(kind: Kind<R>, what: string) =>
  async (context: Context): Promise<number> => {
    const reference = referenceFrom(context)
    refuse(context, reference === '' ? [missingArgument(context, what)] : [])
    checkShape(context, kind.view)
    return withSource(context, 'read', async (source) => {
      await printRecord(context, source, kind, await oneRecord(context, source, kind, reference))
      return 0
    })
  }

/** One shipment, or all that are named. */
const getShipments = verb({ file: word, sheet: word }, async (context, { file, sheet }) => {
  const names = context.args.flatMap(namesIn)
  if (names.length < 2 && file === undefined && sheet === undefined)
    return getter(shipmentKind, 'shipment')({ ...context, args: names })
  return (await import('./getmany.ts')).getMany(context)
})

export const verbs = {
  'shipments list': lister(shipmentKind, costedKind),
  'shipments get': getShipments,
  'returns list': lister(returnKind),
  'returns get': getter(returnKind, 'return'),
}
