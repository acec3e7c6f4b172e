// Defends `shipx rates --file`: every parcel gets the price that a quote gives it, in the order of the lines and whole, on a
// card, on two and from a deployment, whatever the file holds and whoever stops it.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lineReader } from '../../../src/cli/commands/rates/many/parcelfile.ts'
import { forEachOf, inOrder } from '../../../src/cli/listings/inorder.ts'
import { ShipxError } from '../../../src/domain/errors.ts'
import { parseInput } from '../../../src/domain/parse.ts'
import { everyPincode } from '../../../src/domain/pincodes.ts'
import type { Offer } from '../../../src/domain/rates/pricing.ts'
import type { RateCard } from '../../../src/domain/rates/ratecard.ts'
import { quote, type Quote, type RateRequest } from '../../../src/domain/rates/rates.ts'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { runProgram } from '../../bench/timing.ts'
import { cardOfTwelve, parcelFile } from '../../bench/p8.ts'
import { codeEnv, program } from '../../support/program.ts'
import { startService, type TestService } from '../../support/service.ts'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'

/** The clock of the commands. */
const now = Date.parse('2026-09-29T08:30:00Z')

let box: Sandbox
beforeAll(() => {
  box = sandbox()
})
afterAll(() => box.remove())

/** A generator of numbers that is the same every time. */
function dice(seed: number) {
  let state = seed
  const upTo = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
  return { upTo, any: <T>(list: readonly T[]): T => list[upTo(list.length)]! }
}

const header = 'ref,from,to,weight_g,length,width,height,payment,value,journey,qc\n'
const pincodes = [...everyPincode()]

/** So many parcels as lines and as requests. */
function parcelsOf(count: number, seed: number): { readonly csv: string; readonly requests: readonly RateRequest[] } {
  const { upTo, any } = dice(seed)
  const side = (): number => any([1 + upTo(60), (1 + upTo(6000)) / 100, (1 + upTo(60_000)) / 1000])
  const requests: RateRequest[] = []
  let csv = header
  for (let i = 0; i < count; i++) {
    const back = upTo(5) === 0
    const cod = upTo(2) === 0
    const value = upTo(6_000_000) / 100 + 1
    const weight = any([500, 1 + upTo(40_000), (1 + upTo(9_000_000)) / 1000])
    const [length, width, height] = [side(), side(), side()]
    const [from, to] = [any(['400001', '110001', any(pincodes)]), any(pincodes)]
    const qc = any([undefined, true, false])
    requests.push({
      journey_type: back ? 'return' : 'forward',
      origin_pincode: from,
      destination_pincode: to,
      dead_weight: weight,
      length,
      width,
      height,
      ...(back
        ? qc === undefined
          ? {}
          : { qc_applicable: qc }
        : { payment_method: cod ? 'cod' : 'prepaid', ...(cod ? { shipment_value: value } : {}) }),
    })
    const shownWeight =
      upTo(3) === 0 ? `${weight}g` : upTo(2) === 0 && Number.isInteger(weight) ? `${weight / 1000} kg` : String(weight)
    csv += `P${i},${from},${to},${shownWeight},${length},${width},${height},${back ? '' : any(cod ? ['cod', 'COD'] : ['prepaid', 'Prepaid'])},${cod && !back ? value : ''},${back ? 'return' : any(['', 'forward'])},${back ? (qc === undefined ? '' : any(qc ? ['true', 'yes'] : ['false', 'No'])) : ''}\n`
  }
  return { csv, requests }
}

/** The sample card made difficult: places left out, bands for RTO, other divisors, holidays, several of each courier. */
function difficultCard(seed: number): RateCard {
  const { any } = dice(seed)
  const services = [...sampleCard.services, ...sampleCard.services].map((service, i) => ({
    ...service,
    carrier_id: `CAR${String(i).padStart(10, '0')}`,
    carrier_name: `${service.carrier_name} ${i}`,
    divisor: any([4000, 4500, 4750, 6000]),
    cod: {
      ...service.cod,
      percent: any([1.333, 0.1234567, 2, 0]),
      rule: any(['max', 'sum'] as const),
      max_value: any([null, 5000, 20_000]),
    },
    rto: any([{ percent: 33.33 }, { bands: service.forward }, service.rto]),
    working_days: any([
      [1, 2, 3, 4, 5, 6],
      [0, 1, 2, 3, 4, 5, 6],
      [2, 4],
    ]),
    serviceability: {
      ...any([
        {},
        { pickup: { states: ['Maharashtra', 'Delhi', 'Karnataka'] } },
        { pickup: { not_pincodes: ['4', '56'] } },
      ]),
      ...any([
        {},
        { delivery: { zones: ['zone_a' as const, 'zone_d' as const] } },
        { delivery: { pincodes: ['1', '56', '797112'] } },
      ]),
    },
  }))
  return { ...sampleCard, name: 'difficult', holidays: ['2026-09-30'], zones: { ncr_one_city: false }, services }
}

