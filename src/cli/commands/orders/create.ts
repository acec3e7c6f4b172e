// `shipx orders create`: an order from a file, a pipe or flags. The contract checks it and the service creates it.
import { contract, basePath } from '../../../domain/contract.ts'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { jsonTextFault } from '../../../domain/jsonlimits.ts'
import { readDecimal } from '../../../domain/rates/measures.ts'
import { excerpt, readRupees } from '../../../domain/money.ts'
import { nearest } from '../../../domain/nearest.ts'
import { readOrderAnswer, type AnsweredOrder } from '../../../domain/foreign/orderanswer.ts'
import type { OrderAnswer, OrderCreate } from '../../../domain/orders.ts'
import { maxPerPage } from '../../../domain/page.ts'
import { parseInput } from '../../../domain/parse.ts'
import type { Offer } from '../../../domain/rates/pricing.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import { textIn } from '../../../domain/foreign/values.ts'
import { istMinute } from '../../../domain/time.ts'
import { createOrder } from '../../../engine/orders/orders.ts'
import { offersOf } from '../../../engine/orders/booking.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { rehearse } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { text } from '../../command/flags.ts'
import { here } from '../../source/thiscomputer.ts'
import { readText } from '../../files/userfiles.ts'
import { quoting, rawInput, readAmounts, type Raw } from '../../args/input.ts'
import { flag, kilograms, list, orderDate, size, word } from '../../args/kinds.ts'
import { optionsOf } from '../../args/options.ts'
import { lenientInput, warnUnknown, type Lenient } from '../../listings/unknownvalues.ts'
import { checkShape, narrowed, printer } from '../../output/printer.ts'
import { quoted, safe, safeJson } from '../../terminal/safe.ts'
import { courierText, parcelText, savedText } from './ordertext.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import { plainView } from '../../output/views.ts'

/** The largest order file, bytes: a file holds one order. */
const maxOrderBytes = 1_048_576

/** An order from a file and flags, and all its faults by flag. */
interface Judged {
  readonly context: Context
  readonly raw: Raw
  readonly parsed: Lenient<'orchestrateForwardOrder'>
  readonly faults: readonly Fault[]
}

async function judged(context: Context, fromFile: Raw | undefined): Promise<Judged> {
  const faults: Fault[] = []
  const fromFlags = fieldsOf(context, faults)
  // With a file the date comes from the file; an order typed on the command line is dated now.
  const raw: Raw = {
    ...(fromFile ?? { order_date: istMinute(context.io.host.now()), billing_country: 'India' }),
    ...fromFlags,
  }
  const parsed = await lenientInput(context, endpointOf(context), raw)
  const named = new Set(faults.map((fault) => fault.field))
  const covered = (fault: Fault): boolean =>
    named.has(fault.field) ||
    (named.has('--size') && ['--length', '--breadth', '--height'].includes(fault.field ?? '')) ||
    (named.has('--item') && (fault.field ?? '').startsWith('order_items'))
  const rest = parsed.faults.filter((fault) => !covered(fault)).map((fault) => friendlier(fault, context))
  return { context, raw, parsed, faults: [...faults, ...rest] }
}

const endpointOf = ({ flags }: Context) => (flags.has('no-assign') ? 'createForwardOrder' : 'orchestrateForwardOrder')

/** The order. Asks for what is missing where a person can answer; what a file lacks the user corrects in the file. */
async function wished(context: Context): Promise<Judged> {
  const file = text(context.flags, 'file')
  const fromFile = file === undefined ? undefined : await orderIn(context, file)
  const first = await judged(context, fromFile)
  if (first.faults.length === 0 || fromFile !== undefined) return first
  const [{ askMissing }, { orderQuestions }] = await Promise.all([
    import('../../ask/missing.ts'),
    import('../../ask/questions.ts'),
  ])
  const answered = await askMissing(context, orderQuestions, async (more) => (await judged(more, undefined)).faults)
  return answered === context ? first : judged(answered, undefined)
}

