// Confirmations and the notes of writes: asks on a terminal, refuses where no one can answer.
import { ShipxError } from '../../domain/errors.ts'
import { accessible } from '../terminal/colour.ts'
import type { Context } from '../command/context.ts'
import { keptBy } from '../command/kept.ts'

/**
 * Whether a person can answer: terminals on both sides, no CI, no --no-input. A terminal that calls itself dumb most
 * likely belongs to a program. A person at one sets ACCESSIBLE=1 and gets questions in plain lines.
 */
export function canAsk({ io, flags }: Pick<Context, 'io' | 'flags'>): boolean {
  const { env } = io
  const set = (name: string): boolean => env[name] !== undefined && env[name] !== ''
  return (
    io.stdin.tty &&
    io.stderr.tty &&
    !flags.has('no-input') &&
    !set('SHIPX_NO_INPUT') &&
    !set('CI') &&
    (env['TERM'] !== 'dumb' || accessible(io))
  )
}

/**
 * Returns when --yes was given or the user agrees. Throws `needs_answer` when no one can answer, and `interrupted` when
 * the user says no.
 */
export async function confirm(context: Context, question: string): Promise<void> {
  if (context.flags.has('yes')) return
  if (!canAsk(context))
    throw new ShipxError('needs_answer', `this needs a yes: ${lowered(question)}`, { hint: 'add --yes' })
  const { askerOf } = await import('./ask.ts')
  const agreed = await (await askerOf(context)).agree(`${question}?`)
  if (!agreed) throw unagreed(context)
}

/** A question inside a sentence. */
const lowered = (question: string): string => question.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

function unagreed({ io }: Context): ShipxError {
  const kept = keptBy(io)
  if (kept.length === 0) return new ShipxError('interrupted', 'Cancelled, nothing was changed.')
  const what = kept.map((one) => one.what).join(', ')
  return new ShipxError('interrupted', `Cancelled. ${what} stays saved; nothing else was changed.`, {
    hint: kept[0]!.undo,
  })
}