const paid = (offer: Offer): number => offer.total + offer.fee

/** The offer that a word of `--pick` means, looked for in a quote's offers one after the other. */
function pickedIn({ offers }: Quote, words: readonly string[]): Offer | undefined {
  for (const word of words) {
    const fitting = offers.filter(
      ({ service }) => word === 'cheapest' || word === 'fastest' || service.carrier_name.toLowerCase().includes(word),
    )
    const delivered = fitting.map((offer) => offer.delivery).sort()[0]
    const quick = word === 'fastest' ? fitting.filter((offer) => offer.delivery === delivered) : fitting
    const least = Math.min(...quick.map(paid))
    const cheap = quick
      .filter((offer) => paid(offer) === least)
      .sort((a, b) =>
        a.delivery < b.delivery
          ? -1
          : a.delivery > b.delivery
            ? 1
            : a.service.carrier_id < b.service.carrier_id
              ? -1
              : 1,
      )
    if (cheap[0] !== undefined) return cheap[0]
  }
  return undefined
}

type Line = Readonly<Record<string, string | number | null>>
const recordsIn = (jsonl: string): readonly Line[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

describe('the price of each line', () => {
  const cases = [
    ['the sample card', sampleCard, ['cheapest']],
    ['the sample card', sampleCard, ['fastest']],
    ['a difficult card', difficultCard(1), ['cheapest']],
    ['another one', difficultCard(2), ['fastest']],
    ['a list of couriers', difficultCard(3), ['swiftair', 'indus', 'cheapest']],
    ['couriers alone', difficultCard(4), ['monsoon', 'kaveri']],
    ['a card that is over', { ...sampleCard, name: 'over', valid_to: '2026-01-31' }, ['cheapest']],
  ] as const

  test.each(cases)('is that of a quote on %s', async (_, card, pick) => {
    const count = 3000
    const { csv, requests } = parcelsOf(count, card.services.length + pick.length)
    const args = [
      'rates',
      '--file',
      box.file('p.csv', csv),
      '--card',
      box.file('card.json', JSON.stringify(card)),
      '--pick',
      pick.join(','),
      '--jsonl',
    ]
    const { stdout, exit } = await box.shipx(args)
    const records = recordsIn(stdout)
    expect(records.map(({ ref }) => ref)).toEqual(requests.map((_r, i) => `P${i}`))
    let [priced, refusedOnes] = [0, 0]
    for (const [i, request] of requests.entries()) {
      const found = quote(request, card, now)
      const offer = pickedIn(found, pick)
      const record = records[i]!
      expect(record['zone']).toBe(found.zone.zone)
      if (offer === undefined) {
        refusedOnes++
        expect(record).toMatchObject({ courier: null, total: null, paid: null, delivery: null, code: 'no_courier' })
        for (const { service, reason } of found.refusals) {
          expect(record['reason']).toContain(reason)
          if (new Set(found.refusals.map((other) => other.reason)).size > 1)
            expect(record['reason']).toContain(service.carrier_name)
        }
      } else {
        priced++
        expect(record).toEqual({
          ref: `P${i}`,
          courier: offer.service.carrier_name,
          carrier_id: offer.service.carrier_id,
          service: offer.service.service_level,
          total: offer.total / 100,
          fee: offer.fee / 100,
          paid: paid(offer) / 100,
          zone: found.zone.zone,
          weight: offer.weight,
          delivery: offer.delivery,
          code: null,
          reason: null,
        })
      }
    }
    expect(exit).toBe(refusedOnes > 0 ? 7 : 0)
    if (card.name !== 'over') expect(priced).toBeGreaterThan(count / 10)
    else expect(records[0]!['reason']).toBe('no courier takes this parcel: the card over was valid until 2026-01-31')
  })

  test('is the same in every format, and GST comes on top of what is paid', async () => {
    const file = box.file('few.csv', parcelsOf(200, 9).csv)
    const of = async (...args: readonly string[]): Promise<string> =>
      (await box.shipx(['rates', '--file', file, ...args])).stdout
    const lines = recordsIn(await of('--jsonl', '--gst'))
    const whole = JSON.parse(await of('--json', '--gst')) as { readonly data: readonly Line[] }
    const table = parse<Record<string, string>>(await of('--csv', '--gst'), { columns: true })
    const plain = (await of()).trimEnd().split('\n')
    expect(whole.data).toEqual(lines)
    expect(Object.keys(table[0]!)).toEqual([
      'ref',
      'courier',
      'carrier_id',
      'service',
      'total',
      'fee',
      'paid',
      'with_gst',
      'zone',
      'weight',
      'delivery',
      'code',
      'reason',
    ])
    for (const [i, line] of lines.entries()) {
      for (const [name, cell] of Object.entries(table[i]!))
        expect([name, cell]).toEqual([name, String(line[name] ?? '')])
      expect(plain[i]!.split('\t')[0]).toBe(line['ref'])
      if (typeof line['paid'] === 'number') expect(line['with_gst']).toBe(Math.round(line['paid'] * 118) / 100)
    }
    expect(lines.filter((line) => line['paid'] !== null).length).toBeGreaterThan(100)
    expect(plain).toHaveLength(200)
  })

  test('with two cards is that of each, with the difference', async () => {
    const { csv, requests } = parcelsOf(1000, 77)
    const [one, other] = [difficultCard(5), { ...difficultCard(6), name: 'other' }]
    const args = [
      'rates',
      '--file',
      box.file('c.csv', csv),
      '--compare',
      `${box.file('one.json', JSON.stringify(one))},${box.file('other.json', JSON.stringify(other))}`,
    ]
    const records = recordsIn((await box.shipx([...args, '--jsonl'])).stdout)
    let [both, first, second] = [0, 0, 0]
    for (const [i, request] of requests.entries()) {
      const [a, b] = [one, other].map((card) => quote(request, card, now).offers[0])
      const record = records[i]!
      expect(record['paid_1']).toBe(a === undefined ? null : paid(a) / 100)
      expect(record['paid_2']).toBe(b === undefined ? null : paid(b) / 100)
      if (a === undefined || b === undefined) expect([record['difference'], record['percent']]).toEqual([null, null])
      else {
        both++
        first += paid(a)
        second += paid(b)
        expect(record['difference']).toBe((paid(b) - paid(a)) / 100)
        expect(record['percent']).toBe(Math.round(((paid(b) - paid(a)) / paid(a)) * 10_000) / 100)
      }
    }
    const { stderr, exit } = await box.shipx(args)
    expect(both).toBeGreaterThan(100)
    expect(exit).toBe(both < requests.length ? 7 : 0)
    expect(stderr).toContain(`${both} of 1,000 parcels have a price on both cards`)
    const rupees = (paise: number): string => (paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })
    expect(stderr).toContain(`₹${rupees(Math.abs(second - first))} ${second > first ? 'more' : 'less'}`)
  })
})

