// The command of questions in SQL.
import type { Command } from '../../command/tree.ts'

// prettier-ignore
export const sql: Command = {
  path: ['sql'], summary: 'Ask the database a question in SQL',
  about: 'Of the embedded engine\'s database or a mirror, read-only. Asks the views shipments, shipment_items, shipment_milestones, returns, return_items, stores and orders of the account.',
  args: [{ name: 'statement', help: 'One select statement, or - for standard input' }],
  flags: [
    { name: 'file', kind: 'text', value: '<q.sql>', help: 'The statement out of a file, or - for standard input', group: 'Question', excludes: ['<statement>'] },
    { name: 'schema', kind: 'switch', help: 'The views and their columns, with what they mean', group: 'Question', excludes: ['<statement>', 'file'] },
    { name: 'limit', kind: 'text', value: '<n|all>', help: 'At most so many rows', group: 'Limits', default: '10000' },
    { name: 'timeout', kind: 'text', value: '<30s>', help: 'How long it may take; 0 for as long as it does', group: 'Limits', default: '30s' },
  ],
  examples: [
    { about: 'What can be asked', line: 'shipx sql --schema' },
    { about: 'The cities where most comes back', line: 'shipx sql "select city, count(*) as n from shipments where status = \'rto_delivered\' group by city order by n desc limit 10"' },
    { about: 'Revenue by SKU, as a spreadsheet', line: 'shipx sql "select sku, sum(quantity) as pieces, sum(quantity * price_paise) / 100.0 as rupees from shipment_items group by sku" --limit all --excel' },
  ],
  output: '{data: [{<column>: value}]}',
  exits: '0 done · 2 the statement is wrong or not allowed · 3 no database yet · 6 it took too long · 130 interrupted',
}
