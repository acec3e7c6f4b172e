// The filters of a listing in words, for people; knows no listing.
import type { Query } from '../../domain/contract.ts'
import { readInstant } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { showTime, words } from '../output/display.ts'
import { safe } from '../terminal/safe.ts'

/** The filters of an input in words. */
export function described({ screen }: Pick<Context, 'screen'>, input: Query): string {
  const skip = new Set(['page', 'per_page', 'sort_order', 'sort_by', 'search_after', 'next_search_after', 'date_field'])
  const parts = Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (skip.has(key) || value === undefined) return []
    if (key === 'status') return [words(String(value)).toLowerCase()]
    if (key === 'is_cod') return [value === true ? 'COD' : 'prepaid']
    const found = /__?(gte|lte|min|max|time)$/.exec(key)
    if (found === null)
      return [
        `${words(key.replace(/_(names?|ids?)$/, '')).toLowerCase()} ${Array.isArray(value) ? value.join(', ') : String(value)}`,
      ]
    const [field, bound] = [key.slice(0, found.index), found[1]!]
    const lower = ['gte', 'min'].includes(bound) || field === 'start'
    if (bound !== 'time' && !field.endsWith('_at'))
      return [`${words(field).toLowerCase()} ${lower ? 'at least' : 'at most'} ${String(value)}`]
    const date = bound === 'time' ? (('date_field' in input ? input.date_field : undefined) ?? 'created_at') : field
    const ms = bound === 'time' ? Number(value) * 1000 : readInstant(String(value))
    return [
      `${words(date.replace(/_(at|date)$/, '')).toLowerCase()} ${lower ? 'from' : 'until'} ${ms === undefined ? String(value) : showTime(ms, screen)}`,
    ]
  })
  return safe(parts.join(screen.ascii ? ' - ' : ' · '))
}
