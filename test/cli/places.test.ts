// Defends the filters by place and AWB: every spelling of a place is that place, a word that is none is refused, and where
// records cannot answer, the filter is never ignored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStandIn, type StandIn } from '../support/foreigndeployment.ts'
import { key as shapesKey, startShapes, type Shapes } from '../support/recordshapes.ts'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'
import { startService, type TestService } from '../support/service.ts'

/** Addresses as people, couriers and older programs write them. */
const addresses = {
  pune: { city: 'Pune', state: 'Maharashtra', zip: '411001' },
  spelled: { city: '  PUNE ', state: 'mh', zip: '411 001' },
  code: { city: 'New  Delhi', state: 'DL', zip: "'110001" },
  named: { city: 'new delhi', state: 'NCT of Delhi', zip: '110001' },
  renamed: { city: 'Cuttack', state: 'Orissa', zip: '753001' },
  accents: { city: 'Pondiche\u0301ry', state: 'Pondicherry', zip: '605001' },
  abroad: { city: 'Gotham', state: 'New Jersey', zip: '00000' },
  empty: { city: ' ', state: null, zip: '' },
  none: null,
} as const

/** The same in forms that only another deployment sends. */
const foreign = {
  ...addresses,
  numbers: { city: 7, state: ['Goa'], zip: 403001 },
  list: [],
}

const shipmentsOf = (places: object): readonly object[] =>
  Object.entries(places).map(([id, shipping_address]) => ({
    id,
    type: 'shipment',
    attributes: {
      created_at: '2026-09-20T10:00:00Z',
      status: 'delivered',
      tracking_number: `AWB-${id}`,
      shipping_address: shipping_address as unknown,
    },
  }))
const returnsOf = (places: object): readonly object[] =>
  Object.entries(places).map(([id, shipping_address]) => ({
    id,
    type: 'return',
    attributes: {
      created_at: '2026-09-20T10:00:00Z',
      status: 'in_transit',
      shipment: { tracking_number: `AWB-${id}` },
      shipping_address: shipping_address as unknown,
    },
  }))
const linesOf = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n')

const box = sandbox()
let service: TestService
let standIn: StandIn
let shapes: Shapes

beforeAll(async () => {
  service = await startService()
  standIn = await startStandIn()
  shapes = await startShapes({ shipments: shipmentsOf(foreign).map((record) => JSON.stringify(record)) })
  await box.shipx(['local', 'import', 'shipments', '-'], { input: linesOf(shipmentsOf(addresses)) })
  await box.shipx(['local', 'import', 'returns', '-'], { input: linesOf(returnsOf(addresses)) })
  await service.engine.save('shipment', shipmentsOf(addresses) as never)
})
afterAll(async () => {
  await shapes.close()
  await standIn.close()
  await service.close()
  box.remove()
})

const served = (): Readonly<Record<string, string>> => ({ SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key })

/** The ids of the records that a listing finds. */
const idsOf = async (
  noun: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const { stdout, stderr, exit } = await box.shipx([noun, 'list', ...flags, '--ids', '-q'], { env })
  expect([flags, exit, stderr]).toEqual([flags, 0, ''])
  return stdout.split('\n').filter(Boolean).toSorted()
}

const states = [
  ['--state', 'dl,KA,orissa'],
  ['code', 'named', 'renamed'],
] as const
const pincodes = [
  ['--pincode', '411 001,753001'],
  ['pune', 'renamed', 'spelled'],
] as const

