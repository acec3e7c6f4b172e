// The command of SQL queries.
import type { Command } from '../../command/tree.ts'

// prettier-ignore
export const sql: Command = {
  path: ['sql'], summary: 'Query the database in SQL',
  about: 'Reads the data on this computer or a mirror, and changes nothing. The account has these views: shipments, shipment_items, shipment_milestones, returns, return_items, stores, orders, ndr_answers and charges.',
  args: [{ name: 'query', help: 'One select statement, or - for standard input' }],
  flags: [
    { name: 'file', kind: 'text', value: '<q.sql>', help: 'Read the query from a file, or - for standard input', group: 'Query', excludes: ['<query>'] },
    { name: 'schema', kind: 'switch', help: 'Show the views, their columns, and what each column means', group: 'Query', excludes: ['<query>', 'file'] },
    { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many rows, for example 100', group: 'Limits', default: '10000' },
    { name: 'timeout', kind: 'text', value: '<30s>', help: 'Stop the query after this time: 30s, 5m; 0 for no limit', group: 'Limits', default: '30s' },
  ],
  examples: [
    { about: 'Show the views and columns', line: 'shipx sql --schema' },
    { about: 'Find the cities with the most returns to origin', line: 'shipx sql "select city, count(*) as n from shipments where status = \'rto_delivered\' group by city order by n desc limit 10"' },
    { about: 'Show what each courier cost, before GST', line: 'shipx sql "select carrier_id, count(*) as parcels, sum(cost_paise) / 100.0 as cost from charges group by carrier_id order by cost desc"' },
    { about: 'Write revenue by SKU as a spreadsheet', line: 'shipx sql "select sku, sum(quantity) as pieces, sum(quantity * price_paise) / 100.0 as rupees from shipment_items group by sku" --limit all --excel' },
  ],
  output: '{data: [{<column>: value}]}',
  exits: '0 done · 2 the query is wrong, or does more than read · 3 no database yet · 6 the query took too long · 130 interrupted',
}
