// What the pincode table promises: the codes that exist, the places they name, and the sentences about those that do not.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { compilePincodes } from '../../src/build/pincodes.ts'
import {
  everyPincode,
  nearestPincodes,
  pincodeCount,
  pincodeKnown,
  placeOf,
  stateNames,
} from '../../src/domain/pincodes.ts'
import { pincodeFault, readPincode } from '../../src/domain/read/pincode.ts'

const require = createRequire(import.meta.url)
const validator = require('pincode-validator') as { validate(pincode: string): boolean }
const all = [...everyPincode()]

describe('the table', () => {
  test('holds 19,586 pincodes, ascending, each of six digits', () => {
    expect(pincodeCount()).toBe(19_586)
    expect(all).toHaveLength(19_586)
    expect(all).toEqual([...new Set(all)].sort())
    expect(all.filter((pincode) => !/^[1-9][0-9]{5}$/.test(pincode))).toEqual([])
  })

  test('is the file that the generator writes, to the byte', { tags: ['full'] }, () => {
    const file = readFileSync(new URL('../../src/domain/pincodes.data.ts', import.meta.url), 'utf8')
    expect(compilePincodes() === file).toBe(true)
  })

  test.each(['src/domain/pincodes.data.ts', 'docs/reference/data.md'])(
    '%s carries the attribution that its licence asks for',
    (path) => {
      const file = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
      const text = file.slice(0, file.indexOf('compacted)') + 10).replace(/\s*\n(?:\/\/|>) /g, ' ')
      expect(text.replace(/[<>]/g, '')).toContain(
        'Department of Posts, Ministry of Communications, Government of India, 2020, All India Pincode Directory till last ' +
          'month, Open Government Data (OGD) Platform India, 03/10/2025, ' +
          'https://www.data.gov.in/resource/all-india-pincode-directory-till-last-month. ' +
          'Released under NDSAP and licensed under Government Open Data License - India: https://www.data.gov.in/Godl ' +
          '(adapted: cleaned and compacted)',
      )
    },
  )

  test('is the set of pincode-validator but for six codes', { tags: ['full'] }, () => {
    const known = new Set(all)
    const here: string[] = []
    const there: string[] = []
    for (let pin = 100_000; pin < 1_000_000; pin++) {
      const pincode = String(pin)
      const valid = validator.validate(pincode)
      if (known.has(pincode) && !valid) here.push(pincode)
      if (!known.has(pincode) && valid) there.push(pincode)
    }
    expect(here).toEqual(['389135', '577009', '845441', '900056', '900099'])
    expect(there).toEqual(['500301'])
  })

  test('is decoded once, in a moment, and searched in microseconds', async () => {
    const [loaded, searched]: [number[], number[]] = [[], []]
    for (let n = 0; n < 3; n++) {
      vi.resetModules()
      const fresh = await import('../../src/domain/pincodes.ts')
      const start = performance.now()
      fresh.placeOf('110001')
      loaded.push(performance.now() - start)
      const between = performance.now()
      for (const pincode of all) fresh.placeOf(pincode)
      searched.push(performance.now() - between)
    }
    // 0.6 ms and 10 ms here; the margin is for busy machines and still fails on a table read from JSON.
    expect(Math.min(...loaded)).toBeLessThan(25)
    expect(Math.min(...searched)).toBeLessThan(400)
  })

  test('names 36 states and union territories and the army post', () => {
    expect(stateNames()).toHaveLength(37)
    expect(stateNames()).toEqual([...stateNames()].sort())
    expect(new Set(all.map((pincode) => placeOf(pincode)?.state))).toEqual(new Set(stateNames()))
  })

  test('has tidy names: no capitals of the directory, no stray marks', () => {
    const names = new Set(all.flatMap((pincode) => Object.values(placeOf(pincode) ?? {}).slice(1)))
    expect(
      [...names].filter((name) => !/^(?:[A-Z0-9][A-Za-z0-9]*|and)(?:[ -](?:[A-Z0-9][A-Za-z0-9]*|and))*$/.test(name)),
    ).toEqual([])
    const capitals = [...names].filter((name) => /[A-Z]{2}/.test(name)).sort()
    expect(capitals).toEqual(['56 APO', '99 APO', 'NTR', 'SAS Nagar', 'YSR Kadapa'])
  })
})

