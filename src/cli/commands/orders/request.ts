// The request for an order, from a file, flags and questions; its faults name the flags.
import type { Fault } from '../../../domain/errors.ts'
import { istMinute } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import type { Raw, RawRead } from '../../args/input.ts'
import { defaultStore, defaultWarehouse } from '../../config/profiles.ts'
import { placeOfPincode, valueOfItems } from '../../imports/orders/checkorder.ts'
import { lenientInput, type Lenient } from '../../listings/unknownvalues.ts'
import { showMoney } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import { orderIn, readFile } from './orderfile.ts'
import { fieldsOf } from './orderfields.ts'

/** The endpoints that create an order: with a courier, and without. */
type Endpoint = 'orchestrateForwardOrder' | 'createForwardOrder'

/** An order from a file and flags, and all its faults by flag. */
interface OrderRequest {
  readonly context: Context
  readonly raw: Raw
  readonly parsed: Lenient<'orchestrateForwardOrder'>
  readonly faults: readonly Fault[]
  /** What shipx converted, such as inches. */
  readonly said: readonly string[]
}

/** An order of a file, and the file as messages name it. */
interface FromFile extends RawRead {
  readonly name: string
}

/** What the project or the profile says of every new order. */
function usualOf({ io, flags }: Context): Raw {
  const [store, warehouse] = [defaultStore(io), defaultWarehouse(io, flags)]
  return {
    ...(store === undefined ? {} : { store_name: store }),
    ...(warehouse === undefined ? {} : { warehouse_id: warehouse }),
  }
}

/** The checked order; `fill` takes its value from its items. */
async function checked(
  context: Context,
  endpoint: Endpoint,
  file: FromFile | undefined,
  fill: boolean,
): Promise<OrderRequest> {
  const flags = fieldsOf(context)
  // With a file the date comes from the file; an order typed on the command line is dated now.
  const raw: Raw = {
    ...usualOf(context),
    ...(file?.value ?? { order_date: istMinute(context.io.host.now()), billing_country: 'India' }),
    ...flags.value,
  }
  placeOfPincode(raw, 'billing')
  if (raw['shipping_is_billing'] === false) placeOfPincode(raw, 'shipping')
  const summed = fill && raw['sub_total'] === undefined ? addedUp(raw) : undefined
  if (summed !== undefined) raw['sub_total'] = summed
  const unread = file?.faults.filter(({ field }) => flags.value[field!.split('.')[0]!] === undefined) ?? []
  const faults = [...flags.faults, ...unread.map((fault) => ({ ...fault, field: `${file!.name} ${fault.field!}` }))]
  const parsed = await lenientInput(context, endpoint, raw)
  const named = new Set(faults.map((fault) => fault.field))
  const covered = (fault: Fault): boolean =>
    named.has(fault.field) ||
    (named.has('--size') && ['--length', '--breadth', '--height'].includes(fault.field ?? '')) ||
    (named.has('--item') && (fault.field ?? '').startsWith('order_items'))
  const rest = parsed.faults
    .map((fault) => (file === undefined ? fault : inFile(fault, context, file, flags.value)))
    .filter((fault) => !covered(fault))
    .map((fault) => friendlier(fault, context))
  return {
    context,
    raw,
    parsed,
    faults: [...faults, ...rest],
    said: [...(file?.said ?? []), ...flags.said, ...saidOf(summed, context)],
  }
}

/** The value of an order by its items, rupees; undefined where they do not say it. */
function addedUp({ order_items: items, discount }: Raw): number | undefined {
  const all =
    Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'object' && item !== null)
  return all ? valueOfItems(items as readonly Raw[], discount) : undefined
}

const saidOf = (summed: number | undefined, { screen }: Context): readonly string[] =>
  summed === undefined ? [] : [`sub_total is ${showMoney(summed, screen)}: the items less discounts`]

/** The fault of a value that stands in the file, by its place there. */
function inFile(fault: Fault, { command }: Context, { value, name }: FromFile, fromFlags: Raw): Fault {
  const [top, ...rest] = (fault.field ?? '').split('.') as [string, ...string[]]
  const key = command.flags.find((flag) => `--${flag.name}` === top)?.key ?? top
  if (value[key] === undefined || fromFlags[key] !== undefined) return fault
  return { ...fault, field: `${name} ${[key, ...rest].join('.')}` }
}

/**
 * The request for an order, with the fields of a file. Asks for what is missing where a person can answer; what a file
 * lacks the user corrects in the file.
 */
export async function orderRequest(
  context: Context,
  endpoint: Endpoint,
  file: string | undefined,
): Promise<OrderRequest> {
  const name = file === '-' ? 'standard input' : safe(file ?? '')
  const fromFile = file === undefined ? undefined : { name, ...readFile(await orderIn(context, file)) }
  const first = await checked(context, endpoint, fromFile, true)
  if (first.faults.length === 0 || fromFile !== undefined) return first
  const [{ askMissing }, { orderQuestions }] = await Promise.all([
    import('../../ask/missing.ts'),
    import('../../ask/questions.ts'),
  ])
  // shipx asks for the value too: it may differ from the sum of the items.
  const faultsOf = async (more: Context) => (await checked(more, endpoint, undefined, false)).faults
  const answered = await askMissing(context, orderQuestions, faultsOf)
  return answered === context ? first : checked(answered, endpoint, undefined, true)
}

/** The fault of a missing or wrong field, which names the friendly flag. */
function friendlier(fault: Fault, context: Context): Fault {
  const examples: Readonly<Record<string, string>> = {
    '--weight': '--weight 500g',
    '--item': '--item "CR-02:2:499:Cotton romper"',
    '--warehouse': '--warehouse WH1',
  }
  const named = fault.field === 'order_items' ? { ...fault, field: '--item' } : fault
  if (named.message !== 'is required') return named
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
