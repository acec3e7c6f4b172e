// Stores at a deployment: creation, which a unique name makes safe to try again, and changes; with logos as forms.
import { contract, type Call, type Input, type Output, type ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import { pictureOf } from '../domain/images.ts'
import type { Store } from '../domain/stores.ts'
import { shellWord } from '../domain/shellword.ts'
import { pathSegment } from './baseurl.ts'
import { readStore } from './answers.ts'
import { unknownOutcome, type Deployment } from './deployment.ts'
import type { File, OutgoingRequest } from './exchange.ts'
import { repeatable, uniqueByName, type RetryRule } from './retry.ts'

/** The answer of a store endpoint; undefined when a success shows no store. */
type Answered = Output<'createStore'> | undefined

/** The writes of stores; `plain` is what reads them. */
export function storeCalls(
  deployment: Deployment,
  plain: Pick<ShippingService, 'listStores' | 'getStore'>,
): Pick<ShippingService, 'createStore' | 'updateStore'> {
  return {
    createStore: (input, call) => createStore(deployment, plain.listStores, input, call),
    updateStore: (input) => updateStore(deployment, plain.getStore, input),
  }
}

async function createStore(
  deployment: Deployment,
  listStores: ShippingService['listStores'],
  input: Input<'createStore'>,
  call: Call = {},
): Promise<Output<'createStore'>> {
  const { store_name } = input
  const unclear = `store ${store_name} may or may not have been created`
  const find = async (): Promise<Answered> => {
    const { data } = await listStores({})
    const store = data.find((other) => other.store_name === store_name)
    // A store with another brand was there before, or another client made it.
    return store !== undefined && sameBrand(store, input) ? { data: store } : undefined
  }
  const rule = uniqueByName<Answered>({
    ...deployment.keySupport,
    find: async () => {
      const found = await find()
      if (found !== undefined)
        deployment.warn(
          `no answer to the creation of store ${store_name}; a store with this name exists and counts as the new one`,
        )
      return found
    },
    unknown: (failure) => unknownOutcome(failure, unclear, 'shipx stores list'),
  })
  const { value: made, replayed } = await deployment.call({
    row: contract.createStore,
    request: { path: contract.createStore.path, ...storeBody(input), headers: deployment.keyHeaders(call) },
    read: readStore,
    rule,
  })
  if (replayed) call.onReplay?.()
  // A success that shows no store: the name finds it.
  const store = made ?? (await find())
  if (store !== undefined) return store
  throw new ShipxError('unknown_outcome', `${unclear}: ${deployment.origin} reported success without a store`, {
    hint: 'shipx stores list',
  })
}

async function updateStore(
  deployment: Deployment,
  getStore: ShippingService['getStore'],
  { id, ...changes }: Input<'updateStore'>,
): Promise<Output<'updateStore'>> {
  const rule: RetryRule<Answered> = (failure, past) => {
    const verdict = repeatable<Answered>(failure, past)
    if (verdict === 'again' || !past.uncertain || failure.error.kind !== 'unavailable') return verdict
    const hint = `shipx stores get ${shellWord(id)}`
    return { error: unknownOutcome(failure, `store ${id} may or may not have been changed`, hint) }
  }
  const path = contract.updateStore.path.replace(':id', () => pathSegment(id))
  const changed = await deployment.value({
    row: contract.updateStore,
    request: { path, ...storeBody(changes) },
    read: readStore,
    rule,
  })
  return changed ?? (await getStore({ id }))
}

const brandOf = (brand: string | null | undefined): string | null =>
  brand === undefined || brand === '' ? null : brand

const sameBrand = (store: Store, input: Input<'createStore'>): boolean =>
  brandOf(store.brand_name) === brandOf(input.brand_name)

/** The body of a store: a form when there is a logo, else JSON, in which `null` removes. */
function storeBody(fields: Omit<Input<'updateStore'>, 'id'>): Pick<OutgoingRequest, 'json' | 'form'> {
  const { logo, ...rest } = fields
  if (logo === undefined || logo === null) return { json: JSON.stringify(fields) }
  const file: File = { ...logo, type: pictureOf(logo.bytes)?.type ?? 'application/octet-stream' }
  const form: Record<string, string | File> = {}
  for (const [name, text] of Object.entries(rest)) if (text !== undefined) form[name] = text ?? ''
  return { form: { ...form, logo: file } }
}
