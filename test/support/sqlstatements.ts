// Which tables a statement of the engine touches, and by which bound value each is restricted to one account. Reads the
// forms that our own statements have and throws for any other, so that nothing passes because it was not understood.

/** A table of a statement and the numbers of the placeholders (1 for `$1`) that `account_id` must be equal to; none when nothing restricts it. */
export interface Touch {
  readonly table: string
  readonly accounts: readonly number[]
}

type Token = string | readonly Token[]

const tokenPattern = /\s+|'(?:[^']|'')*'|\$\d+|[a-z_]\w*|\d+(?:\.\d+)?(?:e\d+)?|<>|<=|>=|\|\||->>|->|[(),.*=<>+\-/]/gy

/** Words, signs, text in quotes and placeholders; what is in parentheses is a list of its own. */
function tokensOf(text: string): readonly Token[] {
  const open: Token[][] = [[]]
  let at = 0
  for (const [token] of text.toLowerCase().matchAll(tokenPattern)) {
    at += token.length
    if (token === '(') open.push([])
    else if (token === ')') {
      const group = open.pop()!
      if (open.length === 0) throw new Error(`a parenthesis too many: ${text}`)
      open.at(-1)!.push(group)
    } else if (token.trim() !== '') open.at(-1)!.push(token)
  }
  if (at !== text.length) throw new Error(`not understood from ${JSON.stringify(text.slice(at, at + 30))}: ${text}`)
  if (open.length !== 1) throw new Error(`a parenthesis is open: ${text}`)
  return open[0]!
}

const isWord = (token: Token | undefined): token is string => typeof token === 'string' && /^[a-z_]\w*$/.test(token)
const isGroup = (token: Token | undefined): token is readonly Token[] => typeof token === 'object'

/** The parts between the places where a token stands. */
function split(tokens: readonly Token[], at: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token === at) parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts
}

/** What stands from a word to the next of others; undefined without the word. */
function clause(tokens: readonly Token[], from: string, ...to: readonly string[]): readonly Token[] | undefined {
  const start = tokens.indexOf(from)
  if (start === -1) return undefined
  const end = tokens.findIndex((token, i) => i > start && typeof token === 'string' && to.includes(token))
  return tokens.slice(start + 1, end === -1 ? undefined : end)
}

/** A table in a `from`, by the name that conditions use for it. */
interface Source {
  readonly table: string
  readonly alias: string
  readonly accounts: number[]
}

const placeholder = (token: Token | undefined): number | undefined =>
  typeof token === 'string' && /^\$\d+$/.test(token) ? Number(token.slice(1)) : undefined

/** Tells sources what conditions restrict them to: only what holds for every row counts, so nothing beside an `or`. */
function restrict(
  sources: readonly Source[],
  outer: readonly Source[],
  conditions: readonly (readonly Token[])[],
): void {
  const all = conditions.filter((tokens) => !tokens.includes('or')).flatMap((tokens) => split(tokens, 'and'))
  const named = (alias: Token | undefined): Source | undefined =>
    [...sources, ...outer].find((source) => source.alias === alias)
  for (const part of all) {
    const value = placeholder(part.at(-1))
    if (value === undefined || part.at(-2) !== '=' || part.at(-3) !== 'account_id') continue
    // Never a table of the query around this one, which may ask for what is not there.
    if (part.length === 5 && part[1] === '.') sources.find(({ alias }) => alias === part[0])?.accounts.push(value)
    else if (part.length === 3 && sources.length === 1) sources[0]!.accounts.push(value)
  }
  // a.account_id = b.account_id hands on what one of them is restricted to.
  for (const part of all) {
    if (part.length !== 7 || part[1] !== '.' || part[2] !== 'account_id' || part[3] !== '=' || part[5] !== '.') continue
    const [a, b] = [named(part[0]), named(part[4])]
    if (part[6] !== 'account_id' || a === undefined || b === undefined) continue
    if (sources.includes(a) && a.accounts.length === 0) a.accounts.push(...b.accounts)
    else if (sources.includes(b) && b.accounts.length === 0) b.accounts.push(...a.accounts)
  }
}

const afterFrom = ['where', 'order', 'group', 'limit', 'offset', 'for', 'returning', 'union']

const joining = ['cross', 'left', 'join', 'on']

