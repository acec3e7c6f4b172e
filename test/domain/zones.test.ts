// What zones promise: the answers people know, the same in both directions, and every choice a rate card may make.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everyPincode, pincodeKnown, placeOf } from '../../src/domain/pincodes.ts'
import type { Locality } from '../../src/domain/pincodes.ts'
import {
  clusterOf,
  isSpecial,
  metroOf,
  metros,
  specialStates,
  zoneOf,
  zoneOptionsFault,
  zones,
} from '../../src/domain/rates/zones.ts'
import { readZone } from '../../src/domain/read/zone.ts'
import type { ZoneDecision, ZoneOptions } from '../../src/domain/rates/zones.ts'

const all = [...everyPincode()]
const places = all.map(at)
const pairs = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...places))

function at(pincode: string): Locality {
  const place = placeOf(pincode)
  if (place === undefined) throw new Error(`${pincode} does not exist`)
  return place
}

function between(from: string, to: string, options?: ZoneOptions): ZoneDecision {
  return zoneOf(at(from), at(to), options)
}

function verdict(from: string, to: string, options?: ZoneOptions): string {
  const { zone, rule } = between(from, to, options)
  return `${zone} ${rule}`
}

describe('zoneOf', () => {
  // prettier-ignore
  test.each([
    ['110001', '110092', 'zone_a', 'same_city'],
    ['110001', '122001', 'zone_a', 'same_city'],
    ['400001', '400705', 'zone_a', 'same_city'],
    ['400001', '411001', 'zone_b', 'same_state'],
    ['302001', '303702', 'zone_b', 'same_state'],
    ['110001', '400001', 'zone_c', 'metro'],
    ['560001', '600001', 'zone_c', 'metro'],
    ['110001', '302001', 'zone_d', 'rest'],
    ['781001', '781028', 'zone_a', 'same_city'],
    ['781001', '785001', 'zone_e', 'special_state'],
    ['110001', '781001', 'zone_e', 'special_state'],
    ['682001', '682555', 'zone_e', 'special_state'],
    ['700001', '737101', 'zone_e', 'special_state'],
    ['744101', '744103', 'zone_a', 'same_city'],
    ['380001', '382481', 'zone_a', 'same_city'],
    ['382481', '382010', 'zone_b', 'same_state'],
    ['160017', '160055', 'zone_a', 'same_city'],
    ['160017', '110001', 'zone_d', 'rest'],
    ['900056', '900099', 'zone_e', 'special_state'],
    ['302001', '302001', 'zone_a', 'same_city'],
    ['411001', '410501', 'zone_b', 'same_state'],
  ])('%s to %s is %s by %s, and back', (from, to, zone, rule) => {
    expect(between(from, to)).toMatchObject({ zone, rule })
    expect(between(to, from)).toMatchObject({ zone, rule })
  })

  test('from 110001: 181 pincodes in a, none in b, 884 in c, 1,203 in e, and d is the rest', () => {
    const counts = { zone_a: 0, zone_b: 0, zone_c: 0, zone_d: 0, zone_e: 0 }
    for (const place of places) counts[zoneOf(at('110001'), place).zone]++
    expect(counts).toEqual({ zone_a: 181, zone_b: 0, zone_c: 884, zone_d: 17_318, zone_e: 1_203 })
  })

  // prettier-ignore
  test.each([
    ['400001', '560001', 'both ends in different metros: Mumbai and Bengaluru'],
    ['110001', '122001', 'both ends in the same city: Delhi NCR'],
    ['160017', '160055', 'both ends in the same city: Chandigarh'],
    ['302001', '302015', 'both ends in the same city: Jaipur, pincodes 302xxx'],
    ['302001', '342001', 'both ends in the same state: Rajasthan'],
    ['110001', '781001', 'one end in a special state: Assam'],
    ['781001', '737101', 'both ends in special states: Assam and Sikkim'],
    ['781001', '785001', 'both ends in special states: Assam'],
    ['110001', '302001', 'different states, not both in metros and neither special: Delhi and Rajasthan'],
  ])('%s to %s: %s', (from, to, why) => {
    expect(between(from, to).why).toBe(why)
  })

  test('is the same in both directions', () => {
    const cards: readonly ZoneOptions[] = [
      {},
      { ncr_one_city: false },
      {
        regions: [
          ['Punjab', 'Haryana', 'Chandigarh'],
          ['Haryana', 'Delhi'],
        ],
      },
      {
        matrix: [
          { from: '1', to: '4', zone: 'zone_b' },
          { from: '56', to: '6', zone: 'zone_a' },
        ],
      },
    ]
    fc.assert(
      fc.property(pairs, fc.constantFrom(...cards), ([from, to], card) => {
        const { zone, rule } = zoneOf(from, to, card)
        expect(zoneOf(to, from, card)).toMatchObject({ zone, rule })
      }),
      { numRuns: 2_000 },
    )
  })

  test('is zone_a from a pincode to itself, and never says special where neither end is', () => {
    fc.assert(
      fc.property(pairs, ([from, to]) => {
        expect(zoneOf(from, from).zone).toBe('zone_a')
        const { zone, rule } = zoneOf(from, to)
        expect(zone === 'zone_e').toBe((isSpecial(from) || isSpecial(to)) && rule !== 'same_city')
      }),
    )
  })

  test('answers a bulk quote of 100,000 in well under a second', () => {
    const card: ZoneOptions = { matrix: [{ from: '3', to: '1', zone: 'zone_b' }], ncr_one_city: false }
    const start = performance.now()
    let seen = 0
    for (let i = 0; i < 100_000; i++) {
      const [from, to] = [places[i % places.length], places[(i * 7919) % places.length]]
      if (from && to && zoneOf(from, to, card).zone !== 'zone_a') seen++
    }
    expect(seen).toBeGreaterThan(90_000)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('special states', () => {
  test('are 1,203 pincodes, the set of one regex', () => {
    const special = places.filter((place) => isSpecial(place)).map((place) => place.pincode)
    expect(special).toHaveLength(1_203)
    expect(special).toEqual(all.filter((pincode) => /^(18|19|78|79|737|744|68255|9)/.test(pincode)))
  })

  test('may be more on a card: Himachal Pradesh and Kerala', () => {
    const card = { special_states: [...specialStates, 'Himachal Pradesh', 'KERALA'] }
    expect(verdict('110001', '171001')).toBe('zone_d rest')
    expect(verdict('110001', '171001', card)).toBe('zone_e special_state')
    expect(verdict('682001', '695001', card)).toBe('zone_e special_state')
    expect(verdict('171001', '171002', card)).toBe('zone_a same_city')
    expect(verdict('110001', '781001', card)).toBe('zone_e special_state')
  })

  test('may be fewer, and are read in any case, with an ampersand, without "Islands"', () => {
    expect(verdict('781001', '785001', { special_states: [] })).toBe('zone_b same_state')
    const card = { special_states: ['jammu & kashmir', ' Andaman And Nicobar '] }
    expect(isSpecial(at('180001'), card)).toBe(true)
    expect(isSpecial(at('744101'), card)).toBe(true)
    expect(isSpecial(at('781001'), card)).toBe(false)
  })
})

describe('metros', () => {
  test('list existing pincodes: every single code, every end of a range but 421001, some in every prefix', () => {
    const entries = Object.values(metros).flat()
    const codes = entries.flatMap((entry) => entry.split('-')).filter((code) => code.length === 6)
    expect(codes.length).toBeGreaterThan(100)
    // The directory of 2025 starts Ulhasnagar's range at 421002.
    expect(codes.filter((code) => !pincodeKnown(code))).toEqual(['421001'])
    const prefixes = entries.filter((entry) => entry.length < 6)
    expect(prefixes.filter((prefix) => !all.some((pincode) => pincode.startsWith(prefix)))).toEqual([])
  })

  test('hold exactly what the table lists, and no pincode twice', { tags: ['full'] }, () => {
    const inside = (entry: string, pincode: string): boolean => {
      const [low = '', high = low] = entry.split('-')
      return entry.includes('-') ? pincode >= low && pincode <= high : pincode.startsWith(low)
    }
    for (const pincode of all) {
      const names = Object.keys(metros).filter((name) => metros[name]?.some((entry) => inside(entry, pincode)))
      expect({ pincode, names }).toEqual({ pincode, names: [metroOf(pincode)].filter((name) => name !== undefined) })
    }
  })

  test('Chandigarh is a cluster and not a metro', () => {
    expect(metroOf('160017')).toBeUndefined()
    expect(clusterOf('160017')).toBe('chandigarh')
    expect(clusterOf('122001')).toBe('delhi_ncr')
    expect(clusterOf('302001')).toBeUndefined()
  })

  test('may be redefined by a card', () => {
    const card: ZoneOptions = { metros: { jaipur: ['302', '303702'], delhi: ['110001-110099'], chandigarh: ['160'] } }
    expect(metroOf('302001', card)).toBe('jaipur')
    expect(metroOf('400001', card)).toBeUndefined()
    expect(verdict('302001', '303702', card)).toBe('zone_a same_city')
    expect(verdict('110001', '302001', card)).toBe('zone_c metro')
    expect(verdict('110001', '160017', card)).toBe('zone_c metro')
    expect(verdict('110001', '122001', card)).toBe('zone_d rest')
    expect(verdict('400001', '560001', card)).toBe('zone_d rest')
  })

  test('give an overlapping pincode to the longest prefix, whichever is written first', () => {
    const wide = { all: ['1'], ggn: ['122001'] }
    expect(metroOf('122001', { metros: wide })).toBe('ggn')
    expect(metroOf('122001', { metros: { ggn: ['122001'], all: ['1'] } })).toBe('ggn')
    expect(metroOf('122002', { metros: wide })).toBe('all')
  })

  test('a range is the codes from one end to the other, whatever its length', () => {
    const ends = fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all))
    fc.assert(
      fc.property(ends, fc.constantFrom(...all), ([a, b], pincode) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const metro = metroOf(pincode, { metros: { x: [`${low}-${high}`] } })
        expect(metro).toBe(pincode >= low && pincode <= high ? 'x' : undefined)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the NCR of a card that counts its cities apart', () => {
  const card: ZoneOptions = { ncr_one_city: false }

  test('is zone_a inside one city, zone_b from one to another, and one metro towards the others', () => {
    expect(verdict('110001', '110092', card)).toBe('zone_a same_city')
    expect(verdict('122001', '122018', card)).toBe('zone_a same_city')
    expect(verdict('201301', '201310', card)).toBe('zone_a same_city')
    expect(verdict('110001', '122001', card)).toBe('zone_b region')
    expect(verdict('110001', '201301', card)).toBe('zone_b region')
    expect(verdict('201001', '201301', card)).toBe('zone_b same_state')
    expect(verdict('121001', '122001', card)).toBe('zone_b same_state')
    expect(verdict('122001', '400001', card)).toBe('zone_c metro')
    expect(verdict('122001', '302001', card)).toBe('zone_d rest')
  })

  test('says so', () => {
    expect(between('110001', '122001', card).why).toBe(
      'both ends in Delhi NCR, whose cities this card counts apart: New Delhi and Gurugram',
    )
    expect(['110001', '121001', '122001', '201001', '201301'].map((pincode) => clusterOf(pincode, card))).toEqual([
      'delhi',
      'faridabad',
      'gurugram',
      'ghaziabad',
      'noida',
    ])
    expect(metroOf('122001', card)).toBe('delhi_ncr')
  })

  test('is split under the name that the card gives it', () => {
    const own: ZoneOptions = { metros: { capital: ['110', '122'], mumbai: ['400'] }, ncr_one_city: false }
    expect(verdict('110001', '122001', own)).toBe('zone_b region')
    expect(verdict('110001', '122001', { ...own, ncr_one_city: true })).toBe('zone_a same_city')
    expect(verdict('400001', '400705', own)).toBe('zone_a same_city')
  })
})

describe('the regions of a card', () => {
  const card: ZoneOptions = {
    regions: [
      ['Punjab', 'haryana', 'Chandigarh'],
      ['Haryana', 'Delhi', 'Rajasthan'],
    ],
  }

  test('make neighbouring states one for zone_b, and only inside one group', () => {
    expect(verdict('141001', '134109')).toBe('zone_d rest')
    expect(verdict('141001', '134109', card)).toBe('zone_b region')
    expect(verdict('110001', '302001', card)).toBe('zone_b region')
    expect(verdict('134109', '302001', card)).toBe('zone_b region')
    expect(verdict('141001', '302001', card)).toBe('zone_d rest')
    expect(between('141001', '134109', card).why).toBe('both ends in one region of the card: Punjab and Haryana')
  })

  test('come after the same city and special states, and before metros', () => {
    const one: ZoneOptions = { regions: [['Maharashtra', 'Karnataka', 'Assam']] }
    expect(verdict('400001', '560001', one)).toBe('zone_b region')
    expect(verdict('400001', '781001', one)).toBe('zone_e special_state')
    expect(verdict('110001', '122001', card)).toBe('zone_a same_city')
  })
})

describe('the matrix of a card', () => {
  const card: ZoneOptions = {
    matrix: [
      { from: '110', to: '30', zone: 'zone_b' },
      { from: '110', to: '171', zone: 'zone_e' },
      { from: '1', to: '302', zone: 'zone_c' },
      { from: '110001', to: '302', zone: 'zone_a' },
      { from: '400001-400020', to: '411', zone: 'zone_d' },
    ],
  }

  test('is looked at first: Rajasthan in b and Himachal in e', () => {
    expect(verdict('110002', '303702', card)).toBe('zone_b matrix')
    expect(verdict('110002', '171001', card)).toBe('zone_e matrix')
    expect(verdict('400013', '411001', card)).toBe('zone_d matrix')
    expect(verdict('400021', '411001', card)).toBe('zone_b same_state')
    expect(verdict('110001', '781001', card)).toBe('zone_e special_state')
    expect(between('110002', '303702', card).why).toBe("the card's matrix has zone_b from 110 to 30")
  })

  test('goes by the longest prefixes', () => {
    expect(verdict('110001', '302001', card)).toBe('zone_a matrix')
    expect(verdict('110002', '302001', card)).toBe('zone_b matrix')
    expect(verdict('121001', '302001', card)).toBe('zone_c matrix')
    const tie: ZoneOptions = {
      matrix: [
        { from: '11', to: '302', zone: 'zone_d' },
        { from: '110', to: '30', zone: 'zone_e' },
      ],
    }
    expect(verdict('110001', '302001', tie)).toBe('zone_e matrix')
  })

  test('is read backwards only where no row fits forwards', () => {
    expect(verdict('303702', '110002', card)).toBe('zone_b matrix')
    const both: ZoneOptions = {
      matrix: [
        { from: '110', to: '400', zone: 'zone_b' },
        { from: '4', to: '1', zone: 'zone_d' },
      ],
    }
    expect(verdict('110001', '400001', both)).toBe('zone_b matrix')
    expect(verdict('400001', '110001', both)).toBe('zone_d matrix')
  })
})

describe('zoneOptionsFault', () => {
  // prettier-ignore
  test.each<[ZoneOptions, string]>([
    [{ metros: { x: ['11a'] } },                                      '"11a" is not a pincode prefix or range, such as 110 or 121001-121015'],
    [{ metros: { x: ['011'] } },                                      '"011" is not a pincode prefix or range, such as 110 or 121001-121015'],
    [{ metros: { x: [''] } },                                         '"" is not a pincode prefix or range, such as 110 or 121001-121015'],
    [{ metros: { x: ['121015-121001'] } },                            'the pincode range 121015-121001 runs backwards'],
    [{ matrix: [{ from: '110', to: '1234567', zone: 'zone_a' }] },    '"1234567" is not a pincode prefix or range, such as 110 or 121001-121015'],
    [{ special_states: ['Himachal'] },                                '"Himachal" is not a state or union territory'],
    [{ regions: [['Punjab', 'Hariyana']] },                           '"Hariyana" is not a state or union territory'],
  ])('%j: %s', (options, sentence) => {
    expect(zoneOptionsFault(options)).toBe(sentence)
    expect(() => zoneOf(at('110001'), at('110002'), options)).toThrow(new RangeError(sentence))
  })

  test('finds none with the defaults, spelt out', () => {
    expect(
      zoneOptionsFault({ metros, special_states: specialStates, regions: [], ncr_one_city: true, matrix: [] }),
    ).toBeUndefined()
    expect(zoneOptionsFault({})).toBeUndefined()
  })
})

describe('readZone', () => {
  test.each(['a', 'A', 'zone_a', 'z_a', 'ZONE_A', ' Zone A '])('%j is zone_a', (text) => {
    expect(readZone(text)).toBe('zone_a')
  })

  test('reads all five, and nothing else', () => {
    expect(['a', 'b', 'c', 'd', 'e'].map(readZone)).toEqual([...zones])
    expect(['', 'f', 'zone_f', 'zone_', 'ab', 'zone', 'undefined', 'a b'].map(readZone)).toEqual(
      Array(8).fill(undefined),
    )
  })
})
