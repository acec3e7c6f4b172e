// `shipx commands`, `shipx help`: what shipx says of itself, out of the command tree alone.
import { ShipxError } from '../../domain/errors.ts'
import { nearest } from '../../domain/nearest.ts'
import { refuse, type Context } from '../context.ts'
import { commandHelp, groupHelp, overview } from '../help.ts'
import { commandsUnder, type Tree } from '../tree.ts'
import treeData from '../tree.json' with { type: 'json' }

const tree = treeData as unknown as Tree

async function commands(context: Context): Promise<number> {
  refuse(context, [])
  const { format, io, screen } = context
  if (format === 'json' || format === 'jsonl')
    await io.stdout.write(`${JSON.stringify(tree, null, format === 'json' && screen.tty ? 2 : 0)}\n`)
  else
    await io.stdout.write(
      `${tree.commands.map((command) => `shipx ${command.path.join(' ')}${screen.tty ? `  ${screen.paint.dim(command.summary)}` : `\t${command.summary}`}`).join('\n')}\n`,
    )
  return 0
}

async function help(context: Context): Promise<number> {
  const { args, io, screen } = context
  const [topic] = args
  if (topic === undefined) return (await io.stdout.write(overview(tree, screen.paint)), 0)
  const found = tree.topics.find((candidate) => candidate.name === topic)
  if (found !== undefined) return (await io.stdout.write(`${screen.paint.bold(found.summary)}\n\n${found.text}\n`), 0)
  const under = commandsUnder(tree, [topic])
  if (under.length === 1 && under[0]!.path.length === 1)
    return (await io.stdout.write(commandHelp(tree, under[0]!, screen.paint)), 0)
  if (under.length > 0) return (await io.stdout.write(groupHelp(tree, [topic], screen.paint)), 0)
  const known = [...tree.topics.map((candidate) => candidate.name), ...tree.groups.map((group) => group.name)]
  const near = nearest(topic, known)
  throw new ShipxError(
    'unknown_command',
    `there is no help on "${topic.slice(0, 60)}"${near === undefined ? '' : `. Did you mean ${near}?`}\nTopics: ${known.join(', ')}`,
  )
}

export const verbs = { commands, help }
