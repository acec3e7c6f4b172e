// `shipx shipments|returns watch`: shows a listing again and again, drawn in place on a terminal, its changes as JSON
// Lines elsewhere. polling.ts decides when to look, changes.ts what has changed.
import { count, counted } from '../../../domain/count.ts'
import { faulty, optionKind, sound, span } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Query } from '../../../domain/contract.ts'
import { listings } from '../../../domain/parcels/listings.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { mapJson } from '../../../domain/exactjson.ts'
import { maxPerPage, type Page } from '../../../domain/page.ts'
import { isoOf } from '../../../domain/time.ts'
import { courierNamesIn, questionFor } from '../../listings/question.ts'
import { screenOf, type Context } from '../../command/context.ts'
import { filterWords } from '../../listings/filterwords.ts'
import { showClock } from '../../output/display.ts'
import { fieldsOf, narrowTo } from '../../output/printing.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { asked, returnKind, shipmentKind, type Kind } from '../../listings/listing.ts'
import { checkShape, hiddenColumns, narrowed, printer } from '../../output/printer.ts'
import { safe, safeJson } from '../../terminal/safe.ts'
import { changesBetween, changesText, type Change } from './changes.ts'
import { interruption, lookAgain } from './polling.ts'
import { drawable, windowOn, type Window } from './window.ts'

/** Formats that have no form for a change. */
const unfit = ['csv', 'tsv', 'excel', 'ids'] as const

/** How many records to watch: at most one page. */
const mostRecords = optionKind<number, undefined>(undefined, (given, name) => {
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= maxPerPage) return sound(Number(given))
  const wanted = `a number from 1 to ${maxPerPage}: watch shows one page`
  return faulty(undefined, name, `"${given.slice(0, 20)}" is not ${wanted}`)
})

/** What to watch. */
interface Watched<R> {
  readonly kind: Kind<R>
  readonly input: Query
  /** The names of its couriers by id. */
  readonly couriers: ReadonlyMap<string, string>
  readonly every: string
  /** How many records to watch: one page, so that a look is one request. */
  readonly most: number
}

/** A look: the page, its time, and the changes since the last one. */
interface Look {
  readonly page: Page
  readonly at: number
  readonly changes: readonly Change[]
}

/** Shows each look and each message. */
interface Show {
  readonly look: (look: Look, first: boolean) => Promise<void>
  readonly warn: (text: string) => Promise<void>
  readonly end: () => Promise<void>
}

const watcher = <R>(kind: Kind<R>) =>
  verb({ every: span('30s', 1000), limit: mostRecords }, async (context, { every, limit }) => {
    const { flags, io, screen, format } = context
    const onTerminal = format === 'plain' && screen.tty
    const most = limit ?? (onTerminal ? 20 : maxPerPage)
    const faults = unfit
      .filter((name) => flags.has(name))
      .map((name) => ({ field: `--${name}`, message: 'has no form for a change; watch prints JSON Lines' }))
    const { input, unknown } = await asked(context, kind, faults)
    if (onTerminal) checkShape(context, kind.view)
    let watched: Watched<R> = {
      kind,
      input: { ...input, per_page: most },
      couriers: new Map(),
      every: every.typed,
      most,
    }
    const { stop, quieten } = interruption(context)
    let before: readonly string[] | undefined
    let show: Show | undefined
    // The client's warnings must not be written over the picture.
    const asking = { ...context, warn: (said: string) => (show === undefined ? context.warn(said) : show.warn(said)) }
    const failed = (error: ShipxError): Promise<void> => asking.warn(`${error.message}; next try in ${every.typed}`)
    try {
      const ending = await lookAgain(asking, {
        every: every.ms,
        stop,
        look: async (source) => {
          const { service } = source
          if (before === undefined) {
            const question = await questionFor(context, kind, source, watched.input)
            watched = { ...watched, input: question, couriers: await courierNamesIn(context, kind, source, question) }
          }
          const page: Page = await service[kind.endpoint](watched.input as never)
          if (stop.aborted) return true
          const first = before === undefined
          const changes = changesBetween(before ?? page.records, page.records, watched.most)
          before = page.records
          if (first) await warnUnknown(context, unknown)
          show ??= await showOn(context, watched, onTerminal)
          await show.look({ page, at: io.host.now(), changes }, first)
          return false
        },
        failed,
      })
      if (ending === 'stopped' && before === undefined)
        throw new ShipxError('interrupted', 'stopped before there was an answer')
      return 0
    } finally {
      // Restores the terminal first: after that, a second Ctrl-C may end the process at once.
      await show?.end()
      quieten()
    }
  })

