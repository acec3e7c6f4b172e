// What people type and read: phone numbers, words that are nearly right, and sentences broken at the edge of a screen.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldedText } from '../../src/cli/terminal/width.ts'
import { distance, nearest } from '../../src/domain/nearest.ts'
import { readPhone } from '../../src/domain/read/phone.ts'

describe('readPhone', () => {
  // prettier-ignore
  test.each<[string, string | undefined]>([
    ['9876543210',        '9876543210'],
    ['98765 43210',       '9876543210'],
    ['98765-43210',       '9876543210'],
    [' 9876543210 ',      '9876543210'],
    ['+919876543210',     '9876543210'],
    ['+91 98765 43210',   '9876543210'],
    ['+91-98765-43210',   '9876543210'],
    ['919876543210',      '9876543210'],
    ['00919876543210',    '9876543210'],
    ['0091 98765 43210',  '9876543210'],
    ['09876543210',       '9876543210'],
    ['6000000000',        '6000000000'],
    // Ten digits that begin with 91 are a number, not a prefix.
    ['9198765432',        '9198765432'],
    ['919198765432',      '9198765432'],
    ['5876543210',        undefined],
    ['987654321',         undefined],
    ['98765432101',       undefined],
    ['+919876543',        undefined],
    ['+9198765432',       undefined],
    ['+1 987 654 3210',   undefined],
    ['98765O3210',        undefined],
    // As WhatsApp, Google and Zoho write them.
    ['(98765) 43210',     '9876543210'],
    ['+91 (98400) 12345', '9840012345'],
    ['+91 (0) 98400 12345', '9840012345'],
    ['(022) 2345 6789',   undefined],
    ['9876543210 x2',     undefined],
    ['९८७६५४३२१०',        undefined],
    ['',                  undefined],
  ])('%j is %j', (input, phone) => {
    expect(readPhone(input)).toBe(phone)
  })
})

describe('foldedText', () => {
  test('a sentence with shipx in it is broken at its words, a command stays whole', () => {
    const told = '! shipx cannot read 22 values of created_at; shipx leaves them out: shipx shipments list --wide'
    expect(foldedText(told, 30).split('\n')).toEqual([
      '! shipx cannot read 22 values',
      'of created_at; shipx leaves',
      'them out:',
      'shipx shipments list --wide',
    ])
  })
})

describe('nearest', () => {
  // prettier-ignore
  test.each<[string, readonly string[], string | undefined]>([
    ['transit',       ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['in-transit',    ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['IN_TRANSIT',    ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['delivred',      ['pending', 'in_transit', 'delivered'],          'delivered'],
    ['rto',           ['delivered', 'rto_delivered', 'rto'],           'rto'],
    ['shipmnets',     ['stores', 'shipments', 'returns'],              'shipments'],
    ['carrier_ids',   ['carrier_name', 'carrier_id', 'status'],        'carrier_id'],
    ['carier_id',     ['carrier_name', 'carrier_id', 'status'],        'carrier_id'],
    ['COD',           ['cod', 'prepaid'],                              'cod'],
    ['weight',        ['dead_weight', 'height'],                       'dead_weight'],
    ['hieght',        ['weight', 'height'],                            'height'],
    ['zebra',         ['in_transit', 'delivered'],                     undefined],
    ['x',             ['a', 'b'],                                      undefined],
    ['to',            ['tz', 'db', 'qc'],                              undefined],
    ['pincode',       ['cod', 'pager'],                                undefined],
    ['cod-amount',    ['cod', 'pager'],                                'cod'],
    ['billing-name', ['billing-state', 'billing-city'],                undefined],
    ['billing-sate', ['billing-state', 'billing-city'],                'billing-state'],
    ['return_lost',   ['lost', 'returned'],                            'lost'],
    ['jsn',           ['json', 'csv'],                                 'json'],
    ['',              ['a', 'b'],                                      undefined],
    ['--',            ['a', 'b'],                                      undefined],
    ['anything',      [],                                              undefined],
  ])('%j among %j is %j', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected)
  })

  test('a short known word inside a longer one is not what was meant', () => {
    expect(nearest('bridge', ['id'])).toBeUndefined()
    expect(nearest('origin_pincode_x', ['--', 'in'])).toBeUndefined()
    expect(nearest('ids', ['id'])).toBe('id')
  })

  test('a word of megabytes is answered at once', () => {
    expect(nearest('a'.repeat(5_000_000), ['carrier_id', 'zone'])).toBeUndefined()
  })

  // prettier-ignore
  test.each([
    ['', '', 0], ['', 'abc', 3], ['abc', 'abc', 0], ['abc', 'abd', 1], ['abc', 'ab', 1], ['ab', 'ba', 1], ['abcd', 'acbd', 1],
    ['kitten', 'sitting', 3], ['shipmnets', 'shipments', 1], ['ca', 'abc', 3],
  ])('the distance of %j and %j is %d', (a, b, edits) => {
    expect([distance(a, b), distance(b, a)]).toEqual([edits, edits])
  })

  test('a word one edit away is one away', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('a', 'b', 'c'), (head, tail, letter) => {
        expect(distance(head + tail, head + letter + tail)).toBe(1)
        expect(distance(head + letter + tail, `${head}x${tail}`)).toBe(1)
        expect(distance(`${head}xy${tail}`, `${head}yx${tail}`)).toBe(1)
      }),
      { numRuns: 300 },
    )
  })
})
