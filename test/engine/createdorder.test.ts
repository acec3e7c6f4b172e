// Defends that a query by the time of creation is ordered by its number only where that means the same.
import { expect, test } from 'vitest'
import { createdByNumber } from '../../src/engine/sql/createdorder.ts'

test.each([
  'select * from shipments order by created_at desc limit 5',
  "SELECT id, s.status FROM shipments AS s WHERE (s.city = 'Pune') ORDER BY s.created_at, id",
  'select r.created_at, id from returns r order by created_at;',
  'select created_at_ms, s.created, id from shipments s order by s.created_at',
  'select id -- created_at\n from returns order by created_at nulls last',
  'explain query plan select count(*), (select created from stores) from shipments order by created_at asc',
  "select printf('%s', created_at) as day from shipments where status not in ('rto') order by created_at",
])('%s', (text) => {
  const at = text.lastIndexOf('created_at')
  expect(createdByNumber(text)).toBe(`${text.slice(0, at)}created_at_ms${text.slice(at + 'created_at'.length)}`)
})

test('the word for the time is the same', () => {
  expect(createdByNumber('select * from shipments order by created desc')).toBe(
    'select * from shipments order by created_at_ms desc',
  )
})

test.each([
  // Something else has the name.
  'select city as created_at from shipments order by created_at',
  'select city created_at from shipments order by created_at',
  'select city "created_at" from shipments order by created_at',
  "select city 'created_at' from shipments order by created_at",
  'select upper(city) created from shipments order by created_at',
  'select created_at || id from shipments order by created_at',
  'select id, status as created_at_ms from shipments order by created_at',
  'select id as "created_at_ms" from shipments order by created_at',
  "select id, 'created_at_ms' from shipments order by created_at",
  'select city created_at_ms from shipments order by created',
  // Other tables, or more than one.
  'select * from stores order by created_at',
  'select * from shipments, returns order by created_at',
  'select * from shipments s join returns r on r.order_id = s.order_id order by s.created_at',
  'select * from (select city as created_at from shipments) order by created_at',
  'with shipments as (select 1 as created_at) select * from shipments order by created_at',
  'select * from temp.shipments order by created_at',
  // Other forms, whose order is of what they select.
  'select distinct created_at from shipments order by created_at',
  'select created_at from shipments group by 1 order by created_at',
  'select created_at from shipments union select created_at from returns order by created_at',
  // Another order.
  'select * from shipments order by created_at collate nocase',
  'select * from shipments order by created_at + 1',
  'select * from shipments order by city, created_at',
  'select * from shipments order by "created_at"',
  'select * from shipments order by (created_at)',
  'select * from shipments where city in (select city from returns order by created_at)',
  'select * from shipments',
  'order by created_at',
  'values (1)',
  '',
])('%s stays', (text) => {
  expect(createdByNumber(text)).toBe(undefined)
})