describe('placeOf', () => {
  // prettier-ignore
  test.each([
    ['110001', 'New Delhi',        'New Delhi',           'Delhi'],
    ['110092', 'Delhi',            'East Delhi',          'Delhi'],
    ['121001', 'Faridabad',        'Faridabad',           'Haryana'],
    ['122001', 'Gurugram',         'Gurugram',            'Haryana'],
    ['160017', 'Chandigarh',       'Chandigarh',          'Chandigarh'],
    ['194101', 'Leh',              'Leh',                 'Ladakh'],
    ['201001', 'Ghaziabad',        'Ghaziabad',           'Uttar Pradesh'],
    ['201301', 'Noida',            'Gautam Buddha Nagar', 'Uttar Pradesh'],
    ['380001', 'Ahmedabad',        'Ahmedabad',           'Gujarat'],
    ['400001', 'Mumbai',           'Mumbai',              'Maharashtra'],
    ['400050', 'Mumbai',           'Mumbai Suburban',     'Maharashtra'],
    ['400601', 'Thane',            'Thane',               'Maharashtra'],
    ['400703', 'Navi Mumbai',      'Thane',               'Maharashtra'],
    ['403001', 'North Goa',        'North Goa',           'Goa'],
    ['411001', 'Pune',             'Pune',                'Maharashtra'],
    ['500001', 'Hyderabad',        'Hyderabad',           'Telangana'],
    ['560001', 'Bengaluru',        'Bengaluru Urban',     'Karnataka'],
    ['600001', 'Chennai',          'Chennai',             'Tamil Nadu'],
    ['605001', 'Puducherry',       'Puducherry',          'Puducherry'],
    ['605012', 'Puducherry',       'Puducherry',          'Puducherry'],
    ['682555', 'Lakshadweep',      'Lakshadweep',         'Lakshadweep'],
    ['700001', 'Kolkata',          'Kolkata',             'West Bengal'],
    ['700091', 'Kolkata',          'North 24 Parganas',   'West Bengal'],
    ['711101', 'Howrah',           'Howrah',              'West Bengal'],
    ['737101', 'East Sikkim',      'East Sikkim',         'Sikkim'],
    ['744101', 'South Andaman',    'South Andaman',       'Andaman and Nicobar Islands'],
    ['799001', 'West Tripura',     'West Tripura',        'Tripura'],
    ['900056', '56 APO',           '56 APO',              'Army Post'],
    ['900099', '99 APO',           '99 APO',              'Army Post'],
  ])('%s is %s, %s, %s', (pincode, city, district, state) => {
    expect(placeOf(pincode)).toEqual({ pincode, city, district, state })
  })

  test('knows every code of the table, the first and the last, and its neighbours only when they are in it', () => {
    const known = new Set(all)
    expect(all.filter((pincode) => placeOf(pincode)?.pincode !== pincode)).toEqual([])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_100 }), (number) => {
        const text = String(number)
        expect(pincodeKnown(text)).toBe(known.has(text))
        expect(placeOf(text)?.pincode).toBe(known.has(text) ? text : undefined)
      }),
    )
  })

  test.each(['123456', '999999', '100000', '111111', '700000', '000000', '199999', '500301'])(
    '%s is nowhere',
    (pincode) => {
      expect(placeOf(pincode)).toBeUndefined()
      expect(pincodeKnown(pincode)).toBe(false)
    },
  )

  test.each(['', '11000', '1100011', '110 001', ' 110001', '110001\n', '0110001', '११०००१', '1e5', '0x1adb1'])(
    '%j is not six digits',
    (text) => {
      expect(placeOf(text)).toBeUndefined()
      expect(pincodeKnown(text)).toBe(false)
    },
  )
})

