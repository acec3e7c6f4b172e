// The output of an import: the wrong rows before it starts, and at the end what was done and why the rest was not.
import { codes, kinds } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { printRecord } from '../output/printer.ts'
import { count, counted } from '../../domain/count.ts'
import { quoted, safe } from '../terminal/safe.ts'
import { plainView } from '../output/views.ts'
import type { Reason, Tally } from './counts.ts'
import type { LeftFiles } from './failedfile.ts'
import type { Failure } from './importer.ts'
import { fittedTo } from '../terminal/wrap.ts'

/** How an import ended: to the end of its file, by its user, or by an error. */
export type Ended =
  { readonly how: 'whole' } | { readonly how: 'stopped' } | { readonly how: 'error'; readonly error: unknown }

/** The inputs of a summary. */
export interface Summary {
  /** The place of what was saved: `on this computer`. */
  readonly where: string
  /** What happened to what is new: `created`. */
  readonly did: string
  readonly noun: readonly [one: string, many: string]
  /** Whether what is saved may change nothing. */
  readonly idles: boolean
  readonly path: string
  readonly rows: number
  readonly tally: Tally
  /** Items that were neither handled nor failed. */
  readonly left: number
  readonly file: LeftFiles | undefined
  readonly seconds: number
  readonly ended: Ended
}

/** Wrong rows by reason: how many there are, and the first lines. */
export type BadRows = Map<string, { count: number; readonly lines: number[] }>

/** How many reasons are shown, how many are counted separately, and how many lines each lists. */
const [reasonsShown, reasonsKept, linesNamed] = [20, 1000, 3]

/** Adds a wrong row to its reason, or to each of its reasons. */
export function noteBad(bad: BadRows, line: number, { message, faults = [{ message, line }] }: Failure): void {
  for (const fault of faults) noteReason(bad, fault.line, fault.message)
}

function noteReason(bad: BadRows, line: number, message: string): void {
  const known = bad.get(message)
  if (known !== undefined) known.count++
  if (known !== undefined && known.lines.length < linesNamed) known.lines.push(line)
  if (known === undefined && bad.size < reasonsKept) bad.set(message, { count: 1, lines: [line] })
}

/** Shows the wrong rows, `all` of them: each reason once, with its first lines. */
export async function showBad(context: Context, bad: BadRows, all: number, counts: 'line' | 'row'): Promise<void> {
  if (all === 0) return
  // An order that comes again below is found at the end.
  const shown = [...bad].toSorted(([, a], [, b]) => a.lines[0]! - b.lines[0]!).slice(0, reasonsShown)
  const lines = shown.map(([message, { count: rows, lines: first }]) =>
    rows === 1
      ? `${counts} ${first[0]!}: ${message}`
      : `${count(rows)} rows: ${message} (${counts}s ${someOf(first, rows)})`,
  )
  const left = bad.size - shown.length
  const rest = left > 0 ? [`and ${counted(left, ['more reason', 'more reasons'])}`] : []
  await context.warn(
    [
      counted(all, ['bad row', 'bad rows']),
      ...[...lines, ...rest].map((line) => `  ${line.replaceAll('\n', ' ')}`),
    ].join('\n'),
  )
}

/** The first of some lines: `2, 5 and 9`, `2, 5, 9 and 34 more`. */
function someOf(first: readonly number[], all: number): string {
  if (all > first.length) return `${first.join(', ')} and ${count(all - first.length)} more`
  return `${first.slice(0, -1).join(', ')} and ${first.at(-1)!}`
}

/**
 * Shows the result: for people on stderr, for programs as one object on stdout (nothing there when an error ends the
 * import).
 */
