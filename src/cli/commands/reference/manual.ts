// `shipx commands`, `shipx help`: shipx's description of itself, from the command tree alone.
import { ShipxError } from '../../../domain/errors.ts'
import { nearestName, guessText } from '../../../domain/nearest.ts'
import { aliasesOf, isOwnWord, shellWords } from '../../args/aliases.ts'
import { depthOf, shortForms } from '../../args/otherwords.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { helpOn } from '../../help/help.ts'
import type { Tree } from '../../command/tree.ts'
import treeData from '../../tree.json' with { type: 'json' }
import { installed } from '../../source/packagefiles.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { pagesTopic, pagesIn } from './pages.ts'

const tree = treeData as unknown as Tree

async function commands(context: Context): Promise<number> {
  refuse(context, [])
  const { format, io, screen } = context
  if (format === 'json' || format === 'jsonl')
    await io.stdout.write(`${jsonText(tree, format === 'json' && screen.tty)}\n`)
  else {
    const about = (summary: string): string => (screen.tty ? `  ${screen.paint.dim(summary)}` : `\t${summary}`)
    const lines = tree.commands.map(({ path, summary }) => `shipx ${path.join(' ')}${about(summary)}`)
    await io.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

/** The words of the command that the line of an alias runs. */
function commandIn(line: string): readonly string[] {
  const words = shellWords(line) ?? []
  return words.slice(0, depthOf(tree, words))
}

async function help(context: Context): Promise<number> {
  const { args, io, screen } = context
  refuse(context, [])
  const aliases = aliasesOf(io)
  const [name = ''] = args
  const alias = args.length === 1 && !isOwnWord(tree, name) && Object.hasOwn(aliases, name) ? aliases[name]! : undefined
  const layout = { paint: screen.paint, columns: screen.tty ? screen.width : undefined, aliases }
  const short = Object.hasOwn(shortForms, name) ? [...shortForms[name]!, ...args.slice(1)] : args
  const words = alias === undefined ? short : commandIn(alias)
  const text = helpOn(tree, words, layout)
  const page = words.length === 1 && words[0] === pagesTopic ? text + pagesIn(installed().pages, layout) : text
  const found = alias === undefined ? page : `${safe(name)} is your alias for: shipx ${safe(alias)}\n\n${page ?? ''}`
  if (found !== undefined) return (await io.stdout.write(found), 0)
  const known = [
    ...Object.keys(shortForms),
    ...tree.topics.map((topic) => topic.name),
    ...tree.commands.map(({ path }) => path.join(' ')),
    ...tree.groups.map((group) => group.name),
  ]
  const asked = args.join(' ').slice(0, 60)
  const near = nearestName(asked, known)
  const topics = tree.topics.map((topic) => topic.name).join(', ')
  throw new ShipxError('unknown_command', `there is no help on "${asked}"${guessText(near)}\nTopics: ${topics}`, {
    hint: near === undefined ? 'shipx --help' : `shipx help ${near}`,
  })
}

export const verbs = { commands, help }
