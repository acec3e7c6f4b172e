// Progress of long work, on stderr only. On a terminal it is a bar (or, when the total is unknown, a spinner with a
// count), elsewhere a plain line every five seconds.
import { accessible, colourOn } from '../terminal/colour.ts'
import type { Context } from '../command/context.ts'
import { colourWish } from '../command/flags.ts'
import { count } from '../../domain/count.ts'
import type { Io } from '../terminal/io.ts'
import type { Ora } from 'ora'

/** A running count. `advance` may be called at any rate, also before the last call has resolved. */
export interface Progress {
  readonly advance: (by: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Work that ends sooner shows no spinner, ms. */
const patience = 500

/** Characters of a bar. */
const barWidth = 24

/** Whether progress can be redrawn in place: on a terminal without a known size, clearing lines would never end. */
const drawable = (io: Io): boolean =>
  io.stderr.tty &&
  io.stderr.width !== undefined &&
  io.env['TERM'] !== 'dumb' &&
  (io.env['CI'] ?? '') === '' &&
  !accessible(io)

/** Progress as a bar, with the count, the percent and, once it can be estimated, the remaining time. */
function barOf(n: number, total: number, ms: number, ascii: boolean): string {
  const share = total === 0 ? 1 : Math.min(1, n / total)
  const full = Math.round(share * barWidth)
  const [done, open] = ascii ? ['#', '.'] : ['█', '░']
  const left = share > 0 && ms > 2000 ? `   ${leftOf((ms / share) * (1 - share))} left` : ''
  const bar = done.repeat(full) + open.repeat(barWidth - full)
  return `${bar}  ${count(n)}/${count(total)}   ${Math.floor(share * 100)}%${left}`
}

const leftOf = (ms: number): string =>
  ms < 100_000
    ? `${Math.ceil(ms / 1000)} s`
    : ms < 6_000_000
      ? `${Math.ceil(ms / 60_000)} min`
      : `${Math.ceil(ms / 3_600_000)} h`

/**
 * Starts to count up to `total` (undefined: unknown; `uncounted`: only the text). `aside` is additional text, for
 * example how many failed. Shows nothing under --quiet or for short work.
 */
export async function progress(
  { io, flags, screen }: Context,
  what: string,
  total: number | 'uncounted' | undefined,
  aside: () => string = () => '',
): Promise<Progress> {
  if (flags.has('quiet')) return { advance: async () => undefined, end: async () => undefined }
  const started = performance.now()
  let shown = started
  let n = 0
  let ended = false
  let spinner: Promise<Ora> | undefined
  const also = (): string => (aside() === '' ? '' : `   ${aside()}`)
  const counted = (): string =>
    total === 'uncounted' ? '' : ` ${count(n)}${total === undefined ? '' : ` of ${count(total)}`}`
  const line = (): string => `${what}${counted()}${screen.ascii ? '...' : '…'}${also()}`
  const drawn = (): string =>
    typeof total === 'number'
      ? `${what}  ${barOf(n, total, performance.now() - started, screen.ascii)}${also()}`
      : line()
  const start = async (): Promise<Ora> => {
    const { default: ora } = await import('ora')
    return ora({
      text: drawn(),
      stream: io.stderr.stream,
      discardStdin: false,
      // The library ignores --color, NO_COLOR and terminals without these signs.
      color: colourOn(io.stderr, io, colourWish(flags)) ? 'cyan' : false,
      ...(screen.ascii ? { spinner: 'line' } : {}),
    }).start()
  }
  return {
    advance: async (by) => {
      n += by
      const now = performance.now()
      if (ended) return
      if (!drawable(io)) {
        if (now - shown < 5000) return
        shown = now
        await io.stderr.write(`${line()}\n`)
      } else if (spinner !== undefined) (await spinner).text = drawn()
      else if (now - started > patience) await (spinner = start())
    },
    end: async () => {
      ended = true
      // A spinner that runs keeps the process alive. One that could not start has failed in `advance`.
      const running = await spinner?.catch(() => undefined)
      running?.stop()
    },
  }
}
