// The command that answers programs which ask by the Model Context Protocol.
import type { Command } from '../../command/tree.ts'

// prettier-ignore
export const mcp: Command = {
  path: ['mcp'], live: true, summary: 'Answer an assistant by the Model Context Protocol, on standard input and output',
  about: 'An assistant starts this command and asks with its tools: lists, one record, sums, work lists, quotes and SQL. Each tool is a command of shipx with --json, with the same limits and errors. Phone numbers are masked as in tables.\nshipx changes nothing unless --allow-writes is given. Standard output holds messages of the protocol and nothing else.',
  args: [],
  flags: [
    { name: 'allow-writes', kind: 'switch', help: 'Also offer tools that create and change stores and orders, and that answer NDRs', group: 'Tools' },
    { name: 'timeout', kind: 'text', value: '<60s>', help: 'Stop a tool after this time, at most 10m', group: 'Tools', default: '60s' },
  ],
  examples: [
    { about: 'What an assistant starts', line: 'shipx mcp' },
    { about: 'Offer the local copy of an account', line: 'shipx mcp --profile acme --local' },
  ],
  output: 'messages of the protocol, one JSON object on each line', exits: '0 the assistant closed the connection, or you stopped it · 2 bad input · 4 no valid key',
}
