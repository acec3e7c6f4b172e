// `shipx mcp`: answers an assistant by the Model Context Protocol until it closes the connection.
import { ShipxError } from '../../../domain/errors.ts'
import { didYouMean } from '../../../domain/nearest.ts'
import { flag, span } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { text } from '../../command/flags.ts'
import type { Tree } from '../../command/tree.ts'
import { installed } from '../../source/packagefiles.ts'
import { safe } from '../../terminal/safe.ts'
import treeData from '../../tree.json' with { type: 'json' }
import { placesOf } from './places.ts'
import { answerOf, refusalOf, type ToolAnswer } from './toolanswer.ts'
import { lineOf } from './toolline.ts'
import { runTool } from './toolrun.ts'
import { described, toolsOf, type Tool } from './tools.ts'

const tree = treeData as unknown as Tree

/** The longest time of a tool, ms. */
const longest = 600_000

/** Flags of the command line that decide where tools find their data; each tool's command gets them too. */
const placing = ['db', 'database', 'account', 'profile', 'base-url'] as const

const about =
  'shipx knows the shipments, returns, stores, orders, courier prices and invoices of an Indian online merchant. ' +
  'Amounts are rupees unless a name ends in _paise, weights are grams, times are ISO 8601 in UTC. ' +
  'Sums: shipments_summary or sql. Lists answer a page: narrow them with filters, fields and limit.'

const options = { allow_writes: flag, no_sql: flag, timeout: span('60s', 1000), show_pii: flag }

const mcp = verb(options, async (context, { allow_writes: writes, no_sql: noSql, timeout, show_pii: pii }) => {
  const tooLong = { field: '--timeout', message: 'is at most 10m' }
  refuse(context, timeout.ms > longest ? [tooLong] : [])
  // A wrong profile is an error now, and not at the first tool.
  await context.target()
  const { version, command } = installed()
  const { Server, serveStdio, StdioServerTransport } = await import('./library.ts')
  const tools = new Map(toolsOf(tree, { writes, sql: !noSql }).map((tool) => [tool.name, tool]))
  const list = [...tools.values()].map(described)
  const inTurn = placesOf()
  const call = async (name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
    try {
      const line = lineOf(toolNamed(tools, name), input, sharedWords(context))
      const run = { command, ...line, env: context.io.env, limit_ms: timeout.ms, signal }
      return answerOf(await inTurn(() => runTool(run)), pii)
    } catch (error) {
      return refusalOf(error)
    }
  }
  const { stdin, stdout, onInterrupt } = context.io
  return new Promise<number>((resolve) => {
    const serverOf = (): InstanceType<typeof Server> => {
      const server = new Server({ name: 'shipx', version }, { capabilities: { tools: {} }, instructions: about })
      server.setRequestHandler('tools/list', async () => ({ tools: list }))
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }): Promise<ToolAnswer> => {
        return call(params.name, params.arguments ?? {}, mcpReq.signal)
      })
      return server
    }
    const transport = new StdioServerTransport(stdin.stream, stdout.stream)
    // The protocol has no answer to a line that is not a message: only the assistant's log can show it.
    const warn = ({ message }: Error): void => void context.warn(`left out what is not a message: ${message}`)
    const handle = serveStdio(serverOf, { transport, onerror: warn })
    const closed = transport.onclose
    const quieten = onInterrupt(() => void handle.close())
    Object.assign(transport, {
      onclose: () => {
        closed?.()
        quieten()
        stdin.close()
        resolve(0)
      },
    })
  })
})

/** The tool of a name. Throws `invalid_input` for one that is not offered. */
function toolNamed(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name)
  if (tool !== undefined) return tool
  const message = `there is no tool ${safe(name.slice(0, 60))}${didYouMean(name, [...tools.keys()])}`
  throw new ShipxError('unknown_command', message, {
    hint: 'tools that change something need shipx mcp --allow-writes',
  })
}

/** The words that every tool's command gets: where its data is, JSON, and no questions. */
function sharedWords({ flags }: Context): readonly string[] {
  const places = placing.flatMap((name) => {
    const value = text(flags, name)
    return value === undefined ? [] : [`--${name}=${value}`]
  })
  return [...places, ...(flags.has('local') ? ['--local'] : []), '--json', '--no-input', '--yes', '--no-color']
}

export const verbs = { mcp }
