// Chooses how a run asks questions: drawn on the terminal, or in plain lines.
import { accessible } from '../terminal/colour.ts'
import type { Context } from '../command/context.ts'
import type { Asker } from './asker.ts'

/** How this run asks: drawn, or in plain lines for people who cannot see a drawn question. */
export async function askerOf(context: Pick<Context, 'io' | 'flags'>): Promise<Asker> {
  if (accessible(context.io)) return (await import('./plain.ts')).plainAsker(context.io)
  return (await import('./drawn.ts')).drawnAsker(context)
}
