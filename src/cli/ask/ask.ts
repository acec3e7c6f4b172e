// Which of the two ways of asking a run uses: drawn, or in plain lines.
import { accessible } from '../terminal/colour.ts'
import type { Context } from '../command/context.ts'
import type { Asker } from './asker.ts'

/** The way to ask in this run: drawn, or in plain lines for people who cannot see what is drawn. */
export async function askerOf(context: Pick<Context, 'io' | 'flags'>): Promise<Asker> {
  if (accessible(context.io)) return (await import('./plain.ts')).plainAsker(context.io)
  return (await import('./drawn.ts')).drawnAsker(context)
}