describe('a line', () => {
  const columns = ['ref', 'from', 'to', 'weight', 'length', 'width', 'height', 'payment', 'value', 'journey', 'qc']
  const sheet = {
    headers: columns,
    places: new Map(columns.map((name, i) => [name, i])),
    unknown: [],
    weights: new Map(),
    delimiter: ',',
    rows: (async function* () {})(),
  }
  const read = lineReader(sheet, { from: undefined, to: undefined, home: undefined }, false, () => undefined)
  const cell = {
    pincode: fc.constantFrom('400001', '560 001', '123456', '', '40001', 'abc', '011111'),
    number: fc.constantFrom('1', '20', '12.5', '0', '-1', '', 'x', '10000', '10001', '1e3', '0.001', '٣'),
    weight: fc.constantFrom('500', '0.5kg', '500 g', '0', '', '20kg', '99999999', 'kg', '1 tonne', '0.0000001'),
    payment: fc.constantFrom('cod', 'COD', 'prepaid', 'Prepaid', '', 'wire', 'paid'),
    value: fc.constantFrom('', '1499', '0', '1,499', '-5', '10000000000', '10000000001', '99.999'),
    journey: fc.constantFrom('', 'forward', 'RETURN', 'return', 'sideways'),
    qc: fc.constantFrom('', 'true', 'No', '1', 'maybe'),
  }

  test('is taken or refused as the contract takes or refuses it', () => {
    const seen = { taken: 0, refused: 0 }
    const { pincode, number, weight, payment, value, journey, qc } = cell
    fc.assert(
      fc.property(
        fc.tuple(fc.constant('R'), pincode, pincode, weight, number, number, number, payment, value, journey, qc),
        (cells) => {
          const { request, reason, code } = read({ line: 2, cells, fault: undefined })
          if (request !== undefined) {
            seen.taken++
            expect(parseInput('getRates', { ...request })).toEqual(request)
            expect(code).toBeUndefined()
          } else {
            seen.refused++
            expect(code).toBe('invalid_input')
            // Faults name columns of the file, in its own words.
            expect(reason).toMatch(/^(from|to|weight|length|width|height|payment|value|journey|qc): ./)
            expect(reason).not.toMatch(
              /_pincode|dead_weight|payment_method|shipment_value|journey_type|qc_applicable|\n/,
            )
          }
        },
      ),
      { numRuns: 20_000, seed: 7 },
    )
    expect(seen.taken).toBeGreaterThan(10)
    expect(seen.refused).toBeGreaterThan(1000)
  })

  const good = ['R', '400001', '560001', '500', '20', '15', '10', 'cod', '1499', 'forward', '']
  test.each([
    ['nothing', {}, undefined],
    ['kilograms', { weight: '0.5kg' }, undefined],
    ['a pincode with a space', { to: '560 001' }, undefined],
    ['a return without a payment', { journey: 'return', payment: '', value: '' }, undefined],
    ['a pincode that is none', { to: '560999' }, /^to: 560999 is not a pincode that exists; nearest: /],
    ['a missing pincode', { from: '' }, /^from: is required$/],
    ['no weight', { weight: '' }, /^weight: is required$/],
    ['a weight of nothing', { weight: '0' }, /^weight: must be more than 0$/],
    ['a weight that is none', { weight: 'heavy' }, /^weight: "heavy" is not a weight; write 500g or 0.5kg$/],
    ['COD without a value', { value: '' }, /^value: is required when payment is cod$/],
    ['a weight that could be kilograms', { weight: '2' }, /^weight: 2 what\? Write 2kg or 2g$/],
    ['a weight with decimals and no unit', { weight: '12.5' }, /^weight: 12.5 what\? Write 12.5kg or 12.5g$/],
    [
      'an amount that is none',
      { value: '1.4.9' },
      /^value: "1.4.9" is not an amount in rupees; write for example 1499$/,
    ],
    ['an amount as people write it', { value: '\u20b91,499/-' }, undefined],
    ['sides with their unit', { length: '20 cm', width: '15cms' }, undefined],
    [
      'several faults',
      { width: '0', height: 'x' },
      /^width: must be more than 0; height: "x" is not a length in cm; write for example 20$/,
    ],
    ['an unknown payment', { payment: 'cash' }, /^payment: "cash" isn't a payment method. One of: cod, prepaid$/],
    ['an unknown journey', { journey: 'back' }, /^journey: "back" isn't a journey/],
    ['a check that is neither', { qc: 'perhaps' }, /^qc: must be true or false$/],
  ] as const)('with %s', (_, over, reason) => {
    const cells = columns.map((name, i) => (over as Readonly<Record<string, string>>)[name] ?? good[i]!)
    const line = read({ line: 3, cells, fault: undefined })
    if (reason === undefined) expect(line.request).toBeDefined()
    else expect(line.reason).toMatch(reason)
  })
})

describe('a file', () => {
  const rates = (input: string, ...args: readonly string[]) => box.shipx(['rates', '--file', '-', ...args], { input })
  const line = 'A,400001,560001,500,10,10,10,prepaid\n'
  const head = 'ref,from,to,weight,length,width,height,payment\n'

  test.each([
    ['a BOM and CRLF', `\ufeff${(head + line).replaceAll('\n', '\r\n')}`],
    ['semicolons', (head + line).replaceAll(',', ';')],
    ['tabs', (head + line).replaceAll(',', '\t')],
    [
      'headers of other programs',
      `Order ID,Origin Pincode,Delivery Pincode,Weight (g),Length,Breadth,Height,Payment Mode\n${line}`,
    ],
    [
      'columns in another order and more of them',
      'note,payment,height,width,length,weight,to,from,ref\n"a ""quoted""\nnote",PREPAID,10,10,10,500g,560001,400001,A\n',
    ],
    ['empty lines', `${head}\n\n${line}\n`],
  ])('with %s is read', async (_, text) => {
    const { stdout, exit } = await rates(text, '--csv', '--fields', 'ref,paid')
    expect([stdout, exit]).toEqual(['ref,paid\nA,44\n', 0])
  })

  test('may leave out from and to where flags say them, and be mapped', async () => {
    const text = 'Id,weight,length,width,height,payment\nA,500,10,10,10,prepaid\n'
    const { stdout, exit } = await rates(
      text,
      '--from',
      '400001',
      '--to',
      '560001',
      '--map',
      'Id=ref',
      '--csv',
      '--fields',
      'ref,paid',
    )
    expect([stdout, exit]).toEqual(['ref,paid\nA,44\n', 0])
  })

  test('may leave out the place of the profile: where forward parcels come from and returns go to', async () => {
    const env = { SHIPX_CONFIG_DIR: `${box.folder}/config` }
    expect((await box.shipx(['profile', 'set', 'origin', '400001'], { env })).exit).toBe(0)
    const text = `${head.trimEnd()},journey\nA,,560001,500,10,10,10,prepaid,\nB,560001,,500,10,10,10,,return\nC,,,500,10,10,10,prepaid,\n`
    const args = ['rates', '--file', '-', '--csv', '--fields', 'ref,zone,reason']
    const { stdout, exit } = await box.shipx(args, { env, input: text })
    expect([stdout, exit]).toEqual(['ref,zone,reason\nA,zone_c,\nB,zone_c,\nC,,to: is required\n', 7])
    // Without it they are missing.
    const { stdout: without } = await box.shipx(args, { input: text })
    expect(without).toBe(
      'ref,zone,reason\nA,,from: is required\nB,,to: is required\nC,,"from: is required; to: is required"\n',
    )
  })

  test.skipIf(process.platform !== 'linux').each(['--csv', '--json'])(
    'that meets a full disk is no success: %s',
    async (format) => {
      box.file('full.csv', head + line)
      const { stdout, stderr } = await box.bash(`shipx rates --file full.csv ${format} > /dev/full; echo "exit $?"`)
      expect([stdout, stderr]).toEqual([
        'exit 1\n',
        expect.stringContaining(format === '--json' ? '"output_failed"' : '✗ '),
      ])
    },
  )

  test.each([
    ['ref,from,weight\n', /the header lacks length, width, height/],
    ['ref,from,weight,length,width,height,payment\n', /the header lacks to, and there is no --to/],
    ['ref,to,weight,length,width,height,payment\n', /the header lacks from, and neither --from nor the profile/],
    ['ref,from,to,weight,length,width,height\n', /the header lacks payment/],
    [head.replace('to', 'from'), /2 headers are taken for from/],
    ['', /it is empty/],
    ['\ufeff\u0000\u0000', /UTF-16|line 1|lacks/],
  ])('whose header is wrong is refused before anything is printed: %j', async (text, message) => {
    const { stdout, stderr, exit } = await rates(text, '--json')
    expect([stdout, exit]).toEqual(['', 2])
    expect((JSON.parse(stderr) as { error: { message: string } }).error.message).toMatch(message)
  })

  test('that breaks in its first row is refused, later it is partly done', async () => {
    const broken = 'B,"400001,560001,500,10,10,10,prepaid\n'
    const first = await rates(head + broken, '--json')
    expect([first.stdout, first.exit]).toEqual(['', 2])
    expect(JSON.parse(first.stderr)).toMatchObject({ error: { code: 'invalid_file', exit_code: 2 } })
    const later = await rates(head + line + broken, '--json')
    expect(later.exit).toBe(7)
    // What was given out is a whole JSON text.
    expect((JSON.parse(later.stdout) as { data: unknown[] }).data).toHaveLength(1)
    expect(JSON.parse(later.stderr)).toMatchObject({
      error: {
        code: 'partial',
        exit_code: 7,
        message: expect.stringMatching(/line 3 is never closed; the parcel before it is answered$/),
      },
    })
  })

  test('with hostile cells goes on, and nothing of them runs', async () => {
    const hostile = ['=HYPERLINK("x")', '__proto__', 'a\u0000b', '\u001b[31mred', `${'x'.repeat(9_000)}`, 'कमल']
    const text = `${head}${hostile.map((ref) => `"${ref.replaceAll('"', '""')}",400001,560001,500,10,10,10,prepaid\n`).join('')}short,1\nlong,400001,560001,500,10,10,10,prepaid,,extra\n`
    const { stdout, exit } = await rates(text, '--csv')
    const records = parse<Record<string, string>>(stdout, { columns: true })
    expect(exit).toBe(7)
    expect(records.map(({ ref }) => ref)).toEqual(['\'=HYPERLINK("x")', ...hostile.slice(1), 'short', 'long'])
    expect(records.map(({ code }) => code)).toEqual([
      '',
      '',
      'invalid_file',
      '',
      '',
      '',
      'invalid_file',
      'invalid_file',
    ])
    expect(records[6]!['reason']).toMatch(/^line 8 has 2 cells where the header has 8$/)
    // As text for people and other programs, the escape is visible and harmless.
    const { stdout: plain } = await rates(text)
    expect(plain).not.toContain('\u001b')
  })

  test('with nothing below its header is done at once', async () => {
    expect(await rates(head, '--csv')).toEqual({
      stdout: 'ref,courier,carrier_id,service,total,fee,paid,zone,weight,delivery,code,reason\n',
      stderr: '',
      exit: 0,
    })
    expect(JSON.parse((await rates(head, '--json')).stdout)).toEqual({ data: [] })
  })
})

describe('the flags', () => {
  test.each([
    [['--size', '3x3x3'], '--size'],
    [['--cod', '5'], '--cod'],
    [['--explain'], '--explain'],
    [['--courier', 'swift'], '--courier'],
    [['--pick', 'slowest'], '--pick'],
    [['--compare', 'sample'], '--compare'],
    [['--compare', 'sample,sample', '--card', 'sample'], '--card'],
    [['--compare', 'sample,sample', '--gst'], '--gst'],
    [['--concurrency', '0'], '--concurrency'],
    [['--concurrency', 'many'], '--concurrency'],
    [['--max-rps', '-1'], '--max-rps'],
    [['--from', '123456'], '--from'],
    [['--columns', 'nothing'], '--columns'],
  ] as const)('%j is refused with its name', async (args, field) => {
    const { stdout, stderr, exit } = await box.shipx([
      'rates',
      '--file',
      box.file('x.csv', header),
      ...args,
      ...(args[0] === '--columns' ? [] : ['--json']),
    ])
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toContain(field)
  })

  test.each(['pick', 'card', 'compare', 'map', 'concurrency', 'max-rps'])('--%s needs a file', async (flag) => {
    const { stderr, exit } = await box.shipx([
      'rates',
      '--from',
      '400001',
      '--to',
      '560001',
      '-w',
      '500',
      '-s',
      '1x1x1',
      '--prepaid',
      `--${flag}`,
      '4',
    ])
    expect(exit).toBe(2)
    expect(stderr).toContain(`--${flag}: goes with --file`)
  })

  test('a card that is not sound is refused with its faults', async () => {
    const card = box.file('bad.json', JSON.stringify({ ...sampleCard, valid_from: '2026-02-30' }))
    const { stderr, exit } = await box.shipx(['rates', '--file', box.file('x.csv', header), '--card', card])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/--card .*bad\.json valid_from: must be a date/)
  })
})

describe.skipIf(process.platform === 'win32')('a long file', { tags: ['full'] }, () => {
  const count = 100_000
  let path: string
  beforeAll(() => {
    path = box.file('long.csv', parcelFile(count))
    box.file('twelve.json', cardOfTwelve())
  })

  test('is stopped by Ctrl-C with whole lines, and says so', async () => {
    const { child, ended } = box.begin(['rates', '--file', path, '--csv'])
    child.stdout.once('data', () => child.kill('SIGINT'))
    const { stdout, stderr, exit } = await ended
    expect(exit).toBe(130)
    expect(stdout.endsWith('\n')).toBe(true)
    const records = parse<Record<string, string>>(stdout, { columns: true })
    expect(records.length).toBeGreaterThan(0)
    expect(records.length).toBeLessThan(count)
    expect(records.map(({ ref }) => ref)).toEqual(records.map((_, i) => `ORD-${100_000 + i}`))
    expect(stderr).toContain(`stopped after ${records.length.toLocaleString('en-IN')} parcels`)
  })

  test('that comes out of a pipe without an end is stopped too', async () => {
    const began = performance.now()
    const { stdout } = await box.bash(
      'exec 3< <(head -50 long.csv; exec sleep 30 2> /dev/null); shipx rates --file - --csv <&3 & p=$!; sleep 3; kill -INT $p; wait $p; echo "exit $?"',
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('exit 130')
    expect(performance.now() - began).toBeLessThan(25_000)
  })

  test('whose reader leaves is a quiet end', async () => {
    const { stdout, stderr } = await box.bash(`shipx rates --file long.csv --csv | head -1; echo "\${PIPESTATUS[0]}"`)
    expect([stdout.split('\n').at(-2), stderr]).toEqual(['0', ''])
  })

  test.skipIf(process.platform !== 'linux')('stays in its memory', { tags: ['full'] }, async () => {
    const env = { PATH: process.env['PATH'], HOME: box.folder, ...codeEnv(), SHIPX_DATA_DIR: box.folder }
    const args = [program, 'rates', '--file', path, '--card', `${box.folder}/twelve.json`, '--csv', '-q']
    const { peakMb } = await runProgram({ command: process.execPath, args, env, watch: true })
    expect(peakMb).toBeLessThan(150)
  })
})

describe('a deployment', { tags: ['full'] }, () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ readers: 0 })
  })
  afterAll(() => service.close())
  const of = ({ url, key }: Pick<TestService, 'url' | 'key'>) => ({ SHIPX_BASE_URL: url, SHIPX_API_KEY: key })

  test('answers as the card does, in the order of the lines, and says nothing of refusals', async () => {
    const { csv, requests } = parcelsOf(300, 3)
    const file = box.file('r.csv', `${csv}bad,400001,560001,0,1,1,1,prepaid,,,\n`)
    const { stdout, exit } = await box.shipx(['rates', '--file', file, '--jsonl', '--concurrency', '8'], {
      env: of(service),
    })
    const records = recordsIn(stdout)
    expect(records).toHaveLength(301)
    for (const [i, request] of requests.entries()) {
      const [offer] = quote(request, sampleCard, service.engine.host.now()).offers
      expect(records[i]).toMatchObject({
        ref: `P${i}`,
        courier: offer?.service.carrier_name ?? null,
        paid: offer === undefined ? null : paid(offer) / 100,
        delivery: offer?.delivery ?? null,
      })
      if (offer === undefined)
        expect(records[i]).toMatchObject({ code: 'no_courier', reason: 'no courier takes this parcel' })
    }
    expect(records[300]).toMatchObject({ code: 'invalid_input', reason: 'weight: must be more than 0' })
    expect(exit).toBe(7)
  })

  test('is asked no faster than it may be, and its limits are obeyed', async () => {
    const limited = await startService({ readers: 0, rateLimit: 20 })
    try {
      const file = box.file('l.csv', parcelsOf(100, 4).csv)
      const { stdout, exit } = await box.shipx(['rates', '--file', file, '--jsonl', '--concurrency', '16'], {
        env: of(limited),
      })
      expect(recordsIn(stdout).filter((record) => record['code'] === 'rate_limited')).toEqual([])
      expect(recordsIn(stdout)).toHaveLength(100)
      expect([0, 7]).toContain(exit)
    } finally {
      await limited.close()
    }
    const before = service.log.length
    const began = performance.now()
    const { stdout } = await box.shipx(
      ['rates', '--file', box.file('s.csv', parcelsOf(30, 5).csv), '--jsonl', '--max-rps', '20'],
      { env: of(service) },
    )
    expect(recordsIn(stdout)).toHaveLength(30)
    expect(service.log.length - before).toBe(30)
    expect(performance.now() - began).toBeGreaterThan(1400)
  })

  test('that is not there ends it at once; one that goes away ends it after the parcels that were answered', async () => {
    const nowhere = { SHIPX_BASE_URL: 'http://127.0.0.1:9', SHIPX_API_KEY: service.key }
    const file = box.file('g.csv', parcelsOf(2000, 6).csv)
    const gone = await box.shipx(['rates', '--file', file, '--json'], { env: nowhere })
    expect([gone.stdout, gone.exit]).toEqual(['', 6])
    const leaving = await startService({ readers: 0 })
    const { child, ended } = box.begin(['rates', '--file', file, '--jsonl'], { env: of(leaving) })
    child.stdout.once('data', () => void leaving.close())
    const { stdout, stderr, exit } = await ended
    expect(exit).toBe(6)
    const records = recordsIn(stdout)
    expect(records.map(({ ref }) => ref)).toEqual(records.map((_, i) => `P${i}`))
    expect(records.length).toBeLessThan(2000)
    expect(stderr).toMatch(/"exit_code":6/)
  })

  test('that refuses the key is told once', async () => {
    const { stdout, exit } = await box.shipx(['rates', '--file', box.file('k.csv', parcelsOf(5, 7).csv), '--json'], {
      env: { ...of(service), SHIPX_API_KEY: `${service.key.slice(0, -4)}aaaa` },
    })
    expect([stdout, exit]).toEqual(['', 4])
  })

  test('is not asked when cards are compared', async () => {
    const before = service.log.length
    const { stdout, stderr } = await box.shipx(
      ['rates', '--file', box.file('d.csv', parcelsOf(5, 8).csv), '--compare', 'sample,sample'],
      { env: of(service) },
    )
    expect(stdout.split('\n')).toHaveLength(6)
    expect(stderr).toContain('priced here on sample and sample; the deployment is not asked')
    expect(service.log.length).toBe(before)
  })
})

