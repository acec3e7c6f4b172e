// Progress of long work, on stderr only: a spinner with a count on a terminal, a plain line every five seconds otherwise.
import type { Context } from './context.ts'

/** A running count. `advance` may be called as often as one likes. */
export interface Progress {
  readonly advance: (by: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Work that is over sooner than this shows no spinner, ms. */
const patience = 500

/** Begins to count up to `total` (undefined: nobody knows). Silent under --quiet and for work that is over at once. */
export async function progress(
  { io, flags, screen }: Context,
  what: string,
  total: number | undefined,
): Promise<Progress> {
  if (flags.has('quiet')) return { advance: async () => undefined, end: async () => undefined }
  const begun = performance.now()
  let shown = begun
  let count = 0
  let spinner: { text: string; readonly stop: () => void } | undefined
  const line = (): string =>
    `${what} ${count.toLocaleString('en-IN')}${total === undefined ? '' : ` of ${total.toLocaleString('en-IN')}`}${screen.ascii ? '...' : '…'}`
  return {
    advance: async (by) => {
      count += by
      const now = performance.now()
      if (!io.stderr.tty) {
        if (now - shown < 5000) return
        shown = now
        await io.stderr.write(`${line()}\n`)
      } else if (spinner !== undefined) spinner.text = line()
      else if (now - begun > patience) {
        const { default: ora } = await import('ora')
        spinner = ora({ text: line(), stream: io.stderr.stream, discardStdin: false }).start()
      }
    },
    end: async () => spinner?.stop(),
  }
}
