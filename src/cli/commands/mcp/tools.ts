// The tools of `shipx mcp`: which commands an assistant may run, and the JSON Schema of what each takes. Both come from
// the command tree, whose flags come from the contract.
import type { Argument, Command, Flag, Tree } from '../../command/tree.ts'

/** The commands that only read. */
const reading: readonly string[] = [
  'shipments list',
  'shipments get',
  'shipments summary',
  'shipments stuck',
  'shipments ndr',
  'shipments cost',
  'shipments rto',
  'returns list',
  'returns get',
  'returns summary',
  'stores list',
  'stores get',
  'rates',
  'serviceability',
  'pincode',
  'invoices list',
  'invoices get',
  'invoices unbilled',
  'disputes list',
  'cod due',
  'sql',
]

/** The commands that change something: `--allow-writes`. */
const writing: readonly string[] = ['stores create', 'stores update', 'orders create', 'shipments ndr answer']

/** Flags that an assistant does not need, or that read or write files, open questions or never end. */
const withheld: ReadonlySet<string> = new Set([
  'all',
  'explain',
  'force',
  'file',
  'logo',
  'out',
  'logo-out',
  'watch',
  'compare',
  'card',
  'infer-card',
  'save-map',
  'use-map',
])

/** A property of a tool's input as JSON Schema; the SDK's types want lists that can be changed. */
interface Property {
  [keyword: string]: string | string[] | { [keyword: string]: string | string[] }
}

/** A tool: a command, and the flags and arguments that it takes, by their names with underscores. */
export interface Tool {
  readonly name: string
  readonly command: Command
  readonly writes: boolean
  readonly flags: ReadonlyMap<string, Flag>
  readonly args: ReadonlyMap<string, Argument>
}

/** The name of a flag or an argument in a tool's input. */
const propertyName = (name: string): string => name.replaceAll('-', '_')

/** Which tools an assistant gets beside those that only read. */
interface Offered {
  readonly writes: boolean
  readonly sql: boolean
}

/** The tools, those that change something only with `writes`. */
export function toolsOf(tree: Tree, { writes, sql }: Offered): readonly Tool[] {
  const fields = tree.globals.filter(({ name }) => name === 'fields')
  const toolOf = (words: string, changes: boolean): Tool => {
    const command = tree.commands.find(({ path }) => path.join(' ') === words)
    if (command === undefined) throw new Error(`there is no command ${words}`)
    const flags = [...command.flags, ...(changes ? [] : fields)].filter(
      ({ name, hidden, offers }) =>
        hidden !== true && offers !== 'files' && offers !== 'folders' && !withheld.has(name),
    )
    return {
      name: words.replaceAll(' ', '_'),
      command,
      writes: changes,
      flags: new Map(flags.map((flag) => [propertyName(flag.name), flag])),
      args: new Map(command.args.map((arg) => [propertyName(arg.name), arg])),
    }
  }
  return [
    ...reading.filter((words) => sql || words !== 'sql').map((words) => toolOf(words, false)),
    ...(writes ? writing.map((words) => toolOf(words, true)) : []),
  ]
}

function propertyOf({ kind, help, choices, value, default: usual }: Flag): Property {
  const about = usual === undefined ? help : `${help} (default: ${usual})`
  const choice = choices === undefined ? {} : { enum: [...choices] }
  if (kind === 'switch' || kind === 'boolean') return { type: 'boolean', description: help }
  if (kind === 'list' || kind === 'repeated')
    return { type: 'array', items: { type: 'string', ...choice }, description: about }
  if (kind === 'number') return { type: 'number', description: about }
  return { type: 'string', description: value === undefined ? about : `${about}, as ${value}`, ...choice }
}

const argumentProperty = ({ help, many }: Argument): Property =>
  many === true
    ? { type: 'array', items: { type: 'string' }, description: help }
    : { type: 'string', description: help }

/** A tool as the protocol describes it. */
export function described({ name, command, writes, flags, args }: Tool) {
  const properties = {
    ...Object.fromEntries([...args].map(([key, arg]) => [key, argumentProperty(arg)])),
    ...Object.fromEntries([...flags].map(([key, flag]) => [key, propertyOf(flag)])),
  }
  const about = [command.summary, command.about, command.output === undefined ? undefined : `Answers ${command.output}`]
  return {
    name,
    title: command.summary,
    description: about.filter((text) => text !== undefined).join('\n'),
    inputSchema: { type: 'object' as const, properties, additionalProperties: false },
    annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: writes },
  }
}