export async function showSummary(context: Context, summary: Summary): Promise<void> {
  const { tally, rows, left, file, ended } = summary
  if (context.format !== 'plain') {
    for (const said of leftText(file)) await context.warn(said)
    if (ended.how !== 'whole') return
    const { idle: kept, ...rest } = tally.done
    const value = {
      rows,
      ...rest,
      ...(summary.idles ? { kept_without_effect: kept } : {}),
      failed: tally.failed(),
      reasons: tally.reasons().map(({ code, message, count: rows, first }) => ({ code, message, count: rows, first })),
      failed_file: file?.path ?? null,
    }
    const names = Object.keys(value) as (keyof typeof value)[]
    return printRecord(
      context,
      plainView(['import', 'imports'], () => summary.path, names),
      value,
    )
  }
  const failed = tally.failed()
  // --quiet hides notes, not failures.
  if (context.flags.has('quiet') && failed === 0) {
    if (file?.kept !== undefined) for (const said of leftText(file)) await context.warn(said)
    return
  }
  const { ascii } = context.screen
  const [tick, cross, dot] = ascii ? ['+', 'x', '-'] : ['✓', '✗', '·']
  const { created, updated, unchanged, skipped, idle } = tally.done
  const outcomes = [
    [created, summary.did],
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [skipped, 'skipped'],
    [idle, 'kept without effect'],
  ] as const
  const some = outcomes.filter(([n]) => n > 0)
  // The first says what was imported.
  const good = (some.length === 0 ? outcomes.slice(0, 1) : some).map(([n, word], i) =>
    i === 0 ? `${counted(n, summary.noun)} ${word}` : `${count(n)} ${word}`,
  )
  const parts = [
    `${tick} ${good.join(` ${dot} `)} ${safe(summary.where)}`,
    ...(failed === 0 ? [] : [`${cross} ${count(failed)} failed`]),
    ...(left === 0 ? [] : [`${count(left)} not handled`]),
    ...(summary.seconds < 2 ? [] : [`in ${Math.round(summary.seconds)} s`]),
  ]
  const lines = [parts.join('   '), ...reasonLines(tally.reasons())]
  if (file?.path !== undefined) {
    const next = 'correct them there and import that file; its shipx_ columns may stay'
    lines.push(`  Failed rows with reasons: ${safe(file.path)} (${next})`)
  }
  lines.push(...leftText(file).map((said) => `  ${said}`))
  const undone = left > 0 || tally.reasons().some(({ code, unknown }) => unknown || kinds[codes[code].kind].retryable)
  if (undone && ended.how !== 'stopped') lines.push(`  Carry on: ${again(context)}`)
  await context.io.stderr.write(`${await fittedTo(context.io, lines.join('\n'))}\n`)
}

/** What became of the failed rows of an earlier run. */
const leftText = (file: LeftFiles | undefined): readonly string[] => [
  ...(file?.removed === undefined ? [] : [`Removed, since no row failed this time: ${safe(file.removed)}`]),
  ...(file?.kept === undefined ? [] : [`The failed rows of an earlier run are kept: ${safe(file.kept)}`]),
]

/** The bad rows, which were shown before the import, are one line, and each later reason is one. */
function reasonLines(reasons: readonly Reason[]): readonly string[] {
  const bad = reasons.filter(({ early }) => early).reduce((sum, reason) => sum + reason.count, 0)
  const one = `${count(bad).padStart(5)}  ${bad === 1 ? 'bad row' : 'bad rows'} (found before sending)`
  return [...(bad === 0 ? [] : [one]), ...reasons.filter(({ early }) => !early).map(reasonLine)]
}

function reasonLine({ count: all, message, unknown, first }: Reason): string {
  const number = count(all).padStart(5)
  const places = first.map(({ row, name }) => `row ${row} ${safe(name, 'id')}`.trimEnd()).join(', ')
  const rest = all > first.length ? ', …' : ''
  const next = unknown ? ' (will be looked up on the next run)' : ''
  return `${number}  ${safe(message.replaceAll('\n', ' '))} (${places}${rest})${next}`
}

/**
 * The command that runs the import again, or a sentence when other flags were given: shipx does not repeat their
 * values.
 */
function again({ command, args, flags }: Context): string {
  const plain = [...flags.keys()].every((name) => ['yes', 'quiet', 'force'].includes(name))
  const path = args[0] ?? '-'
  return plain && path !== '-' ? `shipx ${command.path.join(' ')} ${quoted(path)}` : 'run the same command again'
}