async function showOn<R>(context: Context, watched: Watched<R>, onTerminal: boolean): Promise<Show> {
  if (!onTerminal) return linesOn(context, watched)
  if (drawable(context.io)) return pictureOn(context, watched, await windowOn(context.io, context.screen.ascii))
  return pictureOn(context, watched, onPaper(context))
}

/** On a terminal that cannot be drawn on, prints each new picture below the last one. */
function onPaper({ io }: Context): Window {
  let last = ''
  return {
    draw: async (lines) => {
      const body = lines.slice(1).join('\n')
      if (body === last) return
      last = body
      await io.stdout.write(`${lines.join('\n')}\n\n`)
    },
    onResize: () => undefined,
    close: async () => undefined,
  }
}

/** Prints changes as JSON Lines. */
function linesOn<R>(context: Context, { kind, every }: Watched<R>): Show {
  const { io } = context
  const fields = fieldsOf(context, kind.view)
  return {
    look: async ({ page, at, changes }, first) => {
      if (first) await context.note(`watching ${countOf(kind, page)}, every ${every}; changes follow as JSON Lines`)
      if (fields !== undefined)
        narrowed(
          context,
          kind.view,
          changes.map(({ record }) => JSON.parse(record) as R),
        )
      const lines = changes.map(({ event, record }) =>
        safeJson(
          mapJson(record, (value) => ({
            event,
            at: isoOf(at),
            ...((fields === undefined ? value : narrowTo(kind.view, fields, value, record)) as object),
          })),
        ),
      )
      if (lines.length > 0) await io.stdout.write(`${lines.join('\n')}\n`)
    },
    warn: context.warn,
    end: async () => undefined,
  }
}

const countOf = <R>({ view }: Kind<R>, { records, meta }: Page): string =>
  `${count(records.length)} of ${counted(meta.total, view.noun)}`

/** Draws the current listing in place. */
function pictureOn<R>(context: Context, watched: Watched<R>, window: Window): Show {
  const { kind, input, couriers, every } = watched
  let [seen, trouble]: [Look | undefined, string | undefined] = [undefined, undefined]
  const draw = async (): Promise<void> => {
    if (seen === undefined) return
    const screen = await screenOf(context.io, context.flags)
    const dot = screen.ascii ? ' - ' : ' · '
    const filters = filterWords({ screen }, listings[kind.endpoint], input, couriers)
    const head = [showClock(seen.at, screen), countOf(kind, seen.page), `every ${every}`].join(dot)
    const changes = changesText(seen.changes)
    const second =
      trouble === undefined
        ? changes === ''
          ? screen.paint.dim('no change')
          : changes
        : screen.paint.yellow(`! ${safe(trouble)}`)
    const { rows, hidden } =
      seen.page.records.length === 0
        ? { rows: `No ${kind.view.noun[1]} match.\n`, hidden: [] }
        : await tableOf({ ...context, screen }, kind, seen.page.records)
    await window.draw([
      screen.paint.bold(head),
      ...(filters === '' ? [] : [filters]),
      second,
      ...(hidden.length === 0 ? [] : [screen.paint.dim(hiddenColumns(hidden))]),
      '',
      ...rows.trimEnd().split('\n'),
    ])
  }
  // The next look reports a failed write.
  window.onResize(() => void draw().catch(() => undefined))
  return {
    look: async (look) => {
      ;[seen, trouble] = [look, undefined]
      await draw()
    },
    warn: async (text) => {
      trouble = text
      await draw()
    },
    end: window.close,
  }
}

/** Records as text, as the printer draws them, and the columns that have no room. */
async function tableOf<R>(
  context: Context,
  kind: Kind<R>,
  records: readonly string[],
): Promise<{ readonly rows: string; readonly hidden: readonly string[] }> {
  let drawn = ''
  const { stdout, ...io } = context.io
  const write = async (part: string | Uint8Array): Promise<void> => {
    drawn += String(part)
  }
  const { tty, width, height, stream } = stdout
  const out = printer({ ...context, io: { ...io, stdout: { tty, width, height, stream, write } } }, kind.view)
  await out.batch(records)
  await out.end()
  return { rows: drawn, hidden: out.hidden() }
}

export const verbs = { 'shipments watch': watcher(shipmentKind), 'returns watch': watcher(returnKind) }
