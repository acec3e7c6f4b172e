// `shipx local track`: saves couriers' scans of parcels, one scan or a file of them, in the engine's own database.
import { counted } from '../../../domain/count.ts'
import {
  eventNames,
  courierVocabulary,
  meaningsOf,
  nearestEvent,
  wordFaults,
  type CourierWords,
  type CourierVocabulary,
} from '../../../domain/parcels/courierwords.ts'
import { ShipxError, invalid, type Fault, messageOf } from '../../../domain/errors.ts'
import { countedAt, readScanTime, type WrittenTime } from '../../../domain/parcels/scantimes.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { notOneOf } from '../../../domain/values.ts'
import { messageMaker, type InitialStatus } from '../../../engine/messages/outbox.ts'
import { track as trackScans, type Scan } from '../../../engine/tracking.ts'
import { importFile } from '../../imports/run.ts'
import { displacedText, doubtOf, possibleText, scanImporter, scanNotes, type Told } from '../../imports/scans.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { readText } from '../../files/userfiles.ts'
import { faulty, flag, optionKind, sound, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { here } from '../../source/place.ts'

/** The largest file of a courier's status texts, bytes. */
const mostWords = 1_048_576

/** Whether customers get messages: an old history imported later is not news. */
export const tellingOf = (silent: boolean): InitialStatus => (silent ? 'withheld' : 'waiting')

/** The time of a scan, or its day. */
const scanTime = optionKind<WrittenTime, undefined>(undefined, (given, name, now) => {
  const read = readScanTime(given, { now, yearless: true })
  if ('fault' in read) return faulty(undefined, name, read.fault)
  return read.value.start >= 0 ? sound(read.value) : faulty(undefined, name, `${excerpt(given)} is before 1970`)
})

const trackOptions = {
  file: word,
  template: flag,
  words: word,
  no_messages: flag,
  at: scanTime,
  reason: word,
  location: word,
  description: word,
  event_id: word,
  dry_run: flag,
}

type TrackOptions = OptionsOf<typeof trackOptions>

const track = verb(trackOptions, async (context, options) => {
  const { flags } = context
  const { file, template } = options
  if (file === undefined && !template) return trackOne(context, options)
  const faults: Fault[] = ['at', 'location', 'reason', 'description', 'event-id']
    .filter((name) => flags.has(name))
    .map((name) => ({ field: `--${name}`, message: 'is a column of the file' }))
  if (context.args.length > 0) faults.push({ field: '<tracking number>', message: 'goes without --file' })
  refuse(context, faults)
  const notes = scanNotes()
  const words = await wordsOf(context.io, options.words)
  const kind = scanImporter(context, words, tellingOf(options.no_messages), notes, options.dry_run)
  // Other imports take the file as an argument. Here it is a flag, because the argument is a parcel.
  const exit = await importFile({ ...context, args: file === undefined ? [] : [file] }, kind)
  const { days, displaced, ignored } = notes
  if (days > 0) {
    const said = 'shipx takes the end of that day (now, if it is today), after its scans with a time'
    await context.note(`${counted(days, ['row has', 'rows have'])} a day and no time; ${said}.`)
  }
  await warnOf(context, ignored, ['scan is kept and changes nothing', 'scans are kept and change nothing'])
  await warnOf(context, displaced, ['scan kept before has lost its effect', 'scans kept before have lost their effect'])
  return exit
})

/** Warns of the scans of a file that something is to be said of: how many, and the first ones. */
async function warnOf(context: Context, { count, first }: Told, forms: readonly [string, string]): Promise<void> {
  if (count === 0) return
  await context.warn(`${counted(count, forms)}:\n${first.join('\n')}${count > first.length ? '\n…' : ''}`)
}

async function trackOne(context: Context, options: TrackOptions): Promise<number> {
  const { args, io } = context
  const [tracking, typed] = args
  const words = await wordsOf(io, options.words)
  const now = io.host.now()
  const event = typed === undefined ? undefined : words.event(typed)
  const faults: Fault[] = []
  if (tracking === undefined || tracking === '') faults.push(missingArgument(context, 'tracking number'))
  if (typed === undefined) faults.push(missingArgument(context, 'event'))
  else if (event === undefined) faults.push({ field: '<event>', message: unknownEvent(typed) })
  refuse(context, faults)
  const scan: Scan = {
    tracking: tracking!,
    id: options.event_id ?? io.host.uuid(),
    event: event!,
    at: options.at === undefined ? now : countedAt(options.at, event!, now),
    reason: words.reason(options.reason ?? ''),
    location: options.location ?? null,
    description: options.description ?? options.reason ?? null,
    doubt: doubtOf(event!, [options.reason ?? null, options.description ?? null]),
    named: options.event_id !== undefined,
    day: options.at?.day === true,
  }
  const work = (engine: Engine) =>
    trackScans(
      engine.database.dialect,
      engine.account,
      io.host,
      [scan],
      messageMaker(engine.account, io.host, tellingOf(options.no_messages)),
    )
  if (options.dry_run) {
    const [would] = await rehearse(context, work)
    return wouldDo(context, `add the event ${scan.event} to ${scan.tracking} ${here(context)}`, {
      track: scan,
      outcome: would,
    })
  }
  return withEngine(context, 'write', async (engine) => {
    const [tracked] = await engine.database.write(() => work(engine))
    if (tracked!.outcome === 'refused') {
      const { field, message } = tracked!
      if (field === 'tracking_number')
        throw new ShipxError('not_found', safe(message), { hint: 'shipx shipments list' })
      throw invalid([{ field: field === 'event' ? '<event>' : `--${field.replace('_', '-')}`, message: safe(message) }])
    }
    if (context.format !== 'plain' || !context.screen.tty)
      await io.stdout.write(`${jsonText({ data: { id: scan.id, ...tracked } })}\n`)
    if (tracked!.outcome === 'applied') {
      await done(context, `${safe(tracking!)} is ${tracked!.status} ${here(context)}`)
      for (const kept of tracked!.displaced ?? []) await context.warn(`${displacedText(kept, scan)}.`)
    } else if (tracked!.outcome === 'known') await context.note('This event is known already; nothing changes.')
    else await context.warn(`${event!} cannot follow and changes nothing; it is kept. ${possibleText(tracked!)}`)
    return 0
  })
}

function unknownEvent(typed: string): string {
  const meanings = meaningsOf(typed)
  if (meanings !== undefined) return `"${safe(typed.trim())}" is ${meanings}: write which`
  return notOneOf(typed, eventNames, 'event', nearestEvent(typed) !== undefined)
}

/** The couriers' status texts, with those of the file `--words`. Throws `invalid_input`. */
async function wordsOf(io: Context['io'], path: string | undefined): Promise<CourierVocabulary> {
  if (path === undefined) return courierVocabulary()
  const wrong = (message: string): ShipxError =>
    invalid([{ field: '--words', message: `${safe(path)}: ${safe(message)}` }])
  let parsed: unknown
  try {
    parsed = JSON.parse(await readText(io, path, mostWords, '--words'))
  } catch (error) {
    if (error instanceof ShipxError) throw error
    throw wrong(`it is not JSON: ${messageOf(error)}`)
  }
  const part = (name: 'events' | 'reasons'): Readonly<Record<string, string>> => {
    const value =
      typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>)[name] : undefined
    if (value === undefined) return {}
    if (typeof value !== 'object' || value === null || Object.values(value).some((word) => typeof word !== 'string'))
      throw wrong(`"${name}" must be an object of texts`)
    return value as Readonly<Record<string, string>>
  }
  const own: CourierWords = { events: part('events'), reasons: part('reasons') }
  const unknown =
    typeof parsed === 'object' && parsed !== null
      ? Object.keys(parsed).filter((key) => key !== 'events' && key !== 'reasons')
      : []
  const faults = [...unknown.map((key) => `"${key}" is neither events nor reasons`), ...wordFaults(own)]
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw wrong('it is {"events": {…}, "reasons": {…}}')
  if (faults.length > 0)
    throw invalid(faults.slice(0, 20).map((message) => ({ field: '--words', message: safe(message) })))
  return courierVocabulary(own)
}

export const verbs = { 'local track': track }
