// R19: injection strings in every parameter of every endpoint, over HTTP: never a 500, never a byte of another account.
import { contract, type Name } from '../../src/domain/contract.ts'
import { askerOf } from './asking.ts'
import { atOnce, sample, share, summed, timed, type Finding, type Size } from './row.ts'
import { importInto, orderOf, startServing } from './serving.ts'

/** What is in every field of the other account's records, and in no question. */
const foreign = 'ZQX-OTHER-7719'

const quotes = ["'", '"', '`', "''", '\\', "\\'", "')", "'))", '";', "';", '%', '_', '%%', '*', '--', '/*', '#', ';']
// prettier-ignore
const sql = [
  "' OR '1'='1", "' OR 1=1--", "') OR ('1'='1", "' UNION SELECT doc FROM shipments--", "'; DROP TABLE shipments;--", "1; DELETE FROM stores",
  "' AND (SELECT COUNT(*) FROM accounts)>0--", "' OR account_id<>1--", "x' AND load_extension('x')--", "'||(SELECT key FROM keys)||'",
  "' OR EXISTS(SELECT 1 FROM sqlite_master)--", "'; ATTACH DATABASE '/tmp/x' AS x;--", "'; PRAGMA writable_schema=1;--", "1 OR 1=1", '0x31', '1e1',
  "' GROUP BY 1 HAVING 1=1--", "' ORDER BY 99--", "' LIMIT 1 OFFSET 1--", "NULL", "' IS NULL--", "CASE WHEN 1=1 THEN 1 ELSE 0 END", "char(65)", "randomblob(1000000000)", "zeroblob(1e9)", "' AND randomblob(500000000)--",
]
// prettier-ignore
const search = [
  'a AND b', 'a OR b', 'NOT a', 'a NEAR b', 'NEAR(a b, 5)', 'a*', '^a', '"a', 'a"', 'col:a', 'rowid:1', '{a b}:c', '-a', '+a', '(a', 'a)', '"" ""', 'NEAR/1000000000', 'a:b:c', '""""', "' MATCH 'a", 'fts5(', 'highlight(shipment_search,0,1,2)',
]
// prettier-ignore
const other = [
  '../../../../etc/passwd', '..%2f..%2fetc%2fpasswd', '/etc/passwd\u0000.png', 'C:\\windows\\win.ini', '${jndi:ldap://127.0.0.1/a}', '{{7*7}}', '<%= 7*7 %>', '#{7*7}', '${7*7}', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "javascript:alert(1)",
  '; cat /etc/passwd', '| id', '`id`', '$(id)', '&& id', '\n id', '\r\nSet-Cookie: a=b', '%0d%0aX-A: b', '{"$gt":""}', '{"$ne":null}', "[$regex]=.*", '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype',
  '*)(uid=*))(|(uid=*', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '=cmd|\' /C calc\'!A0', '@SUM(1+1)', '(?:a+)+$', 'a'.repeat(10_000), '%'.repeat(2000), "'".repeat(3000), '\\'.repeat(3000), '('.repeat(2000), ' '.repeat(5000), 'a '.repeat(1000),
  '\u0000', '\u0001\u0002', 'a\u0000b', '\ufeff', '\u202e', '\ud800', '\udfff', '\ud83d\ude00', '\u0130\u0131', 'ﬀ', '\u0301'.repeat(200), '٠١٢', '１２３', '-0', '1e999', '-1', '99999999999999999999', '0.1e-400', 'NaN', 'Infinity', 'true', 'null', '[]', '{}', '',
]

/** 500 strings: each kind as it is, behind something ordinary, in front of it, and escaped. */
export const injections: readonly string[] = [
  ...quotes,
  ...sql,
  ...search,
  ...other,
  ...sql.flatMap((text) => [
    `WH1${text}`,
    `${text} WH1`,
    encodeURIComponent(text),
    text.replaceAll("'", '"'),
    text.replaceAll(' ', '/**/'),
    text.replaceAll("'", '\u02bc'),
    text.replaceAll("'", '\uff07'),
  ]),
  ...search.flatMap((text) => [`asha ${text}`, `"${text}"`, `${text} ${foreign.slice(0, 3)}*`]),
  ...quotes.flatMap((text) => [`a${text}b`, text.repeat(50), `${text} OR 1=1`]),
  ...other.slice(0, 36).map((text) => `x${text}`),
].slice(0, 500)

/** The values that a string takes in a parameter: itself, in a list, as a key, as a cursor. */
function* forms(text: string): Generator<unknown> {
  yield text
  yield [text]
  yield { [text]: text }
  yield ['1', text]
}

/** What only the inside of the service says: stacks, files, the database's own words. */
const inside = /\n\s+at |node:internal|SQLITE|sqlite|dist\/shipx/

