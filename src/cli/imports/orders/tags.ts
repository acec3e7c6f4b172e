// Tags of an order in a sheet: those that do not fit are left out with a word, since shops have looser rules for them.
import { counted } from '../../../domain/count.ts'
import { maxTags } from '../../../domain/orders.ts'
import { id, maxId } from '../../../domain/values.ts'

/** The tags that an order can have, each once, and what is said about the others. */
export function fittedTags(value: unknown): { readonly value: readonly string[]; readonly said?: string | undefined } {
  const tag = id()
  const all = [...new Set(value as readonly string[])]
  const kept = all.filter((text) => tag.safeParse(text).success).slice(0, maxTags)
  const out = all.length - kept.length
  if (out === 0) return { value: kept }
  const rule = `an order has at most ${maxTags} tags of at most ${maxId} characters, none of them invisible`
  return { value: kept, said: `without ${counted(out, ['that does', 'that do'])} not fit: ${rule}` }
}
