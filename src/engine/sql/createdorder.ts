// Recognizes a query that reads one view of records in the order of their creation, and has it ordered by a number.
import { sqlTokens, type SqlToken } from './tokens.ts'

/** The views with a time of creation that an index has, the names of the time, and its number. */
const views: ReadonlySet<string> = new Set(['shipments', 'returns'])
const created: ReadonlySet<string> = new Set(['created_at', 'created'])
const number = 'created_at_ms'

/** Words of queries that are no plain list of records. */
const otherForms: readonly string[] = ['distinct', 'group', 'having', 'window', 'union', 'intersect', 'except', 'join']

/** What may follow the term of an order. */
const afterTerm: ReadonlySet<string> = new Set([',', 'asc', 'desc', 'nulls', 'limit', ';', ''])

/** The text of a word or sign in lower case; that of quoted names and texts as one that no word has. */
const wordOf = (token: SqlToken | undefined): string =>
  token === undefined ? '' : token.kind === 'word' || token.kind === 'sign' ? token.text.toLowerCase() : '"'

/**
 * A query `select … from shipments … order by created_at …` with `created_at_ms` in its order, which sorts in the same
 * way, but for times before 1970 and after 9999. Undefined for any other form: nothing that it selects may have one of
 * these names.
 */
export function createdByNumber(text: string): string | undefined {
  const all = outside([...sqlTokens(text)])
  const words = all.map(wordOf)
  const begin = words.indexOf('select')
  const from = words.indexOf('from')
  const order = words.indexOf('order', from)
  const condition = words.indexOf('where', from)
  const plain = /^(?:|explain|explain query plan)$/.test(words.slice(0, Math.max(0, begin)).join(' '))
  if (!plain || from === -1 || order === -1 || words[order + 1] !== 'by' || !views.has(words[from + 1]!))
    return undefined
  if (otherForms.some((form) => words.includes(form))) return undefined
  const named = words.slice(from + 2, condition === -1 ? order : condition)
  if (!/^(?:as )?\w*$/.test(named.join(' '))) return undefined
  const listed = all.slice(begin, from + 1)
  if (!listed.every((token, i) => isNoAlias(token, wordOf(listed[i - 1]), wordOf(listed[i + 1])))) return undefined
  const term = order + (words[order + 3] === '.' ? 4 : 2)
  if (!created.has(words[term]!) || !afterTerm.has(words[term + 1] ?? '')) return undefined
  const { at, text: name } = all[term]!
  return `${text.slice(0, at)}${number}${text.slice(at + name.length)}`
}

/** The tokens that are not in parentheses; these stay, without what is in them. */
function outside(tokens: readonly (SqlToken | undefined)[]): readonly SqlToken[] {
  let depth = 0
  return tokens.filter((token): token is SqlToken => {
    if (token?.kind === 'sign' && token.text === ')') depth--
    const here = depth === 0
    if (token?.kind === 'sign' && token.text === '(') depth++
    return token !== undefined && here
  })
}

/** Whether a token in the list of columns is no alias with the name of the time, or of its number. */
const isNoAlias = ({ kind, text }: SqlToken, before: string, after: string): boolean =>
  kind === 'sign' ||
  !(created.has(text.toLowerCase()) || text.toLowerCase() === number) ||
  (kind === 'word' && ['select', ',', '.'].includes(before) && [',', 'from'].includes(after))
