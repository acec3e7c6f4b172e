// The fields of an order that flags set, friendly forms included.
import type { Fault } from '../../../domain/errors.ts'
import { readDecimal } from '../../../domain/read/number.ts'
import { excerpt } from '../../../domain/read/excerpt.ts'
import { readRupees } from '../../../domain/read/money.ts'
import type { Context } from '../../command/context.ts'
import { rawInput, readAmounts, type Raw } from '../../args/input.ts'
import { flag, kilograms, list, orderDate, size, word } from '../../args/kinds.ts'
import { optionsOf } from '../../args/options.ts'

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
export function fieldsOf(context: Context, faults: Fault[]): Raw {
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
  if (readDecimal(units) === undefined)
    faults.push({ field: '--item', message: `${excerpt(units)} is not a number of units` })
  return {
    sku,
    units,
    selling_price: 'fault' in amount ? price : amount.rupees,
    name: name.length === 0 ? sku : name.join(':'),
  }
}
