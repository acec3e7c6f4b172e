// A request for rates: what is taken, and each fault with its field and sentence.
import { describe, expect, test } from 'vitest'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { quote, rateAnswer } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { rateRequest, returnRateRequest } from '../support/requests.ts'
import { monday } from './cards.ts'

describe('the request', () => {
  const [raw, back] = [rateRequest, returnRateRequest]

  function faultsOf(value: unknown): readonly (readonly [field: string | null, message: string])[] {
    try {
      parseInput('getRates', value)
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      expect([error.code, error.status, error.exit]).toEqual(['invalid_input', 400, 2])
      return error.details.map(({ field, message }) => [field, message] as const)
    }
    return []
  }

  test('is taken as it is when nothing is wrong', () => {
    expect(parseInput('getRates', raw)).toEqual(raw)
    const unchecked = { ...back, qc_applicable: false }
    expect(parseInput('getRates', unchecked)).toEqual(unchecked)
    expect(faultsOf({ ...raw, payment_method: 'cod', shipment_value: 0.01 })).toEqual([])
  })

  // prettier-ignore
  test.each<[Readonly<Record<string, unknown>>, field: string, message: string]>([
    [{ journey_type: undefined },          'journey_type', 'is required'],
    [{ journey_type: 'reverse' },          'journey_type', '"reverse" isn\'t a journey. One of: forward, return'],
    [{ journey_type: 'Forward' },          'journey_type', '"Forward" isn\'t a journey. Did you mean forward? One of: forward, return'],
    [{ journey_type: 1 },                  'journey_type', 'must be one of: forward, return'],
    [{ payment_method: undefined },        'payment_method', 'is required for a forward journey: cod or prepaid'],
    [{ payment_method: 'COD' },            'payment_method', '"COD" isn\'t a payment method. Did you mean cod? One of: cod, prepaid'],
    [{ payment_method: 'PREPAID' },        'payment_method', '"PREPAID" isn\'t a payment method. Did you mean prepaid? One of: cod, prepaid'],
    [{ payment_method: '' },               'payment_method', '"" isn\'t a payment method. One of: cod, prepaid'],
    [{ payment_method: null },             'payment_method', 'must be one of: cod, prepaid'],
    [{ payment_method: true },             'payment_method', 'must be one of: cod, prepaid'],
    [{ payment_method: 'cod' },            'shipment_value', 'is required when payment_method is cod'],
    [{ payment_method: 'cod', shipment_value: 0 },    'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: -1 },   'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: '0' },  'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: '' },   'shipment_value', 'must be a number'],
    [{ payment_method: 'cod', shipment_value: null }, 'shipment_value', 'must be a number'],
    [{ payment_method: 'cod', shipment_value: 1e11 }, 'shipment_value', 'must be at most 10,00,00,00,000 rupees'],
    [{ dead_weight: 0 },                   'dead_weight', 'must be more than 0'],
    [{ dead_weight: -500 },                'dead_weight', 'must be more than 0'],
    [{ dead_weight: '-0' },                'dead_weight', 'must be more than 0'],
    [{ dead_weight: undefined },           'dead_weight', 'is required'],
    [{ dead_weight: null },                'dead_weight', 'must be a number'],
    [{ dead_weight: 1e8 },                 'dead_weight', 'must be at most 1,00,00,000 g'],
    [{ length: 0 },                        'length', 'must be more than 0'],
    [{ width: -1 },                        'width', 'must be more than 0'],
    [{ height: '0.0' },                    'height', 'must be more than 0'],
    [{ height: 10_000.01 },                'height', 'must be at most 10,000 cm'],
    [{ length: [20] },                     'length', 'must be a number'],
    [{ length: true },                     'length', 'must be a number'],
    [{ origin_pincode: undefined },        'origin_pincode', 'is required'],
    [{ origin_pincode: 400001 },           'origin_pincode', 'must be text of 6 digits'],
    [{ origin_pincode: '' },               'origin_pincode', 'the pincode is empty; a pincode is 6 digits'],
    [{ origin_pincode: '40001' },          'origin_pincode', '40001 has 5 digits; a pincode has 6'],
    [{ origin_pincode: '012345' },         'origin_pincode', '012345 starts with 0; a pincode starts with 1 to 9'],
    [{ destination_pincode: '56O001' },    'destination_pincode', '"56O001" is not a pincode; a pincode is 6 digits'],
    [{ destination_pincode: '123456' },    'destination_pincode', '123456 is not a pincode that exists; nearest: 123412, 123411, 123501'],
    [{ qc_applicable: 'true' },            'qc_applicable', 'must be true or false'],
    [{ qc_applicable: null },              'qc_applicable', 'must be true or false'],
    [{ carrier_id: 'CAR' },                'carrier_id', 'unknown parameter `carrier_id`'],
    [{ shipmnet_value: 5 },                'shipmnet_value', 'unknown parameter `shipmnet_value`; did you mean `shipment_value`?'],
    [{ weight: 5 },                        'weight', 'unknown parameter `weight`; did you mean `dead_weight`?'],
    [{ breadth: 5 },                       'breadth', 'unknown parameter `breadth`'],
  ])('%j: %s %s', (over, field, message) => {
    expect(faultsOf({ ...raw, ...over })).toEqual([[field, message]])
  })

  test.each([
    '',
    ' ',
    'abc',
    '0x1f',
    '1e3',
    '1E3',
    'NaN',
    'Infinity',
    '-Infinity',
    '+5',
    '5.',
    '.5',
    '1,000',
    '5 g',
    '٥',
  ])('the text %j is no number', (text) => {
    expect(faultsOf({ ...raw, dead_weight: text, width: text })).toEqual([
      ['dead_weight', 'must be a number'],
      ['width', 'must be a number'],
    ])
  })

  test.each([NaN, Infinity, -Infinity])('%d is no number', (value) => {
    expect(faultsOf({ ...raw, dead_weight: value, shipment_value: value })).toEqual([
      ['dead_weight', 'must be a number'],
      ['shipment_value', 'must be a number'],
    ])
  })

  test('plain decimal strings are numbers', () => {
    const text = { ...raw, dead_weight: '500', length: '20.5', width: '15.000', height: '0.5' }
    const cod = { payment_method: 'cod', shipment_value: '1499.50' }
    expect(parseInput('getRates', { ...text, ...cod })).toMatchObject({
      dead_weight: 500,
      length: 20.5,
      width: 15,
      height: 0.5,
      shipment_value: 1499.5,
    })
  })

  test('a pincode may have one space in its middle', () => {
    const { origin_pincode, destination_pincode } = parseInput('getRates', {
      ...raw,
      origin_pincode: '400 001',
      destination_pincode: ' 560001 ',
    })
    expect([origin_pincode, destination_pincode]).toEqual(['400001', '560001'])
    expect(faultsOf({ ...raw, origin_pincode: '4 00001' })).toHaveLength(1)
  })

  test('everything that is wrong is named at once, in the order of the form', () => {
    const wrong = {
      extra: 1,
      height: 'tall',
      journey_type: 'forward',
      dead_weight: 0,
      destination_pincode: '999999',
      payment_method: 'COD',
      qc_applicable: 1,
    }
    expect(faultsOf(wrong).map(([field]) => field)).toEqual([
      'origin_pincode',
      'destination_pincode',
      'dead_weight',
      'length',
      'width',
      'height',
      'payment_method',
      'qc_applicable',
      'extra',
    ])
    const cod = { ...raw, payment_method: 'cod', length: 0 }
    expect(faultsOf(cod)).toEqual([
      ['length', 'must be more than 0'],
      ['shipment_value', 'is required when payment_method is cod'],
    ])
  })

  test.each([null, [], 'text', 5, undefined])('%j is no request', (value) => {
    expect(faultsOf(value)).toEqual([[null, 'the request must be a JSON object']])
  })

  test('keys of the prototype are unknown parameters', () => {
    const sly: unknown = JSON.parse(JSON.stringify(raw).replace('{', '{"__proto__":1,"constructor":2,'))
    expect(faultsOf(sly)).toEqual([
      ['__proto__', 'unknown parameter `__proto__`'],
      ['constructor', 'unknown parameter `constructor`'],
    ])
  })

  describe('parameters of the other journey are checked for their type and otherwise ignored', () => {
    // prettier-ignore
    test.each<[Readonly<Record<string, unknown>>]>([
      [{ payment_method: 'cod' }],
      [{ payment_method: 'COD', shipment_value: 0 }],
      [{ payment_method: 'online', shipment_value: -5 }],
      [{ payment_method: 'prepaid', shipment_value: '0' }],
      [{ payment_method: '', shipment_value: 1e12 }],
    ])('a return with %j is a return', (over) => {
      expect(faultsOf({ ...back, ...over })).toEqual([])
      const answer = rateAnswer(quote(parseInput('getRates', { ...back, ...over }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', back), sampleCard, monday)))
    })

    test.each([0, -5, '0', 1e12])('a prepaid parcel with shipment_value %j is prepaid', (shipment_value) => {
      const answer = rateAnswer(quote(parseInput('getRates', { ...raw, shipment_value }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', raw), sampleCard, monday)))
    })

    test.each([true, false])('a forward parcel with qc_applicable %j is a forward parcel', (qc_applicable) => {
      const answer = rateAnswer(quote(parseInput('getRates', { ...raw, qc_applicable }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', raw), sampleCard, monday)))
    })

    test('their type is checked', () => {
      expect(faultsOf({ ...back, payment_method: 5, shipment_value: 'x', qc_applicable: 'false' })).toEqual([
        ['payment_method', 'must be one of: cod, prepaid'],
        ['shipment_value', 'must be a number'],
        ['qc_applicable', 'must be true or false'],
      ])
      expect(faultsOf({ ...raw, shipment_value: 'x' })).toEqual([['shipment_value', 'must be a number']])
    })
  })

  test('without a journey, only what is wrong in either is named beside it', () => {
    const faults = faultsOf({ ...raw, journey_type: undefined, payment_method: 'COD' })
    expect(faults.map(([field]) => field)).toEqual(['journey_type', 'payment_method'])
    expect(faultsOf({ ...raw, journey_type: 'x', payment_method: undefined }).map(([field]) => field)).toEqual([
      'journey_type',
    ])
  })
})
