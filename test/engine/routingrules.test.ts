// What routing.test.ts finds at fault in a statement, and what it lets pass.
import { describe, expect, test } from 'vitest'
import { accountNumbers, fault } from './routes.ts'

describe('what is found at fault', () => {
  const account = accountNumbers.routed
  const found = (text: string, bound: readonly unknown[]) =>
    fault({ statement: { sql: text, text, values: bound }, account })

  test.each([
    ['select doc from shipments where id = $1', ['x']],
    ['select doc from shipments where account_id = $1 or id = $2', [account, 'x']],
    ['select doc from shipments where not account_id = $1', [account]],
    ['select doc from shipments where account_id > $1', [account]],
    [
      'select doc from shipments r where r.account_id = $1 and r.seq in (select k.seq from shipment_skus k where k.value = $2)',
      [account, 'x'],
    ],
    [
      'select 1 from shipments r where exists (select 1 from shipment_skus k where k.account_id = $1 and r.account_id = $1)',
      [account],
    ],
    ['select k.seq from shipment_skus k join shipments r on r.seq = k.seq where k.account_id = $1', [account]],
    ['select (select count(*) from returns) as n from shipments where account_id = $1', [account]],
    [
      'select doc from shipments where account_id = $1 union all select doc from shipments where id = $2',
      [account, 'x'],
    ],
    ['select count(*) as n from (select 1 from returns r where r.status = $1) q', ['x']],
    ['insert into orders (id, account_id) values ($1, 1)', ['x']],
    ['insert into orders (id) values ($1)', ['x']],
    ['select c.value from shipment_tags c left join shipments r on c.account_id = $1 and r.account_id = $1', [account]],
    ['update stores set status = $1 where id = $2', ['x', 'y']],
    ['delete from idempotency where created_at < $1', [1]],
  ])('%s', (text, bound) => {
    expect(found(text, bound)).toMatch(/^\w+ without an account$/)
  })

  test('an account that is not the one who asks', () => {
    expect(found('select doc from shipments where account_id = $1', [800_003])).toBe('another account')
    expect(found('insert into orders (account_id, id) values ($1, $2)', ['x', account])).toBe('another account')
    const text = 'insert into orders (account_id, id) values ($1, $2)'
    const statement = {
      sql: text,
      text,
      values: [account, 'x'],
      more: [
        [account, 'y'],
        [800_003, 'z'],
      ],
    }
    expect(fault({ statement, account })).toBe('several accounts')
  })

  test('a row that moves to another account', () => {
    expect(() => found('update stores set account_id = $1 where account_id = $2', [1, account])).toThrow(
      /changes the account/,
    )
  })

  test('a query under a name that names no account', () => {
    expect(found('with m as materialized (select 1 from shipments r) select 1 from m', [])).toBeDefined()
    expect(
      found('with m as materialized (select 1 from shipments r where r.account_id = $1) select 1 from m', [account]),
    ).toBeUndefined()
  })

  test('a form that is not understood', () => {
    expect(() => found('with x as (select 1) select * from x', [])).toThrow(/not understood/)
    expect(() => found('truncate shipments', [])).toThrow(/not understood/)
  })

  test('what hands the account on is no fault', () => {
    const bound = [account]
    expect(
      found(
        'select 1 from shipments r join shipment_skus k on k.account_id = r.account_id where r.account_id = $1',
        bound,
      ),
    ).toBeUndefined()
    expect(
      found(
        'select 1 from shipments r where r.account_id = $1 and exists (select 1 from shipment_search s where s.account_id = r.account_id)',
        bound,
      ),
    ).toBeUndefined()
  })
})