async function create(typed: Context): Promise<number> {
  const { context, raw, parsed, faults } = await wished(typed)
  const { flags } = context
  const endpoint = endpointOf(context)
  refuse(context, faults)
  checkShape(context, answerView)
  const input = parsed.value!
  const hinted = async (error: unknown): Promise<never> => {
    throw error instanceof ShipxError ? await withHint(context, input, error) : error
  }
  const person = context.format === 'plain' && context.screen.tty
  const dry = flags.has('dry-run')
  const asks = person && !flags.has('yes') && canAsk(context)
  // Refuses what would fail before asking the user anything.
  const plan = dry || asks ? await planned(context, input).catch(hinted) : undefined
  if (dry) {
    if (person) {
      await context.io.stdout.write(`${plan!.text}\nWould create this order ${plan!.where}; nothing was saved.\n`)
      return 0
    }
    return wouldDo(context, {
      method: contract[endpoint].method,
      path: `${basePath}${contract[endpoint].path}`,
      body: raw,
    })
  }
  if (asks) {
    await context.io.stderr.write(`${plan!.text}\n`)
    await confirm(context, `Create this order ${plan!.where}`)
  }
  return withSource(context, 'write', async (source) => {
    await refuseKnown(source, input.order_id).catch(hinted)
    const key = text(flags, 'idempotency-key')
    let replayed = false
    const answer = await source.service[endpoint](input, {
      ...(key === undefined ? {} : { idempotency_key: key }),
      onReplay: () => {
        replayed = true
      },
    }).catch(hinted)
    await warnUnknown(context, parsed.unknown)
    const told = readOrderAnswer(answer)
    await say(context, source, input, answer, told, replayed)
    await print(context, answer)
    // The order exists: only its courier is missing.
    if (told.awb === undefined && endpoint === 'orchestrateForwardOrder')
      throw new ShipxError(
        'partial',
        `order ${input.order_id} is created, but no courier took it${told.reason === undefined ? '' : `: ${safe(told.reason)}`}`,
        { hint: `shipx shipments get ${quoted(input.order_id)}` },
      )
    return 0
  })
}

/** What an order would become, and where. */
interface Planned {
  readonly text: string
  readonly where: string
}

/** The plan of an order. On this computer it includes the courier, and throws whatever the engine refuses. */
async function planned(context: Context, input: OrderCreate): Promise<Planned> {
  const { io, screen, flags } = context
  const shown = (lines: readonly string[]): string => lines.map((line) => safe(line)).join('\n')
  const target = await context.target()
  // A deployment offers no dry run, and returns no price without the pincode of its warehouse.
  if (target.kind === 'remote')
    return { text: shown([parcelText(input, screen)]), where: `at ${target.profile ?? new URL(target.base_url).host}` }
  const assign = !flags.has('no-assign')
  const offers = await rehearse(context, function* ({ database, account }) {
    const now = io.host.now()
    yield* createOrder(database.dialect, account, io.host, input, assign)
    return assign ? yield* offersOf(account, input, now) : []
  })
  const offer = takenBy(offers, input.carrier_id)
  const courier = offer === undefined ? 'No courier yet' : courierText(offer, offers, screen)
  return { text: shown([parcelText(input, screen), courier]), where: here(context) }
}

/** The offer of a carrier, or the first one when the user chose none. */
const takenBy = (offers: readonly Offer[], carrier: string | undefined): Offer | undefined =>
  carrier === undefined ? offers[0] : offers.find(({ service }) => service.carrier_id === carrier)

/**
 * Throws `duplicate_order` for an order that a deployment has already. Without an idempotency key, an earlier try with
 * an unknown outcome may have created it (docs/http.md, The client).
 */
