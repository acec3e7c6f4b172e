// The command line of a tool: what an assistant sends, as words of a command.
import { count } from '../../../domain/count.ts'
import { invalid, ShipxError, type Fault } from '../../../domain/errors.ts'
import { didYouMean } from '../../../domain/nearest.ts'
import type { Flag } from '../../command/tree.ts'
import { safe } from '../../terminal/safe.ts'
import type { Tool } from './tools.ts'

/** The words of a tool's command after `shipx`, and what it gets on standard input. */
export interface ToolLine {
  readonly words: readonly string[]
  readonly input: string
}

/** The most bytes of a command line: systems let one word have 131,071. */
const mostBytes = 100_000

/** The command line of a tool; `shared` are flags that all tools get. Throws `invalid_input`. */
export function lineOf(tool: Tool, input: Readonly<Record<string, unknown>>, shared: readonly string[]): ToolLine {
  const faults: Fault[] = []
  const flags: string[] = []
  const args: string[] = []
  for (const [key, value] of Object.entries(input)) {
    const flag = tool.flags.get(key)
    const arg = tool.args.get(key)
    if (flag === undefined && arg === undefined) faults.push(unknownField(tool, key))
    else if (value === null || value === undefined) continue
    else if (flag !== undefined) flags.push(...flagWords(flag, key, value, faults))
  }
  for (const [key, arg] of tool.args) {
    const value = input[key]
    if (value === null || value === undefined) continue
    const words = textsOf(value)
    if (words === undefined || (arg.many !== true && words.length > 1))
      faults.push({ field: key, message: arg.many === true ? 'must be a list of texts' : 'must be a text' })
    else args.push(...words)
  }
  if (faults.length > 0) throw invalid(faults)
  // A query may be longer than a command line.
  const query = tool.name === 'sql' ? args.pop() : undefined
  if (query !== undefined) args.push('-')
  const words = [...tool.command.path, ...flags, ...shared, ...(args.length === 0 ? [] : ['--', ...args])]
  if (Buffer.byteLength(words.join(' ')) > mostBytes)
    throw new ShipxError('invalid_input', `the fields have more than ${count(mostBytes)} bytes together`, {
      hint: 'ask for fewer values at a time',
    })
  return { words, input: query ?? '' }
}

const unknownField = ({ name, flags, args }: Tool, key: string): Fault => ({
  field: safe(key.slice(0, 60)),
  message: `is not a field of ${name}${didYouMean(key, [...flags.keys(), ...args.keys()])}`,
})

/** A text, or a number or yes/no as the text that means it. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
      ? String(value)
      : undefined

/** One text or several; undefined for anything else. */
function textsOf(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map(textOf)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function flagWords(flag: Flag, key: string, value: unknown, faults: Fault[]): readonly string[] {
  const name = `--${flag.name}`
  const fault = (message: string): readonly string[] => {
    faults.push({ field: key, message })
    return []
  }
  if (flag.kind === 'switch') {
    if (typeof value !== 'boolean') return fault('must be true or false')
    return value ? [name] : []
  }
  const texts = textsOf(value)
  if (flag.kind === 'list') {
    if (texts === undefined) return fault('must be a list of texts')
    return [`${name}=${texts.join(',')}`]
  }
  if (flag.kind === 'repeated') return texts?.map((text) => `${name}=${text}`) ?? fault('must be a list of texts')
  if (texts === undefined || texts.length !== 1) return fault('must be one value')
  return [`${name}=${texts[0]!}`]
}