describe('readPincode', () => {
  test.each([
    ['560001', '560001'],
    ['560 001', '560001'],
    ['  560 001\n', '560001'],
    ['56 0001', '56 0001'],
    ['560  001', '560  001'],
    ['560-001', '560-001'],
    ['560 01', '560 01'],
    ['', ''],
  ])('%j is read as %j', (text, pincode) => {
    expect(readPincode(text)).toBe(pincode)
  })
})

describe('pincodeFault', () => {
  test('finds none with any pincode of the table', () => {
    expect(all.filter((pincode) => pincodeFault(pincode) !== undefined)).toEqual([])
  })

  // prettier-ignore
  test.each([
    ['',           'the pincode is empty; a pincode is 6 digits'],
    ['4',          '4 has 1 digit; a pincode has 6'],
    ['40001',      '40001 has 5 digits; a pincode has 6'],
    ['4000011',    '4000011 has 7 digits; a pincode has 6'],
    ['4000a1',     '"4000a1" is not a pincode; a pincode is 6 digits'],
    ['56 0001',    '"56 0001" is not a pincode; a pincode is 6 digits'],
    ['-40001',     '"-40001" is not a pincode; a pincode is 6 digits'],
    ['१२३४५६',      '"१२३४५६" is not a pincode; a pincode is 6 digits'],
    ['012345',     '012345 starts with 0; a pincode starts with 1 to 9'],
    ['000000',     '000000 starts with 0; a pincode starts with 1 to 9'],
    ['123456',     '123456 is not a pincode that exists; nearest: 123412, 123411, 123501'],
    ['700000',     '700000 is not a pincode that exists; nearest: 700001, 700002, 700003'],
    ['500301',     '500301 is not a pincode that exists; nearest: 500119, 500118, 500117'],
    ['900057',     '900057 is not a pincode that exists; nearest: 900056, 900099'],
    ['999999',     '999999 is not a pincode that exists; no pincode starts with 999'],
    ['111111',     '111111 is not a pincode that exists; no pincode starts with 111'],
  ])('%j: %s', (text, sentence) => {
    expect(pincodeFault(text)).toBe(sentence)
  })

  test('cuts hostile input to 20 characters and lets no control character through', () => {
    expect(pincodeFault('9'.repeat(1_000_000))).toBe('9999999999999999999… has 1000000 digits; a pincode has 6')
    expect(pincodeFault('x'.repeat(20))).toBe('"xxxxxxxxxxxxxxxxxxxx" is not a pincode; a pincode is 6 digits')
    expect(pincodeFault('x'.repeat(21))).toBe('"xxxxxxxxxxxxxxxxxxx…" is not a pincode; a pincode is 6 digits')
    expect(pincodeFault('\u001b[2J\u202e\n\u0000')).toBe('"?[2J???" is not a pincode; a pincode is 6 digits')
    expect(pincodeFault('😀'.repeat(500))).toBe(`"${'😀'.repeat(19)}…" is not a pincode; a pincode is 6 digits`)
  })

  test('says one bounded line about any text, and nothing exactly when the pincode exists', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9 ]{4,8}$/)), (typed) => {
        const text = readPincode(typed)
        const fault = pincodeFault(text)
        expect(fault === undefined).toBe(pincodeKnown(text))
        expect(fault ?? '').not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
        expect((fault ?? '').length).toBeLessThan(120)
      }),
    )
  })
})

describe('nearestPincodes', () => {
  test('gives at most three existing codes of the same three digits, none of them farther than one left out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 999_999 }), (wanted) => {
        const near = nearestPincodes(String(wanted))
        const away = (pincode: string): number => Math.abs(Number(pincode) - wanted)
        const group = all.filter((pincode) => pincode.slice(0, 3) === String(wanted).slice(0, 3))
        expect(near).toHaveLength(Math.min(3, group.length))
        expect(group).toEqual(expect.arrayContaining([...near]))
        const farthest = Math.max(0, ...near.map(away))
        expect(group.filter((pincode) => !near.includes(pincode) && away(pincode) < farthest)).toEqual([])
      }),
    )
  })

  test('gives none for what is not six digits', () => {
    expect(nearestPincodes('12345')).toEqual([])
    expect(nearestPincodes('012345')).toEqual([])
    expect(nearestPincodes('')).toEqual([])
  })
})