/** R19, so many of the strings. */
export const r19 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const serving = await startServing()
    const faults: string[] = []
    let tried = 0
    try {
      const { key } = await serving.keyOf('default')
      const { key: theirs } = await serving.keyOf('other')
      await importInto(serving, 'other', 'shipments', [1, 2, 3].map(foreignShipment))
      await importInto(serving, 'other', 'returns', [1, 2, 3].map(foreignReturn))
      const { ask, close } = askerOf(serving.url)
      // The other account's data is there, so that finding none of it means something.
      const there = await ask('POST', '/shipments', theirs, { search: foreign })
      if (!there.text.includes(foreign)) faults.push('the other account has no records to find')
      // What has been an answer of 500 once is in every sample.
      const texts = [...new Set([...sample(injections, size, 12), '\ud800', 'toString'])]
      const questions = (Object.keys(contract) as Name[]).flatMap((name) =>
        texts.flatMap((text, n) => [...asked(name, text, n)].map((question) => ({ name, text, ...question }))),
      )
      await atOnce(12, questions, async ({ name, text, method, path, body, where }) => {
        tried++
        const shown = `${name} ${where} ${JSON.stringify(text.slice(0, 40))}`
        try {
          const answer = await ask(method, path, key, body)
          if (answer.status >= 500) faults.push(`${shown}: ${answer.status}`)
          if (answer.text.includes(foreign)) faults.push(`${shown}: bytes of another account`)
          if (inside.test(answer.text) && !inside.test(text))
            faults.push(`${shown}: tells of the inside: ${answer.text.slice(0, 200)}`)
        } catch (error) {
          faults.push(`${shown}: ${error instanceof Error ? error.message : String(error)}`)
        }
      })
      close()
      if (!serving.alive()) faults.push('the service has ended')
      if (/"level":"error"/.test(serving.log()))
        faults.push(`the service logged an error: ${/.*"level":"error".*/.exec(serving.log())![0].slice(0, 300)}`)
      // And everything of the other account is still as it was.
      const checker = askerOf(serving.url)
      const after = await checker.ask('POST', '/shipments', theirs, { search: foreign })
      checker.close()
      if (after.text !== there.text) faults.push('the records of the other account have changed')
    } finally {
      await serving.close()
    }
    return {
      row: 'R19',
      what: `${share(size, 500, 12)} injection strings in every parameter`,
      tried,
      result: `${tried} requests, ${faults.length} faults`,
      target: '0 answers of 500, nothing of another account',
      faults: summed(faults),
    }
  })

interface Question {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly where: string
}

/** Every way of asking an endpoint with the string in one parameter. The forms go round, so that each meets each. */
function* asked(name: Name, text: string, n: number): Generator<Question> {
  const { method, path } = contract[name]
  const inPath = path.includes(':id')
  const base = validBody(name, n)
  if (inPath)
    yield { method, path: path.replace(':id', encodeURIComponent(text.toWellFormed())), body: base, where: 'path' }
  const at = path.replace(':id', '00000000-0000-4000-8000-000000000000')
  if (method === 'GET') {
    yield {
      method,
      path: `${at}?${encodeURIComponent(text.toWellFormed())}=1&search=${encodeURIComponent(text.toWellFormed())}`,
      body: undefined,
      where: 'query',
    }
    return
  }
  const values = [...forms(text)]
  const names = Object.keys(contract[name].input().shape).filter((key) => key !== 'id')
  for (const [m, parameter] of names.entries()) {
    const value = values[(n + m) % values.length]
    yield { method, path: at, body: { ...base, [parameter]: value }, where: parameter }
    if (typeof value !== 'string') yield { method, path: at, body: { ...base, [parameter]: text }, where: parameter }
  }
  yield { method, path: at, body: { ...base, [text]: text }, where: 'a name' }
  // Rules between fields see values that no schema has let through.
  if (name === 'listShipments' || name === 'listReturns')
    yield { method, path: at, body: { search_after: ['1', 'a'], page: { [text]: text } }, where: 'page with a cursor' }
  if (name.includes('Order'))
    yield {
      method,
      path: at,
      body: { ...base, order_items: [{ name: text, sku: text, units: 1, selling_price: 1 }] },
      where: 'order_items',
    }
}

let orders = 0

function validBody(name: Name, n: number): Readonly<Record<string, unknown>> {
  if (name === 'getRates')
    return {
      journey_type: n % 2 === 0 ? 'forward' : 'return',
      origin_pincode: '400001',
      destination_pincode: '560001',
      dead_weight: 500,
      length: 20,
      width: 15,
      height: 10,
      payment_method: 'prepaid',
    }
  if (name.includes('Order')) return orderOf(`R19-${++orders}`)
  if (name === 'createStore') return { store_name: `r19-${++orders}` }
  if (name === 'listShipments' || name === 'listReturns') return { per_page: 2 }
  return {}
}

const foreignShipment = (n: number): object => ({
  id: `${foreign}-s${n}`,
  type: 'shipment',
  attributes: {
    tracking_number: `${foreign}${n}`,
    status: 'in_transit',
    created_at: '2026-09-20T10:00:00Z',
    warehouse_id: 'WH1',
    zone: 'zone_c',
    is_cod: false,
    tags: [foreign],
    carrier: { id: foreign, name: foreign },
    order: { id: foreign, display_id: foreign, channel: foreign, store_name: foreign },
    items: [{ id: '1', name: foreign, sku: foreign, quantity: 1, price: 1 }],
    shipping_address: { name: foreign, city: foreign, phone: '9876543210', state: foreign, zip: '560001' },
  },
})

const foreignReturn = (n: number): object => ({
  id: `${foreign}-r${n}`,
  type: 'return',
  attributes: {
    display_id: `${foreign}${n}`,
    status: 'return_requested',
    created_at: '2026-09-20T10:00:00Z',
    request_date: '2026-09-20T10:00:00Z',
    warehouse_id: 'WH1',
    return_reason: foreign,
    return_items: [{ id: '1', name: foreign, sku: foreign, quantity: 1, price: 1 }],
    order: { id: foreign, display_id: foreign, channel: foreign, store_name: foreign },
  },
})