/** Reads a `from` and gives its tables, and what is to be done once `where` has been read: what its joins say. */
function readFrom(
  tokens: readonly Token[],
  touched: Source[],
  outer: readonly Source[],
): { readonly sources: readonly Source[]; readonly finish: () => void } {
  const sources: Source[] = []
  const strange = (): Error => new Error(`not understood in a from: ${JSON.stringify(tokens)}`)
  const queries: (readonly Token[])[] = []
  const conditions: { readonly tokens: readonly Token[]; readonly restricted: readonly Source[] }[] = []
  let left = false
  for (let at = 0; ;) {
    const what = tokens[at++]
    const alias = isWord(tokens[at]) && !joining.includes(tokens[at] as string) ? tokens[at++] : what
    if (isWord(what)) sources.push({ table: what, alias: alias as string, accounts: [] })
    else if (isGroup(what)) queries.push(what)
    else throw strange()
    if (tokens[at] === 'on') {
      const end = tokens.findIndex(
        (token, i) => i > at && (token === ',' || (token !== 'on' && joining.includes(token as string))),
      )
      const condition = tokens.slice(at + 1, end === -1 ? undefined : end)
      // What a left join asks for says nothing about the rows on its left.
      conditions.push({ tokens: condition, restricted: left ? sources.slice(-1) : sources })
      at = end === -1 ? tokens.length : end
    }
    if (at >= tokens.length) break
    left = tokens[at] === 'left'
    if (left || tokens[at] === 'cross') at++
    if (tokens[at] !== 'join' && tokens[at] !== ',') throw strange()
    at++
  }
  touched.push(...sources)
  for (const query of queries) readQuery(query, touched, outer)
  const finish = (): void => {
    for (const condition of conditions) {
      restrict(condition.restricted, [...sources, ...outer], [condition.tokens])
      readGroups(condition.tokens, touched, [...sources, ...outer])
    }
  }
  return { sources, finish }
}

/** Looks for queries in what is in parentheses, however deep. */
function readGroups(tokens: readonly Token[], touched: Source[], outer: readonly Source[]): void {
  for (const token of tokens) {
    if (!isGroup(token)) continue
    if (token[0] === 'select') readQuery(token, touched, outer)
    else readGroups(token, touched, outer)
  }
}

function readQuery(tokens: readonly Token[], touched: Source[], outer: readonly Source[]): void {
  for (const part of split(tokens, 'union')) {
    const select = part[0] === 'all' ? part.slice(1) : part
    if (select[0] !== 'select') throw new Error(`not a query: ${JSON.stringify(tokens)}`)
    const from = clause(select, 'from', ...afterFrom)
    const { sources, finish } =
      from === undefined ? { sources: [], finish: () => undefined } : readFrom(from, touched, outer)
    restrict(sources, outer, [clause(select, 'where', ...afterFrom.slice(1)) ?? []])
    finish()
    const start = select.indexOf('from')
    readGroups(start === -1 ? select : select.slice(0, start), touched, [...sources, ...outer])
    if (from !== undefined) readGroups(select.slice(start + 1 + from.length), touched, [...sources, ...outer])
  }
}

function readInsert(tokens: readonly Token[], touched: Source[]): void {
  const [, into, table, names, ...rest] = tokens
  if (into !== 'into' || !isWord(table) || !isGroup(names)) throw new Error(`not understood: ${JSON.stringify(tokens)}`)
  const accounts: number[] = []
  if (rest[0] === 'values') {
    const at = split(names, ',').findIndex((name) => name.length === 1 && name[0] === 'account_id')
    const given = rest.slice(1, rest.findIndex((token) => token === 'on' || token === 'returning') >>> 0)
    for (const values of given.filter(isGroup)) {
      const value = at === -1 ? undefined : split(values, ',')[at]
      const number = value?.length === 1 ? placeholder(value[0]) : undefined
      // Zero is no placeholder: a row without one restricts nothing.
      accounts.push(number ?? 0)
      readGroups(values, touched, [])
    }
  } else readQuery(rest.slice(0, rest.findIndex((token) => token === 'on' || token === 'returning') >>> 0), touched, [])
  touched.push({ table, alias: table, accounts: accounts.includes(0) ? [] : accounts })
}

/** A query made once under a name, and one that reads it: the name is no table. */
function readWith([, name, as, materialized, query, ...rest]: readonly Token[], touched: Source[]): void {
  if (as !== 'as' || materialized !== 'materialized' || !isGroup(query))
    throw new Error(`not understood: with ${JSON.stringify(name)}`)
  readQuery(query, touched, [])
  const others: Source[] = []
  readQuery(rest, others, [])
  touched.push(...others.filter(({ table }) => table !== name))
}

/** What a statement touches. Throws for a form that our statements do not have. */
export function touches(text: string): readonly Touch[] {
  const tokens = tokensOf(text)
  const touched: Source[] = []
  const [verb, second, third] = tokens
  if (verb === 'select') readQuery(tokens, touched, [])
  else if (verb === 'with') readWith(tokens, touched)
  else if (verb === 'insert') readInsert(tokens, touched)
  else if (verb === 'update' && isWord(second) && third === 'set') {
    const source: Source = { table: second, alias: second, accounts: [] }
    touched.push(source)
    const changes = clause(tokens, 'set', 'where', 'returning')!
    // A row does not move to another account, and so not to another shard.
    if (split(changes, ',').some(([column]) => column === 'account_id')) throw new Error(`changes the account: ${text}`)
    restrict([source], [], [clause(tokens, 'where', 'returning') ?? []])
    readGroups(tokens, touched, [source])
  } else if (verb === 'delete' && second === 'from' && isWord(third)) {
    const source: Source = { table: third, alias: third, accounts: [] }
    touched.push(source)
    restrict([source], [], [clause(tokens, 'where', 'returning') ?? []])
    readGroups(tokens, touched, [source])
  } else throw new Error(`not understood: ${text}`)
  return touched.map(({ table, accounts }) => ({ table, accounts }))
}
