// R20: every endpoint of the contract with every kind of wrong key and every kind of foreign id: no foreign byte, and
// nothing that tells a foreign record from one that does not exist.
import { contract, type Name } from '../../src/domain/contract.ts'
import { askerOf, type Answered } from './asking.ts'
import { summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, shipx, startServing } from './serving.ts'

/** R20. It is small as it is: the size changes nothing. */
export const r20 = (_size: Size): Promise<Finding> =>
  timed(async () => {
    const serving = await startServing()
    const faults: string[] = []
    let tried = 0
    const expect = (what: string, fine: boolean, answer?: Answered): void => {
      tried++
      if (!fine) faults.push(answer === undefined ? what : `${what}: ${answer.status} ${answer.text.slice(0, 160)}`)
    }
    const { ask, close } = askerOf(serving.url)
    try {
      const mine = (await serving.keyOf('mine')).key
      const theirs = (await serving.keyOf('theirs')).key
      const reading = (await serving.keyOf('mine', '--read-only')).key
      const revoked = await serving.keyOf('mine')
      const beforehand = await ask('GET', '/client-stores', revoked.key)
      expect('a key works until it is revoked', beforehand.status === 200, beforehand)
      const gone = await serving.local('keys', 'revoke', revoked.id, '--yes')
      expect(`revoking: ${gone.stderr}`, gone.exit === 0)
      for (const account of ['mine', 'theirs'])
        await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', account)

      // What the two accounts have, through the service itself. The names tell whose they are.
      const made: Record<string, { readonly store: string; readonly shipment: string; readonly bytes: string }> = {}
      for (const [account, key] of Object.entries({ mine, theirs })) {
        const name = `only-of-${account}`
        const store = await ask('POST', '/client-stores', key, { store_name: name, brand_name: `Brand of ${account}` })
        const order = await ask(
          'POST',
          '/forward-order-orchestration',
          key,
          orderOf('SAME-1', { store_name: name, billing_customer_name: `Customer of ${account}`, warehouse_id: 'WH1' }),
        )
        expect(`${account} makes a store`, store.status === 201, store)
        expect(`${account} makes an order of the same id`, order.status === 200, order)
        const listed = await ask('POST', '/shipments', key, {})
        made[account] = {
          store: (JSON.parse(store.text) as { data: { id: string } }).data.id,
          shipment: (JSON.parse(order.text) as { payload: { awb_code: string } }).payload.awb_code,
          bytes: listed.text,
        }
      }
      const foreignBytes = [
        'only-of-theirs',
        'Brand of theirs',
        'Customer of theirs',
        made['theirs']!.store,
        made['theirs']!.shipment,
      ]
      const clean = (answer: Answered): boolean =>
        !foreignBytes.some((bytes) => answer.text.includes(bytes) || JSON.stringify(answer.headers).includes(bytes))

      // 1. Every endpoint with every wrong key: 401, the same bytes.
      const unknown = await serving.keyOf('default')
      await serving.local('keys', 'revoke', unknown.id, '--yes')
      const flipped = mine.slice(0, -1) + (mine.endsWith('a') ? 'b' : 'a')
      // Made by somebody whose clock stands at the beginning of 2024, for a day.
      const old = await shipx(['keys', 'create', 'mine', '--expires', '1d', '--db', serving.db], {
        env: { HOME: serving.folder, SHIPX_NOW: '2024-01-01T00:00:00Z' },
      })
      const expired = old.stdout.trim()
      expect(`a key that has expired: ${old.stderr}`, old.exit === 0 && expired.length === mine.length)
      const wrong: Readonly<Record<string, string | undefined>> = {
        none: undefined,
        empty: '',
        'only Bearer': 'Bearer',
        malformed: 'Bearer a b c',
        'of another scheme': `Basic ${Buffer.from(`x:${mine}`).toString('base64')}`,
        unknown: `sxk_${'A'.repeat(49)}`,
        'with one letter changed': flipped,
        'in lower case': mine.toLowerCase(),
        'cut short': mine.slice(0, -1),
        'with a letter more': `${mine}0`,
        revoked: revoked.key,
        expired,
        'revoked, with Bearer': `Bearer ${revoked.key}`,
        'with a quote': `${mine}'`,
      }
      const bodies = new Set<string>()
      for (const name of Object.keys(contract) as Name[]) {
        for (const [what, key] of Object.entries(wrong)) {
          const { method, path } = contract[name]
          const answer = await ask(method, path.replace(':id', made['mine']!.store), key, bodyOf(name))
          expect(`${name} with a key that is ${what}`, answer.status === 401, answer)
          bodies.add(answer.text)
        }
        for (const form of [mine, `Bearer ${mine}`, `bearer ${mine}`, `BEARER  ${mine}`]) {
          const { method, path, reads } = contract[name]
          if (!reads) continue
          const answer = await ask(method, path.replace(':id', made['mine']!.store), form, bodyOf(name))
          expect(`${name} with ${form.slice(0, 7)}`, answer.status === 200 && clean(answer), answer)
        }
      }
      expect(`all wrong keys get the same bytes (${[...bodies].join(' | ')})`, bodies.size === 1)

      // 2. Foreign ids and ids that do not exist get the same bytes, on every path with an id, and nothing changes.
      const nobody = '00000000-0000-4000-8000-00000000dead'
      for (const name of (Object.keys(contract) as Name[]).filter((known) => contract[known].path.includes(':id'))) {
        const { method, path } = contract[name]
        const body = method === 'PUT' ? { brand_name: 'taken over', store_name: 'taken-over' } : undefined
        const [a, b] = [
          await ask(method, path.replace(':id', made['theirs']!.store), mine, body),
          await ask(method, path.replace(':id', nobody), mine, body),
        ]
        const same = a.text.replaceAll(made['theirs']!.store, '<id>') === b.text.replaceAll(nobody, '<id>')
        expect(
          `${name}: a foreign id and an unknown one differ (${a.text} | ${b.text})`,
          a.status === 404 && b.status === 404 && same,
        )
      }
      const [logoA, logoB] = [
        await ask('GET', `/client-stores/${made['theirs']!.store}/logo`, mine),
        await ask('GET', `/client-stores/${nobody}/logo`, mine),
      ]
      expect(
        'the logo path',
        logoA.status === 404 && logoA.text.replaceAll(made['theirs']!.store, '') === logoB.text.replaceAll(nobody, ''),
        logoA,
      )

      // 3. Names, filters and searches find nothing of another account.
      const order = (store_name: string): Promise<Answered> =>
        ask('POST', '/forward-order', mine, orderOf(`N-${store_name}`, { store_name }))
      const [named, unnamed] = [await order('only-of-theirs'), await order('only-of-nobody')]
      expect(
        'a foreign store name is an unknown one',
        named.status === 422 &&
          named.text.replaceAll('only-of-theirs', '') === unnamed.text.replaceAll('only-of-nobody', ''),
        named,
      )
      const taken = await ask('POST', '/client-stores', mine, { store_name: 'of-both-accounts' })
      const again = await ask('POST', '/client-stores', theirs, { store_name: 'of-both-accounts' })
      expect('store names are unique per account only', taken.status === 201 && again.status === 201, again)
      // prettier-ignore
      for (const question of [{ search: made['theirs']!.shipment }, { search: 'Customer of theirs' }, { store_name: ['only-of-theirs'] }, { 'store_name[]': 'only-of-theirs' }]) {
        const answer = await ask('POST', '/shipments', mine, question)
        expect(`shipments by ${JSON.stringify(question)}`, answer.status === 200 && (JSON.parse(answer.text) as { meta: { total: number } }).meta.total === 0 && clean(answer), answer)
      }
      const { data } = JSON.parse(made['theirs']!.bytes) as { data: { id: string }[] }
      const cursor = { search_after: ['1759999999999', data[0]!.id] }
      const walked = await ask('POST', '/shipments', mine, cursor)
      expect('a foreign cursor', walked.status === 200 && clean(walked), walked)
      for (const name of ['listStores', 'listShipments', 'listReturns'] as const) {
        const answer = await ask(contract[name].method, contract[name].path, mine, bodyOf(name))
        expect(`${name} shows own records only`, answer.status === 200 && clean(answer), answer)
      }

      // 4. One account's idempotency key means nothing in the other.
      const withKey = async (key: string): Promise<Answered> =>
        ask('POST', '/client-stores', key, { store_name: 'idem-same', brand_name: key === mine ? 'one' : 'two' })
      const [one, two] = [await withKey(mine), await withKey(theirs)]
      expect('both make it', one.status === 201 && two.status === 201 && two.text.includes('two'), two)

      // 5. A key that may only read: every write is refused, nothing is made.
      for (const name of (Object.keys(contract) as Name[]).filter((known) => !contract[known].reads)) {
        const { method, path } = contract[name]
        const answer = await ask(method, path.replace(':id', made['mine']!.store), reading, bodyOf(name))
        expect(`${name} with a key that may only read`, answer.status === 403, answer)
      }

      // 6. Whatever was tried, the other account is as it was.
      const after = await ask('POST', '/shipments', theirs, {})
      expect('the other account is unchanged', after.text === made['theirs']!.bytes, after)
      expect('the service is still there', serving.alive())
    } finally {
      close()
      await serving.close()
    }
    return {
      row: 'R20',
      what: 'cross-account matrix out of the contract table',
      tried,
      result: `${tried} checks, ${faults.length} faults`,
      target: 'every endpoint, 0 foreign bytes',
      faults: summed(faults),
    }
  })

let made = 0

function bodyOf(name: Name): unknown {
  if (contract[name].method === 'GET') return undefined
  if (name === 'getRates')
    return {
      journey_type: 'return',
      origin_pincode: '400001',
      destination_pincode: '560001',
      dead_weight: 500,
      length: 20,
      width: 15,
      height: 10,
    }
  if (name === 'createForwardOrder' || name === 'orchestrateForwardOrder') return orderOf(`R20-${++made}`)
  if (name === 'createStore') return { store_name: `r20-${++made}` }
  if (name === 'updateStore') return { brand_name: 'Same' }
  return {}
}
