// The fields of an order that flags set, friendly forms included.
import type { Fault } from '../../../domain/errors.ts'
import { readRupees } from '../../../domain/read/money.ts'
import { readUnits } from '../../../domain/read/number.ts'
import type { Context } from '../../command/context.ts'
import { rawInput, type Raw, type RawRead } from '../../args/input.ts'
import { flag, list, rupees, size } from '../../args/kinds.ts'
import { optionsOf } from '../../args/options.ts'

/** The flags of an order that fill more than one field, or not the one of their name. */
const orderOptions = { size, cod: rupees, prepaid: flag, item: list }

/** The fields that flags set, friendly forms included. */
export function fieldsOf(context: Context): RawRead {
  const { value: options, faults: wrong } = optionsOf(context, orderOptions)
  const { value: raw, faults: unread, said } = rawInput(context, ['cod'])
  const faults = [...wrong, ...unread]
  const { size, cod, item: items } = options
  if (size !== undefined) [raw['length'], raw['breadth'], raw['height']] = size.sides
  if (cod !== undefined) Object.assign(raw, { payment_method: 'COD', cod_collectible: cod })
  // Nothing is collected for a prepaid order, even if the file says otherwise.
  else if (options.prepaid) Object.assign(raw, { payment_method: 'PREPAID', cod_collectible: raw['cod_collectible'] })
  if (items !== undefined) raw['order_items'] = items.map((item) => itemOf(item, faults))
  return { value: raw, faults, said: [...(size?.said ?? []), ...said] }
}

const itemExample = 'for example CR-02:2:499:Cotton romper'

/** An item `sku:units:price:name`; the name is optional and may contain colons. */
function itemOf(given: string, faults: Fault[]): Raw {
  const [sku, units, price, ...name] = given.split(':')
  if (sku === undefined || sku === '' || units === undefined || price === undefined) {
    faults.push({
      field: '--item',
      message: `"${given.slice(0, 40)}" is not an item; write sku:units:price:name, ${itemExample}`,
    })
    return {}
  }
  const amount = readRupees(price)
  if ('fault' in amount) faults.push({ field: '--item', message: amount.fault })
  const pieces = readUnits(units)
  if ('fault' in pieces) faults.push({ field: '--item', message: pieces.fault })
  return {
    sku,
    units: 'fault' in pieces ? units : pieces.value,
    selling_price: 'fault' in amount ? price : amount.rupees,
    name: name.length === 0 ? sku : name.join(':'),
  }
}
