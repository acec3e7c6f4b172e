// Progress of long work, on stderr only: a line that is redrawn on a terminal, a plain line every five seconds otherwise.
import type { Context } from './context.ts'

/** A running count. `advance` may be called as often as one likes. */
export interface Progress {
  readonly advance: (by: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Begins to count up to `total` (undefined: nobody knows). Silent under --quiet and for work that is over at once. */
export async function progress(
  { io, flags, screen }: Context,
  what: string,
  total: number | undefined,
): Promise<Progress> {
  if (flags.has('quiet')) return { advance: async () => undefined, end: async () => undefined }
  const every = io.stderr.tty ? 100 : 5000
  const begun = performance.now()
  let shown = begun
  let drawn = false
  let done = 0
  const line = (): string =>
    `${what} ${done.toLocaleString('en-IN')}${total === undefined ? '' : ` of ${total.toLocaleString('en-IN')}`}${screen.ascii ? '...' : '…'}`
  return {
    advance: async (by) => {
      done += by
      const now = performance.now()
      if (now - shown < every || (io.stderr.tty && now - begun < 500)) return
      shown = now
      drawn = true
      await io.stderr.write(io.stderr.tty ? `\r\u001b[K${line()}` : `${line()}\n`)
    },
    end: async () => {
      if (drawn && io.stderr.tty) await io.stderr.write('\r\u001b[K')
    },
  }
}