describe('a place is found in every spelling', () => {
  const spellings = [
    states,
    pincodes,
    [
      ['--state', 'Tamil-Nadu', '--state', 'Maharashtra'],
      ['pune', 'spelled'],
    ],
    [
      ['--city', 'PUNE, new  delhi'],
      ['code', 'named', 'pune', 'spelled'],
    ],
    [['--city', 'PONDICH\u00c9RY'], ['accents']],
    [
      ['--pincode', '110001', '--state', 'Delhi', '--city', 'New Delhi'],
      ['code', 'named'],
    ],
    [
      ['--awb', 'AWB-pune,AWB-none'],
      ['none', 'pune'],
    ],
    [['--tracking-number', 'AWB-code'], ['code']],
  ] as const
  test.each(first(1, spellings))('on this computer: %j', async (flags, found) => {
    for (const noun of ['shipments', 'returns']) expect([noun, await idsOf(noun, flags)]).toEqual([noun, found])
  })

  test('at our own service, and in its mirror', { tags: ['full'] }, async () => {
    for (const [flags, found] of [states, pincodes]) expect(await idsOf('shipments', flags, served())).toEqual(found)
    await box.shipx(['pull', 'shipments'], { env: served() })
    for (const [flags, found] of [states, pincodes])
      expect(await idsOf('shipments', [...flags, '--local'], served())).toEqual(found)
  })

  test('in the mirror of another deployment, whatever the form of its addresses', { tags: ['full'] }, async () => {
    const env = { SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: shapesKey }
    await box.shipx(['pull', 'shipments'], { env })
    const sentAsNumbers = [['--pincode', '403001', '--city', '7'], ['numbers']] as const
    for (const [flags, found] of [states, pincodes, sentAsNumbers])
      expect(await idsOf('shipments', [...flags, '--local'], env)).toEqual(found)
    // It may know more states and pincodes than shipx does.
    const { exit, stdout, stderr } = await box.shipx(
      ['shipments', 'list', '--local', '--state', 'New Jersey', '--ids'],
      { env },
    )
    expect([exit, stdout]).toEqual([0, 'abroad\n'])
    expect(stderr).toContain('shipx does not know state New Jersey; looked for as written')
  })
})

describe('what is no place is refused', () => {
  test.each(
    first(2, [
      ['--state Maharastra', /^✗ --state: "Maharastra" isn't a state\. Did you mean Maharashtra\?/],
      ['--state Goa,Delhy', /"Delhy" isn't a state\. Did you mean Delhi\?/],
      ['--pincode 41100', /^✗ --pincode: 41100 has 5 digits; a pincode has 6/],
      ['--pincode 411001,Pune', /^✗ --pincode: "Pune" is not a pincode; a pincode is 6 digits/],
      ['--city punee', /^✗ --city: "punee" isn't a city of this account\. Did you mean pune\?/m],
      ['--city Poona', /^✗ --city: "poona" isn't a city of this account\. Did you mean pune\?/m],
      ['--city pooona', /^✗ --city: "pooona" isn't a city of this account\. Did you mean pune\?/m],
    ] as const),
  )('%s', async (flags, said) => {
    for (const noun of ['shipments', 'returns']) {
      const { exit, stdout, stderr } = await box.shipx([noun, 'list', ...flags.split(' ')])
      expect([exit, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(said)
    }
  })

  test('by our own service in the same words', async () => {
    const { exit, stderr } = await box.shipx(['shipments', 'list', '--state', 'Maharastra'], { env: served() })
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/"Maharastra" isn't a state\. Did you mean Maharashtra\?/),
    ])
  })
})

test.each(
  first(1, [
    ['shipments', '--state Goa', 'state', 'shipx pull, then shipx shipments list --local'],
    ['returns', '--city Pune', 'city', 'shipx pull, then shipx returns list --local'],
    ['shipments', '--pincode 411001', 'pincode', 'shipx pull, then shipx shipments list --local'],
    ['shipments', '--awb 143', 'AWB', 'shipx shipments get 143'],
  ] as const),
)('a deployment that would ignore the filter is not asked: %s %s', async (noun, flags, by, hint) => {
  standIn.forget()
  const env = { SHIPX_BASE_URL: standIn.url, SHIPX_API_KEY: standIn.key }
  const { exit, stdout, stderr } = await box.shipx([noun, 'list', ...flags.split(' ')], { env })
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`✗ the filter by ${by} is not known to ${standIn.url}, which would answer with everything`)
  expect(stderr).toContain(`→ ${hint}`)
  expect(standIn.requests.filter(({ path }) => path === `/${noun}`)).toEqual([])
})

test('a summary has one line for a state, however records spell it', async () => {
  const { stdout } = await box.shipx(['shipments', 'summary', '--by', 'state', '--jsonl', '-q'])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { state: string | null; shipments: number })
  expect(lines.map(({ state, shipments }) => [state, shipments])).toEqual([
    ['Delhi', 2],
    ['Maharashtra', 2],
    [null, 2],
    ['New Jersey', 1],
    ['Odisha', 1],
    ['Puducherry', 1],
  ])
})

test('a report of a state has its returns too', async () => {
  const { stdout } = await box.shipx(['report', '--state', 'DL', '--since', '2026-09-01', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    data: { totals: { shipments: 2 }, returns: { totals: { returns: 2 } }, returns_left_out: null },
  })
})
