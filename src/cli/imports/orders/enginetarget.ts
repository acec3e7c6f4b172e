// The engine's database as the target of an order import (docs/guides/sheets.md, Orders).
import type { ShipxError } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { amountPaid } from '../../../domain/rates/pricing.ts'
import {
  createOrders,
  previewOrders,
  ordersThere,
  type OrderOutcome,
  type OrderPreview,
} from '../../../engine/orders/orders.ts'
import type { Context } from '../../command/context.ts'
import { showMoney } from '../../output/display.ts'
import type { Source } from '../../source/source.ts'
import { here, testEngine } from '../../source/place.ts'
import { quoted } from '../../terminal/safe.ts'
import type { Failure, Opening, Outcome, Wanted } from '../importer.ts'
import type { Making, OrderTarget } from './calledoff.ts'
import { compareOrder } from './comparison.ts'
import { standing } from './standing.ts'

/** Imports orders into the engine's database. Finds what the engine would refuse before it asks the user. */
export function engineTarget({ context }: Opening, { assign, shown }: Making, { engine, close }: Source): OrderTarget {
  const { database, account } = engine!
  const { host } = context.io
  /** What the orders to create cost, with surcharges and COD fees, paise. */
  let cost = 0
  let made = 0
  const stands = standing('here', shown)
  const result = (input: OrderCreate, placed: OrderOutcome): Outcome | Failure => {
    if ('there' in placed) return compareOrder(input, placed.there, shown)
    if ('refused' in placed) return refusal(input, placed.refused)
    made++
    return 'created'
  }
  const foresee = (wanted: readonly Wanted<OrderCreate>[]) => {
    const inputs = wanted.map(({ value }) => value)
    return database.read(() => previewOrders(database.dialect, account, host, inputs, assign))
  }
  return {
    where: here(context),
    lookup: { place: 'here', find: (ids) => database.read(() => ordersThere(account, ids)) },
    unlabel: async (wanted) => {
      for (const one of await foresee(wanted)) cost -= costOf(one)
    },
    label: async (wanted) => {
      const names = wanted.map(({ name }) => name)
      const there = await database.read(() => ordersThere(account, names))
      const fresh = wanted.filter(({ name }) => !there.has(name))
      const foreseen = await foresee(fresh)
      const byName = new Map(fresh.map(({ name }, i) => [name, foreseen[i]!]))
      return wanted.map(({ value, name }) => {
        const one = byName.get(name)
        if (one === undefined) return stands.label(value, there.get(name))
        if ('refused' in one) return refusal(value, one.refused)
        cost += costOf(one)
        return 'create'
      })
    },
    differences: stands.differences,
    notes: stands.cancelled,
    forecast: () => (assign ? `about ${wholeRupees(cost, context.screen)} before GST` : undefined),
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const inputs = wanted.map(({ value }) => value)
        const placed = await database.write(() => createOrders(database.dialect, account, host, inputs, assign))
        return placed.map((one, i) => result(inputs[i]!, one))
      },
    },
    close: async () => {
      const said = testEngine('the AWBs are')
      if (made > 0 && assign) await context.note(`${said.charAt(0).toUpperCase()}${said.slice(1)}.`)
      made = 0
      await close()
    },
  }
}

/** What an order costs, paise; nothing without a courier. */
const costOf = (foreseen: OrderPreview): number =>
  'refused' in foreseen || foreseen.offer === undefined ? 0 : amountPaid(foreseen.offer)

/** Why the engine refuses an order, and what helps. */
function refusal({ warehouse_id: id }: OrderCreate, { code, message }: ShipxError): Failure {
  return {
    code,
    message: code === 'unknown_warehouse' ? `${message}: shipx local warehouse set ${quoted(id)} <pincode>` : message,
  }
}

const wholeRupees = (paise: number, screen: Context['screen']): string =>
  showMoney(Math.round(rupeesOf(paise)), screen).replace(/\.00$/, '')
