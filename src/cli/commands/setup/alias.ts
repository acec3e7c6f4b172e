// `shipx alias …`: the user's own short forms for command lines, kept with the profiles.
import { ShipxError, invalid, messageOf, type Fault } from '../../../domain/errors.ts'
import { nearestName, guessText } from '../../../domain/nearest.ts'
import { aliasesOf, isOwnWord, shellWords, wordsNeeded } from '../../args/aliases.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { readWords } from '../../args/parse.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Tree } from '../../command/tree.ts'
import { changeProfiles } from '../../config/profiles.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { safe } from '../../terminal/safe.ts'
import treeData from '../../tree.json' with { type: 'json' }

const tree = treeData as unknown as Tree

/** An alias as shipx shows it. */
interface Alias extends Record<string, unknown> {
  readonly alias: string
  readonly line: string
}

const view = plainView<Alias>(['alias', 'aliases'], ({ alias }) => alias, ['alias', 'line'])

const [mostAliases, longest] = [200, 2000]

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  const all = Object.entries(aliasesOf(context.io)).map(([alias, line]) => ({ alias, line }))
  const empty = "No aliases yet. Make one: shipx alias set late 'shipments stuck --days 5'"
  await printList(
    context,
    view,
    all.toSorted((a, b) => (a.alias < b.alias ? -1 : 1)),
    empty,
  )
  return 0
}

/** The fault of a name that no alias can have. */
function nameFault(name: string): string | undefined {
  if (!/^[A-Za-z][\w-]{0,29}$/.test(name))
    return `"${safe(name.slice(0, 40))}" is not a name: a letter first, then letters, digits, - and _, at most 30`
  return isOwnWord(tree, name) ? `${name} is a command of shipx; choose another name` : undefined
}

/** The line of an alias without `shipx` in front, or its fault. */
function readLine(typed: string): { readonly line: string } | { readonly fault: string } {
  const line = typed.trim().replace(/^shipx\s+/, '')
  if (line.length > longest) return { fault: `is longer than ${longest} characters` }
  if (/\p{Cc}/u.test(line)) return { fault: 'has a line break or another control character' }
  const words = shellWords(line)
  if (words === undefined) return { fault: 'has a quote without an end' }
  if (/^[!|]/.test(line)) return { fault: 'is not a line of shipx; for other programs, use an alias of your shell' }
  try {
    // Whether the command and its flags exist; what a placeholder becomes is checked when the alias runs.
    const read = readWords(
      tree,
      words.map((word) => word.replace(/\$[1-9]/g, '1')),
    )
    if (read.path.length === 0) return { fault: 'names no command' }
  } catch (error) {
    if (error instanceof ShipxError) return { fault: error.details[0]?.message ?? messageOf(error) }
    throw error
  }
  return { line }
}

const set = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  const [name, typed] = context.args
  const faults: Fault[] = []
  const wrong = name === undefined ? undefined : nameFault(name)
  const read = typed === undefined ? undefined : readLine(typed)
  if (name === undefined) faults.push(missingArgument(context, 'name'))
  else if (wrong !== undefined) faults.push({ field: '<name>', message: wrong })
  if (read === undefined) faults.push(missingArgument(context, 'line'))
  else if ('fault' in read) faults.push({ field: '<line>', message: read.fault })
  refuse(context, faults)
  const { line } = read as { readonly line: string }
  const before = Object.hasOwn(aliasesOf(io), name!) ? aliasesOf(io)[name!] : undefined
  if (dry) return wouldDo(context, `make shipx ${name!} run: shipx ${line}`, { set: { alias: name, line } })
  await changeProfiles(io, (profiles) => {
    const aliases = { ...profiles.aliases, [name!]: line }
    if (Object.keys(aliases).length > mostAliases)
      throw invalid([{ field: '<name>', message: `there are ${mostAliases} aliases already` }], 'shipx alias list')
    return { ...profiles, aliases }
  })
  const more = Array.from({ length: wordsNeeded(shellWords(line)!) }, (_, i) => ` <${i + 1}>`).join('')
  const old = before === undefined || before === line ? '' : ` (before: ${before})`
  return answer(context, `shipx ${name!}${more} now runs: shipx ${line}${old}`, { alias: name, line })
})

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  const [name] = context.args
  refuse(context, name === undefined ? [missingArgument(context, 'name')] : [])
  const line = aliasIn(aliasesOf(io), name!)
  if (dry) return wouldDo(context, `remove alias ${name!}`, { remove: { alias: name, line } })
  await changeProfiles(io, ({ aliases = {}, ...profiles }) => {
    aliasIn(aliases, name!)
    const left = Object.entries(aliases).filter(([other]) => other !== name)
    return left.length === 0 ? profiles : { ...profiles, aliases: Object.fromEntries(left) }
  })
  return answer(context, `Removed alias ${name!}, which ran: shipx ${line}`, { alias: name, line })
})

/** The line of an alias. Throws `not_found` with the nearest name. */
function aliasIn(aliases: Readonly<Record<string, string>>, name: string): string {
  const line = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (line !== undefined) return line
  const near = nearestName(name, Object.keys(aliases))
  throw new ShipxError('not_found', `there is no alias ${safe(name.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: 'shipx alias list',
  })
}

export const verbs = { 'alias set': set, 'alias list': list, 'alias remove': remove }