async function refuseKnown({ service, remote }: Source, order_id: string): Promise<void> {
  if (remote === undefined) return
  const { records } = await service.listShipments(
    parseInput('listShipments', { search: order_id, per_page: maxPerPage }),
  )
  if (remote.capabilities()?.has('idempotency') === true) return
  const found = records
    .map((record) => readRecord('shipments', record))
    .find(({ attributes: { order } }) => order?.external_id === order_id || order?.display_id === order_id)
  if (found === undefined) return
  const { tracking_number: tracking } = found.attributes
  const message = `order ${order_id} exists already, ${tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`}; it was not sent again`
  throw new ShipxError('duplicate_order', message, { details: [{ field: 'order_id', message }] })
}

/** A refusal with the command that helps; an unknown store with the nearest name. */
async function withHint(context: Context, input: OrderCreate, error: ShipxError): Promise<ShipxError> {
  const told = (message: string, hint: string): ShipxError =>
    new ShipxError(error.code, message, { details: error.details, hint, status: error.status, cause: error })
  switch (error.code) {
    case 'duplicate_order':
      return told(error.message, `shipx shipments get ${quoted(input.order_id)}`)
    case 'store_disconnected':
      return told(error.message, `shipx stores connect ${input.store_name ?? ''}`)
    case 'unknown_warehouse':
      return told(error.message, `shipx local warehouse set ${quoted(input.warehouse_id)} <pincode>`)
    case 'unknown_store': {
      const stores = await storeNames(context)
      const near = nearest(input.store_name ?? '', stores)
      return near === undefined
        ? told(error.message, `shipx stores create --name ${input.store_name ?? ''}`)
        : told(`${error.message}. Did you mean ${near}?`, `use --store ${near}`)
    }
    default:
      return error
  }
}

const storeNames = (context: Context): Promise<readonly string[]> =>
  withSource(context, 'read', async ({ service }) => {
    const { data } = await service.listStores({})
    return data.map((store) => store.store_name)
  })

/** The fault of a missing or wrong field, which names the friendly flag. */
function friendlier(fault: Fault, context: Context): Fault {
  const examples: Readonly<Record<string, string>> = {
    '--weight': '--weight 500g',
    '--item': '--item "CR-02:2:499:Cotton romper"',
    '--warehouse-id': '--warehouse-id WH1',
  }
  const named = fault.field === 'order_items' ? { ...fault, field: '--item' } : fault
  if (named.message !== 'is required') return quoting(named, context)
  const side = (flag: string | null): boolean => ['--length', '--breadth', '--height'].includes(flag ?? '')
  if (side(named.field) && !['length', 'breadth', 'height'].some((flag) => context.flags.has(flag)))
    return { field: '--size', message: 'is required, for example --size 20x15x10' }
  if (named.field === '--payment-method') return { field: '--prepaid', message: 'or --cod <rupees> is required' }
  const example = examples[named.field ?? '']
  if (example !== undefined) return { ...named, message: `is required, for example ${example}` }
  const help = context.command.flags.find((flag) => `--${flag.name}` === named.field)?.help
  return help === undefined
    ? named
    : { ...named, message: `is required: ${help.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}` }
}

async function say(
  context: Context,
  { engine }: Source,
  input: OrderCreate,
  answer: OrderAnswer,
  { awb, courier }: AnsweredOrder,
  replayed: boolean,
): Promise<void> {
  const order = input.order_id
  if (engine !== undefined) {
    const { database, account } = engine
    const offers = await database.read(() => offersOf(account, input, context.io.host.now()), 'single')
    const offer = awb !== undefined && !replayed ? takenBy(offers, answer.payload.courier_company_id ?? '') : undefined
    const where = `${replayed ? 'was saved before' : 'saved'} ${here(context)}`
    return done(context, savedText(order, answer, offer, where, context.screen))
  }
  const what =
    awb !== undefined
      ? `${courier === undefined ? '' : `${courier} takes it, `}tracking number ${awb}`
      : 'no courier yet'
  return done(context, `${replayed ? 'Was created before: order' : 'Created order'} ${order}, ${what}`)
}

const answerView = plainView<OrderAnswer['payload']>(
  ['order', 'orders'],
  ({ order_id, shipment_id }) => textIn(order_id) ?? textIn(shipment_id) ?? '',
  ['order_id', 'shipment_id', 'awb_code', 'courier_company_id', 'courier_name', 'applied_weight', 'cod'],
)

/** The answer of an order endpoint in the chosen format. */
export async function print(context: Context, answer: OrderAnswer): Promise<void> {
  const { format, io, screen } = context
  if (format === 'json') {
    const [payload] = narrowed(context, answerView, [answer.payload])
    return io.stdout.write(`${safeJson(JSON.stringify({ ...answer, payload }, null, screen.tty ? 2 : 0))}\n`)
  }
  if (format === 'plain' && screen.tty) return
  const out = printer(context, answerView)
  await out.batch([JSON.stringify(answer.payload)])
  await out.end()
}

/** The order from a file or a pipe. Throws `invalid_file`. */
async function orderIn(context: Context, path: string): Promise<Raw> {
  const content = await readText(context.io, path, maxOrderBytes, '--file')
  let value: unknown
  // A repeated name would silently lose one of its values.
  const fault = jsonTextFault(content)
  if (fault !== undefined) throw invalid([{ field: '--file', message: fault }])
  const name = path === '-' ? 'standard input' : safe(path)
  if (content.trim() === '')
    throw new ShipxError('invalid_file', `--file: ${name} is empty; it must hold an order as JSON`)
  try {
    value = JSON.parse(content)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : ''
    throw new ShipxError('invalid_file', `--file: ${name} is not JSON (${why})`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid([{ field: '--file', message: 'must hold one order as a JSON object' }])
  return value as Raw
}

/** The flags of an order in their friendly forms. */
const orderOptions = {
  weight: kilograms,
  size,
  order_date: orderDate,
  cod: word,
  prepaid: flag,
  item: list,
}

/** The fields that flags set, friendly forms included. */
function fieldsOf(context: Context, faults: Fault[]): Raw {
  const { value: options, faults: wrong } = optionsOf(context, orderOptions)
  faults.push(...wrong)
  const raw = rawInput(context, ['weight', 'cod'])
  if (typeof raw['tags'] === 'string') raw['tags'] = [raw['tags']]
  const { order_date, weight, size, cod, item: items } = options
  if (order_date !== undefined) raw['order_date'] = order_date
  if (weight !== undefined) raw['weight'] = weight
  if (size !== undefined) [raw['length'], raw['breadth'], raw['height']] = size
  if (cod !== undefined) Object.assign(raw, { payment_method: 'COD', cod_collectible: cod })
  // Nothing is collected for a prepaid order, even if the file says otherwise.
  else if (options.prepaid) Object.assign(raw, { payment_method: 'PREPAID', cod_collectible: raw['cod_collectible'] })
  if (items !== undefined) raw['order_items'] = items.map((item) => itemOf(item, faults))
  readAmounts(raw)
  return raw
}

/** An item `sku:units:price:name`; the name is optional and may contain colons. */
function itemOf(given: string, faults: Fault[]): Raw {
  const [sku, units, price, ...name] = given.split(':')
  if (sku === undefined || sku === '' || units === undefined || price === undefined) {
    faults.push({
      field: '--item',
      message: `"${given.slice(0, 40)}" is not an item; write sku:units:price:name, for example CR-02:2:499:Cotton romper`,
    })
    return {}
  }
  const amount = readRupees(price)
  if ('fault' in amount) faults.push({ field: '--item', message: amount.fault })
  if (readDecimal(units) === undefined)
    faults.push({ field: '--item', message: `${excerpt(units)} is not a number of units` })
  return {
    sku,
    units,
    selling_price: 'fault' in amount ? price : amount.rupees,
    name: name.length === 0 ? sku : name.join(':'),
  }
}

export const verbs = { 'orders create': create }
