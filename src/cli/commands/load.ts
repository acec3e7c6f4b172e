// Which file contains a command's function; it is loaded when the command runs.
import type { Verb } from '../command/context.ts'
import type { Command } from '../command/tree.ts'

/** The import of each command's file, by the most of its first three words that are here. */
const files: Readonly<Record<string, () => Promise<{ readonly verbs: Readonly<Record<string, Verb>> }>>> = {
  rates: () => import('./rates/rates.ts'),
  serviceability: () => import('./rates/serviceability.ts'),
  shipments: () => import('./shipments/list.ts'),
  returns: () => import('./shipments/list.ts'),
  'stores import': () => import('./stores/files.ts'),
  'stores export': () => import('./stores/files.ts'),
  'shipments summary': () => import('./shipments/summary.ts'),
  'shipments stuck': () => import('./shipments/stuck.ts'),
  'shipments ndr': () => import('./shipments/ndr.ts'),
  'shipments ndr answer': () => import('./shipments/ndranswer.ts'),
  'shipments ndr export': () => import('./shipments/ndrexport.ts'),
  'shipments watch': () => import('./shipments/watch.ts'),
  'returns watch': () => import('./shipments/watch.ts'),
  'shipments wait': () => import('./shipments/wait.ts'),
  'returns summary': () => import('./shipments/summary.ts'),
  'invoices unbilled': () => import('./invoices/unbilled.ts'),
  'shipments cost': () => import('./invoices/cost.ts'),
  invoices: () => import('./invoices/invoices.ts'),
  'reconcile invoice': () => import('./reconcile/invoice.ts'),
  'reconcile formats': () => import('./reconcile/formats.ts'),
  report: () => import('./report/report.ts'),
  sql: () => import('./sql/sql.ts'),
  stores: () => import('./stores/stores.ts'),
  'orders import': () => import('./orders/files.ts'),
  'orders template': () => import('./orders/files.ts'),
  'orders label': () => import('./orders/label.ts'),
  orders: () => import('./orders/create.ts'),
  skus: () => import('./skus/skus.ts'),
  'messages preview': () => import('./messages/preview.ts'),
  'messages template': () => import('./messages/templates.ts'),
  pull: () => import('./pull/pull.ts'),
  init: () => import('./setup/init.ts'),
  alias: () => import('./setup/alias.ts'),
  map: () => import('./setup/map.ts'),
  auth: () => import('./setup/auth.ts'),
  profile: () => import('./setup/profile.ts'),
  'local assign': () => import('./orders/engine.ts'),
  'local cancel': () => import('./orders/engine.ts'),
  'local return': () => import('./orders/engine.ts'),
  'local track': () => import('./local/track.ts'),
  'local simulate': () => import('./local/simulate.ts'),
  'local price': () => import('./local/price.ts'),
  'local copy': () => import('./local/copy.ts'),
  'local backup': () => import('./local/backup.ts'),
  'local restore': () => import('./local/backup.ts'),
  'local reset': () => import('./local/backup.ts'),
  local: () => import('./local/database.ts'),
  'ratecard versions': () => import('./ratecards/versions.ts'),
  'ratecard remove': () => import('./ratecards/versions.ts'),
  'ratecard show': () => import('./ratecards/show.ts'),
  'ratecard import': () => import('./ratecards/import.ts'),
  'ratecard template': () => import('./ratecards/import.ts'),
  'ratecard create': () => import('./ratecards/create.ts'),
  'ratecard zones': () => import('./ratecards/zones.ts'),
  'ratecard diff': () => import('./ratecards/diff.ts'),
  ratecard: () => import('./ratecards/ratecard.ts'),
  pincode: () => import('./reference/pincode.ts'),
  serve: () => import('./serve/serve.ts'),
  keys: () => import('./serve/keys.ts'),
  'messages deliver': () => import('./messages/deliver.ts'),
  'messages set': () => import('./messages/settings.ts'),
  'messages optout': () => import('./messages/optouts.ts'),
  messages: () => import('./messages/messages.ts'),
  webhooks: () => import('./messages/webhooks.ts'),
  doctor: () => import('./doctor/doctor.ts'),
  commands: () => import('./reference/manual.ts'),
  help: () => import('./reference/manual.ts'),
  completion: () => import('./setup/completion.ts'),
}

export async function verbOf(command: Command): Promise<Verb> {
  const load = [3, 2, 1]
    .map((words) => files[command.path.slice(0, words).join(' ')])
    .find((file) => file !== undefined)
  const verb = load === undefined ? undefined : (await load()).verbs[command.path.join(' ')]
  if (verb === undefined) throw new Error(`no function for ${command.path.join(' ')}`)
  return verb
}
