// Defends the price of a parcel that comes back: beside the forward price, and as a price of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateCard, Service } from '../../../src/domain/rates/cardschema.ts'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { sandbox } from '../../support/sandbox.ts'
import { recordsIn } from './parcels.ts'

const box = sandbox()
afterAll(() => box.remove())

/** Freight 50 for 500 g and 40 for each 500 g more; COD max(40, 1.8 %); RTO 80 % of freight; fuel 10 % of both. */
function cardWith(on_rto: Service['cod']['on_rto']): RateCard {
  const [service] = sampleCard.services as [Service, ...Service[]]
  const band = { up_to: null, first_weight: 500, first_price: 50, step_weight: 500, step_price: 40 }
  const tariff = Object.fromEntries(['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e'].map((zone) => [zone, [band]]))
  const { slabs: _, ...cod } = { slabs: undefined, ...service.cod }
  const own: Service = {
    ...service,
    forward: tariff,
    return: tariff,
    cod: { ...cod, available: true, fixed: 40, percent: 1.8, rule: 'max', max_value: null, on_rto },
    rto: { percent: 80 },
    qc: { available: true, price: 15 },
    platform_fee: 0,
    surcharges: [{ name: 'Fuel', percent: 10, of: 'freight_and_cod' }],
  }
  return { ...sampleCard, name: 'own', services: [own] }
}

let [reversed, charged, file] = ['', '', '']
beforeAll(() => {
  reversed = box.file('reversed.json', JSON.stringify(cardWith('reversed')))
  charged = box.file('charged.json', JSON.stringify(cardWith('charged')))
  file = box.file(
    'parcels.csv',
    [
      'ref,from,to,weight,length,width,height,payment,value,journey',
      'out,400001,560001,700g,10,10,10,cod,3000,',
      'back,400001,560001,700g,10,10,10,cod,3000,RTO',
      'paid,400001,560001,700g,10,10,10,prepaid,,rto',
      'return,560001,400001,700g,10,10,10,,,return',
    ].join('\n'),
  )
})

const prices = async (...args: readonly string[]) => {
  const { stdout, exit } = await box.shipx(['rates', '--file', file, '--jsonl', ...args])
  expect(exit).toBe(0)
  return recordsIn(stdout)
}

describe('a parcel that comes back', () => {
  test('costs its RTO charge more, with the fuel on it; a return has none', async () => {
    const [out, , , returned] = await prices('--card', reversed)
    // 90 freight, 54 COD, 14.40 fuel; back 72 and 7.20 fuel.
    expect(out).toMatchObject({ total: 158.4, paid: 158.4, rto: 79.2 })
    expect(returned).toMatchObject({ total: 114, rto: null })
  })

  test('costs both ways without the COD fee, nor what is due on it', async () => {
    const [, back, paid] = await prices('--card', reversed)
    expect(back).toMatchObject({ total: 178.2, rto: 79.2 })
    expect(paid).toMatchObject({ total: 178.2, rto: 79.2 })
  })

  test('keeps the COD fee on a card that keeps it', async () => {
    const [out, back] = await prices('--card', charged)
    expect([out!['total'], back!['total']]).toEqual([158.4, 237.6])
  })

  test('is compared on two cards', async () => {
    const [, back] = await prices('--compare', `${reversed},${charged}`)
    expect(back).toMatchObject({ total_1: 178.2, total_2: 237.6, rto_1: 79.2, rto_2: 79.2, difference: 59.4 })
  })

  test('has its column in CSV and in the wide table', { tags: ['full'] }, async () => {
    const { stdout } = await box.shipx(['rates', '--file', file, '--card', reversed, '--csv', '-q'])
    expect(stdout.split('\n')[1]).toMatch(/^out,.*,158\.4,0,158\.4,79\.2,zone_c,/)
    const wide = await box.shipx(['rates', '--file', file, '--card', reversed, '--wide', '-q'])
    expect(wide.stdout).toMatch(/^out\t.*\t158\.4\t0\t186\.91\t79\.2\t/)
  })
})

test('a journey that is none of the three is a fault that names them', async () => {
  const input = 'ref,from,to,weight,payment,journey\nA,400001,560001,700g,prepaid,sideways\n'
  const { stdout, exit } = await box.shipx(['rates', '--file', '-', '--csv', '--fields', 'ref,reason'], { input })
  expect([exit, stdout]).toEqual([7, expect.stringContaining('One of: forward, return, rto')])
})

test('weights below 10 g are named once, by the first line', async () => {
  const line = (weight: string): string => `A,400001,560001,${weight},prepaid`
  const input = ['ref,from,to,weight,payment', line('500g'), line('5g'), line('2g'), line('9.5g')].join('\n')
  const { exit, stderr } = await box.shipx(['rates', '--file', '-', '--csv'], { input })
  expect([exit, stderr]).toEqual([0, expect.stringContaining('line 3 weighs 5 g, less than 10 g; so are 2 more')])
})