describe('work in order', () => {
  const numbers = async function* (count: number): AsyncGenerator<number> {
    for (let i = 0; i < count; i++) yield i
  }
  const go = { asked: false }

  test('gives results in the order of the items, never more at a time than it may', async () => {
    let [running, most] = [0, 0]
    const work = async (i: number): Promise<number> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, (i * 7) % 5))
      running--
      return i
    }
    const got: number[] = []
    for await (const i of inOrder(numbers(200), work, 6, go)) got.push(i)
    expect(got).toEqual(Array.from({ length: 200 }, (_, i) => i))
    expect(most).toBe(6)
  })

  test('throws a failure in its place, and begins nothing far ahead of a slow one', async () => {
    let begun = 0
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const work = async (i: number): Promise<number> => {
      begun++
      if (i === 0) await slow
      if (i === 5) throw new ShipxError('unavailable', 'away')
      return i
    }
    const got: number[] = []
    const reading = (async () => {
      for await (const i of inOrder(numbers(1000), work, 4, go)) got.push(i)
    })()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(begun).toBeLessThanOrEqual(32)
    release()
    await expect(reading).rejects.toThrow('away')
    expect(got).toEqual([0, 1, 2, 3, 4])
  })

  test('without an order: a failure waits for what is under way, and nothing starts after it', async () => {
    const [started, ended] = [new Set<number>(), new Set<number>()]
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const work = async (i: number): Promise<void> => {
      started.add(i)
      if (i === 3) throw new ShipxError('unavailable', 'away')
      await slow
      ended.add(i)
    }
    const failing = expect(forEachOf(numbers(1000), work, 4)).rejects.toThrow('away')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(ended.size).toBe(0)
    release()
    await failing
    expect([...started].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect([...ended].toSorted((a, b) => a - b)).toEqual([0, 1, 2])
    const broken = async function* (): AsyncGenerator<number> {
      yield 10
      throw new ShipxError('invalid_file', 'cut off')
    }
    await expect(forEachOf(broken(), work, 4)).rejects.toThrow('cut off')
  })

  test('begins nothing after a stop and gives what was begun', async () => {
    const stop = { asked: false }
    const got: number[] = []
    for await (const i of inOrder(numbers(1000), async (n) => n, 4, stop)) {
      got.push(i)
      if (i === 10) stop.asked = true
    }
    expect(got.length).toBeLessThan(60)
    expect(got).toEqual(got.map((_, i) => i))
  })
})
