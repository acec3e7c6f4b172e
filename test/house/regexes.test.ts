// Every regular expression of the program takes time in proportion to the text: none looks again and again at what it has seen,
// so that no cell, line or answer can hold a command up. scslre finds those that may; what it cannot see is tried below.
import { expect, test } from 'vitest'
import { readSender } from '../../src/delivery/destination.ts'
import { markupFaults } from '../../src/delivery/markup.ts'
import { readTemplate } from '../../src/delivery/templatecheck.ts'
import { groupedDigits } from '../../src/domain/money.ts'
import { maskBody, redactor } from '../../src/client/redact.ts'
import { rewordedError } from '../../src/client/answers.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { testNow } from '../support/engine.ts'
import { expressions, expressionsIn, slowOnes, slownessOf } from '../support/expressions.ts'
import { sandbox } from '../support/sandbox.ts'

test('no expression takes more than its share of time', () => {
  const all = expressions()
  expect(all.length).toBeGreaterThan(300)
  expect(slowOnes(all)).toEqual([])
})

test('the search finds those that do', () => {
  for (const text of ['/(a+)+$/', '/\\s*cms?$/', '/^(.*?)\\s*(kg)?$/', '/=+$/', '/\\d(?=(?:\\d\\d)*\\d{3}$)/g'])
    expect([text, slownessOf(text).length > 0]).toEqual([text, true])
  expect(expressionsIn('x.ts', "const a = /a+/u\nconst b = 'no /b+/'\nf(/c/g)")).toEqual([
    { path: 'x.ts', line: 1, text: '/a+/u' },
    { path: 'x.ts', line: 3, text: '/c/g' },
  ])
})

/** Far less than what any of these took when it was quadratic, and far more than it takes now, ms. */
const patience = 2000

const many = 200_000

test.each([
  ['a sender of blanks', () => readSender(`${' '.repeat(many)}x`)],
  ['a sender with an open bracket', () => readSender(`a${' <'.repeat(many)}`)],
  ['a heading of blanks', () => readTemplate(`=== ${' '.repeat(many)}x\n`, new Date(testNow).toISOString())],
  ['a heading of signs', () => readTemplate(`=== ${'='.repeat(many)}x\n`, new Date(testNow).toISOString())],
  ['a line of a name and blanks', () => readTemplate(`a${' '.repeat(many)}x\n`, new Date(testNow).toISOString())],
  ['markup of brackets', () => markupFaults('<'.repeat(many), false)],
  ['markup that is never closed', () => markupFaults(`<a>${'<b>'.repeat(many / 4)}</a>`, false)],
  ['a stack of empty lines', () => rewordedError(new ShipxError('rejected', `no${'\n'.repeat(many)}x`))],
  ['a body with a value that never ends', () => maskBody(`"name": "${'\\\\'.repeat(many)}`)],
  ['a body with a value of 20 MB', () => maskBody(`"name": "${'x'.repeat(20_000_000)}`)],
  ['headers without an end', () => redactor([])('authorization: "\\'.repeat(many / 10))],
  ['a header of backslashes', () => redactor([])(`authorization="${'\\'.repeat(many)}`)],
  ['a body of keys', () => maskBody('"shipping_address'.repeat(many))],
  ['digits', () => groupedDigits('1'.repeat(many))],
])('%s is read at once', (_, read) => {
  const began = performance.now()
  read()
  expect(performance.now() - began).toBeLessThan(patience)
})

test('what was rewritten says what it said', () => {
  expect(['1', '12', '123', '1234', '12345', '1234567', '123456789'].map(groupedDigits)).toEqual([
    '1',
    '12',
    '123',
    '1,234',
    '12,345',
    '12,34,567',
    '12,34,56,789',
  ])
  expect(readSender('"Acme Kids" <orders@acme.example> ')).toEqual({
    value: { name: 'Acme Kids', address: 'orders@acme.example' },
  })
  expect(readSender('orders@acme.example')).toEqual({ value: { name: '', address: 'orders@acme.example' } })
  for (const typed of ['a> <b@c.example>', `${'n'.repeat(101)} <b@c.example>`, '<b@c.example> x', '<<b@c.example>'])
    expect([typed, 'fault' in readSender(typed)]).toEqual([typed, true])
  const told = rewordedError(new ShipxError('rejected', 'it failed \n\n   at Object.<anonymous> (x.js:1:1)\n at y'))
  expect(told.message).toBe('it failed')
})

test('one line of a page that is all blanks ends an import at once, with its line', { tags: ['full'] }, async () => {
  const box = sandbox()
  try {
    for (const [start, more] of [
      ['{"data":', 'x'],
      ['{', 'x'],
      ['', '{x'],
    ] as const) {
      box.file('page.json', `${start}${'\t'.repeat(400_000)}${more}\n`)
      const began = performance.now()
      const outcome = await box.shipx(['local', 'import', 'shipments', 'page.json', '--json'])
      expect([outcome.exit, outcome.stderr.includes('line 1')]).toEqual([2, true])
      expect(performance.now() - began).toBeLessThan(15_000)
    }
    // A page that goes on below is still one.
    box.file('page.json', '{ "data" : [\n]\n}\n')
    expect((await box.shipx(['local', 'import', 'shipments', 'page.json', '--json'])).exit).toBe(0)
  } finally {
    box.remove()
  }
})

test('a cell of 300,000 characters is one bad row of an import', { tags: ['full'] }, async () => {
  const box = sandbox()
  try {
    const cell = `1${'\t'.repeat(300_000)}x`
    const [header, row] = (await box.shipx(['orders', 'import', '--template'])).stdout.split('\n') as [string, string]
    for (const column of ['length', 'weight', 'item_selling_price']) {
      const cells = row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      cells[header.split(',').indexOf(column)] = cell
      box.file('orders.csv', `${header}\n${cells.join(',')}\n`)
      const outcome = await box.shipx(['orders', 'import', 'orders.csv', '--dry-run'])
      expect([outcome.exit, outcome.stderr]).toEqual([
        2,
        expect.stringContaining('line 2: has a cell of more than 10,000 characters'),
      ])
    }
    box.file(
      'stores.jsonl',
      `${JSON.stringify({ store_name: 'a', brand_name: 'b'.repeat(10_001) })}\n{"store_name":"c"}\n`,
    )
    const stores = await box.shipx(['stores', 'import', 'stores.jsonl', '--dry-run'])
    expect([stores.exit, stores.stderr]).toEqual([
      7,
      expect.stringContaining('line 1: has a cell of more than 10,000 characters'),
    ])
  } finally {
    box.remove()
  }
})
