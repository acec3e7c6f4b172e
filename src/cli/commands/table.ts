// The command table: every command, argument, flag and example of shipx, from the rows.ts of each noun; its filters
// come from the contract. Read when the command tree is generated, not when a command runs.
import { cards } from './ratecards/rows.ts'
import { delivery, templates } from './messages/rows.ts'
import { globals } from './rows/globals.ts'
import { aliases, init, auths, maps, profileCommands } from './setup/rows.ts'
import { returns, shipments, returnLists, shipmentLists } from './shipments/rows.ts'
import { couriers } from './courier/rows.ts'
import { cods } from './cod/rows.ts'
import { disputes } from './disputes/rows.ts'
import { invoices } from './invoices/rows.ts'
import { locals } from './local/rows.ts'
import { orders } from './orders/rows.ts'
import { others } from './reference/rows.ts'
import { listen } from './listen/rows.ts'
import { pull } from './pull/rows.ts'
import { rates, serviceability } from './rates/rows.ts'
import { reconciles } from './reconcile/rows.ts'
import { report } from './report/rows.ts'
import { service } from './serve/rows.ts'
import { simulations } from './simulate/rows.ts'
import { skus } from './skus/rows.ts'
import { sql } from './sql/rows.ts'
import { stores } from './stores/rows.ts'
import { topics } from './rows/topics.ts'
import { argumentOffers, withOffers } from './rows/offers.ts'
import type { Group, Tree } from '../command/tree.ts'

const groups: readonly Group[] = [
  {
    name: 'rates',
    heading: 'Everyday',
    summary: 'Compare courier prices for one parcel, or price every parcel in a file',
  },
  { name: 'serviceability', heading: 'Everyday', summary: 'Which couriers deliver to which pincodes, and how soon' },
  { name: 'shipments', heading: 'Everyday', summary: 'List, show and sum up forward shipments' },
  { name: 'returns', heading: 'Everyday', summary: 'List, show and sum up return orders' },
  { name: 'stores', heading: 'Everyday', summary: 'List, create and change stores (brands)' },
  { name: 'orders', heading: 'Everyday', summary: 'Create orders linked to a store, one by one or from a sheet' },
  { name: 'skus', heading: 'Everyday', summary: 'Keep the weights and sizes of your SKUs, for orders without them' },
  {
    name: 'messages',
    heading: 'Everyday',
    summary: 'Send messages to customers about their parcels, in the brand of the store',
  },
  {
    name: 'pull',
    heading: 'Everyday',
    summary: 'Copy the records of your account to use them offline',
  },
  { name: 'pincode', heading: 'Everyday', summary: 'Show the city, district and state of a pincode' },
  {
    name: 'reconcile',
    heading: 'Everyday',
    summary: "Compare a courier's invoice with your rate card, and its COD with what is due",
  },
  { name: 'invoices', heading: 'Everyday', summary: 'Invoices of couriers that were read: list, show, remove' },
  {
    name: 'disputes',
    heading: 'Everyday',
    summary: 'What couriers owe you for: deadlines, evidence, answers, credits',
  },
  { name: 'courier', heading: 'Everyday', summary: 'What couriers allow and promise: windows, COD cycle, claims' },
  { name: 'cod', heading: 'Everyday', summary: 'COD that couriers owe, and the remittances that were read' },
  { name: 'report', heading: 'Everyday', summary: 'Write a page of figures and charts about a period' },
  { name: 'sql', heading: 'Everyday', summary: 'Query the database in SQL' },
  { name: 'init', heading: 'Set up', summary: 'Start here: sample data on this computer, or your account' },
  { name: 'auth', heading: 'Set up', summary: 'Sign in to your account' },
  { name: 'profile', heading: 'Set up', summary: 'Manage profiles: accounts with their keys and defaults' },
  { name: 'alias', heading: 'Set up', summary: 'Give a command line that you use often a short name' },
  { name: 'map', heading: 'Set up', summary: 'Keep how the headers and values of a file are read' },
  { name: 'ratecard', heading: 'Set up', summary: 'Quote with your own contract prices instead of the sample' },
  {
    name: 'local',
    heading: 'Set up',
    summary: 'Manage the data on this computer: sample data, import, warehouses, backup',
  },
  { name: 'serve', heading: 'Set up', summary: 'Serve the engine over HTTP' },
  { name: 'mcp', heading: 'Set up', summary: 'Answer an assistant by the Model Context Protocol' },
  { name: 'keys', heading: 'Set up', summary: 'Create and revoke keys for the accounts of the service' },
  { name: 'webhooks', heading: 'Set up', summary: 'Send every change of status to your own systems' },
  { name: 'listen', heading: 'Set up', summary: 'Receive such changes, and keep the copy of shipx pull current' },
  {
    name: 'doctor',
    heading: 'Set up',
    summary: 'Check the installation, the settings and the connection to your account',
  },
  { name: 'completion', heading: 'Set up', summary: 'Complete commands with Tab in bash, zsh, fish and PowerShell' },
  { name: 'commands', heading: 'Set up', summary: 'Print the whole command tree, for programs' },
  { name: 'help', heading: 'Set up', summary: 'Show help on a command or a topic' },
]

/** The command tree from the table, which the generator writes to `tree.json`. */
export const tree: Tree = {
  groups,
  globals: globals.map(withOffers),
  commands: [
    rates,
    serviceability,
    ...shipments,
    ...shipmentLists,
    ...returns,
    ...returnLists,
    ...stores,
    ...orders,
    ...cods,
    ...skus,
    ...templates,
    pull,
    listen,
    ...others.slice(0, 1),
    sql,
    ...reconciles,
    ...invoices,
    ...disputes,
    ...couriers,
    report,
    init,
    ...auths,
    ...profileCommands,
    ...aliases,
    ...maps,
    ...cards,
    ...simulations,
    ...locals,
    ...service,
    ...delivery,
    ...others.slice(1),
  ].map((command) => ({
    ...command,
    args: command.args.map((arg) => argumentOffers(command, arg)),
    flags: command.flags.map(withOffers),
  })),
  topics,
}
