// Defends which columns a person sees: what a list is about is whole, what is hidden is named, what is paid is paid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../src/domain/rates/cardschema.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { parcelFlags } from '../support/requests.ts'
import { startService } from '../support/service.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  await box.shipx(['local', 'seed', '--shipments', '300', '--returns', '30'])
})
afterAll(() => box.remove())

const on = async (columns: number, ...args: readonly string[]): Promise<{ out: string; err: string }> => {
  const env = { SHIPX_FORCE_TTY: String(columns), NO_COLOR: '1' }
  const { stdout, stderr } = await box.shipx(args, { env })
  return { out: stdout, err: stderr }
}

/** The header of a table: its line of capitals. */
const headerOf = (out: string): string => out.split('\n').find((line) => /^[A-Z+][A-Z +%]+( {2}|$)/.test(line)) ?? ''
const names = (out: string): readonly string[] => headerOf(out).trim().split(/ {2,}/)

describe('shipx rates at 80 columns', () => {
  test('shows courier, total, what is paid and delivery whole, and names what is hidden', async () => {
    const { out } = await on(80, 'rates', ...parcelFlags, '--cod', '1499')
    expect(names(out)).toEqual(expect.arrayContaining(['COURIER', 'TOTAL', '+ FEE', 'YOU PAY', 'DELIVERY']))
    expect(out).not.toContain('…')
    expect(out).toMatch(/^hidden: .*service.* \(--wide\)$/m)
    expect(Math.max(...out.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80)
  })

  test('YOU PAY is the total, the platform fee and GST; the footer says so', async () => {
    const { out } = await on(80, 'rates', ...parcelFlags, '--cod', '1499')
    const line = out.split('\n').find((one) => one.startsWith('Peepal'))!
    const [total, fee, pay] = [...line.matchAll(/₹[\d.]+/g)].slice(-3).map(([amount]) => Number(amount.slice(1)))
    expect(pay).toBeCloseTo((total! + fee!) * 1.18, 2)
    expect(out).toContain('YOU PAY includes the platform fee and 18% GST.')
    expect(out).toContain('Zone C (metro to metro)')
  })

  test('a card with 5% GST was a paisa short of what --explain and --file say', async () => {
    const [service] = sampleCard.services as [Service, ...Service[]]
    const band = { up_to: null, first_weight: 500, first_price: 17.9, step_weight: 500, step_price: 10 }
    const forward = Object.fromEntries(Object.keys(service.forward).map((zone) => [zone, [band]]))
    const card = { ...sampleCard, name: 'five', gst_percent: 5, services: [{ ...service, forward, platform_fee: 0 }] }
    const path = box.file('five.json', JSON.stringify(card))
    const words = [
      'rates',
      '--from',
      '400001',
      '--to',
      '560001',
      '--weight',
      '400g',
      '--size',
      '10x10x5',
      '--prepaid',
      '--card',
      path,
    ]
    const { out } = await on(200, ...words, '--gst', '--explain')
    expect(out).toMatch(/ ₹17\.90 .* ₹0\.90 +₹18\.80 /)
    expect(out).toContain('you pay ₹18.80')
  })

  test('the help names the columns of a pipe in their order, the two days too', { tags: ['full'] }, async () => {
    const { stdout: help } = await box.shipx(['rates', '--help'])
    const named = /without a header: ([^.]+)\./.exec(help)![1]!.split(', ')
    const fields =
      'carrier_name,service_level,charges.forward_freight_charges,charges.cod_charges,charges.total_forward_charges,' +
      'platform_fee,charges.rto_charges,expected_delivery.pickup,expected_delivery.delivery'
    const [piped, csv] = await Promise.all(
      [[], ['--csv', '--fields', fields]].map((more) => box.shipx(['rates', ...parcelFlags, '--cod', '1499', ...more])),
    )
    const [line, record] = [piped!.stdout.split('\n')[0]!.split('\t'), csv!.stdout.split('\n')[1]!.split(',')]
    expect(named.slice(-3)).toEqual(['price if returned', 'pickup day', 'delivery day'])
    expect(line.slice(0, named.length)).toEqual(
      record.toSpliced(named.indexOf('you pay'), 0, expect.any(String) as string),
    )
  })

  test('the explanation adds up: the total, the fee and GST as amounts are what is paid', async () => {
    const { stdout } = await box.shipx(['rates', ...parcelFlags, '--prepaid', '--explain', '--json'])
    const lines = stdout.match(/you pay ₹[^"]+/g)!
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      const [pay, ...parts] = [...line.matchAll(/₹([\d,.]+)/g)].map(([, amount]) => Number(amount!.replace(',', '')))
      expect([line, parts.reduce((sum, part) => sum + part, 0)]).toEqual([line, expect.closeTo(pay!, 5)])
    }
  })

  test(
    'columns that say the same are one: a prepaid parcel has no FREIGHT besides its TOTAL',
    { tags: ['full'] },
    async () => {
      const { out } = await on(160, 'rates', ...parcelFlags, '--prepaid')
      expect(names(out)).not.toContain('FREIGHT')
      expect(names(out)).toContain('TOTAL')
      const piped = await box.shipx(['rates', ...parcelFlags, '--prepaid'])
      expect(piped.stdout.split('\n')[0]!.split('\t').length).toBeGreaterThan(8)
    },
  )
})

test(
  'the prices of a card at 80 columns have all five zones, and name what they leave out',
  { tags: ['full'] },
  async () => {
    const { out, err } = await on(80, 'ratecard', 'show', 'sample')
    expect(names(out)).toEqual(['COURIER', 'JOURNEY', 'ZONE A', 'ZONE B', 'ZONE C', 'ZONE D', 'ZONE E'])
    expect(err).toBe('hidden: service, slab (--wide)\n')
  },
)

describe('shipx rates --file on a terminal', () => {
  const parcels = 'ref,from,to,weight,length,width,height,payment,value\nP1,400001,560001,500g,20,15,10,prepaid,\n'

  test('has no CODE and WHY NOT while every parcel has a price, and both when one has none', async () => {
    box.file('good.csv', parcels)
    const { out, err } = await on(120, 'rates', '--file', 'good.csv')
    expect(names(out)).toContain('YOU PAY')
    for (const header of ['CODE', 'WHY NOT']) expect(out).not.toContain(header)
    expect(err).toContain('with 18% GST')
    box.file('bad.csv', `${parcels}P2,400001,56000,500g,20,15,10,prepaid,\n`)
    expect((await on(160, 'rates', '--file', 'bad.csv')).out).toContain('WHY NOT')
  })

  test(
    'was before GST at a service: it pays the same there, by one parcel and by a file',
    { tags: ['full'] },
    async () => {
      const service = await startService({ readers: 0 })
      try {
        const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key, SHIPX_FORCE_TTY: '120', NO_COLOR: '1' }
        const one = await box.shipx(['rates', ...parcelFlags, '--prepaid', '--limit', '1', '--columns', 'pay'], { env })
        const paid = /₹[\d.]+/.exec(one.stdout)![0]
        const here = await on(120, 'rates', '--file', 'good.csv', '--columns', 'courier,paid')
        const there = await box.shipx(['rates', '--file', 'good.csv', '--columns', 'courier,paid'], { env })
        expect([there.stdout, there.stdout.includes(paid)]).toEqual([here.out, true])
        expect(there.stderr).toContain(`1 of 1 parcels has a price: ${paid} with 18% GST`)
      } finally {
        await service.close()
      }
    },
  )

  test('pays the same as one parcel does; --json keeps its own keys', { tags: ['full'] }, async () => {
    const one = await on(80, 'rates', ...parcelFlags, '--prepaid', '--limit', '1', '--columns', 'courier,pay')
    const paid = /₹[\d.]+/.exec(one.out)![0]
    const many = await on(120, 'rates', '--file', 'good.csv')
    expect(many.out).toContain(paid)
    const { stdout } = await box.shipx(['rates', '--file', 'good.csv', '--json'])
    const [record] = (JSON.parse(stdout) as { readonly data: readonly Record<string, number>[] }).data
    expect(Object.keys(record!)).not.toContain('with_gst')
    expect(record!['paid']).toBe(record!['total']! + record!['fee']!)
  })
})

describe('a list of shipments at 80 columns', () => {
  const main = ['AWB', 'STATUS', 'COURIER', 'ORDER', 'TO']

  test('has awb, status, courier, order and place, and names what is hidden', async () => {
    const { out, err } = await on(80, 'shipments', 'list')
    expect(names(out)).toEqual(expect.arrayContaining(main))
    expect(err).toMatch(/hidden: .*updated.* \(--wide\)/)
    expect(err).not.toContain('columns hidden')
  })

  test('with --all has the same columns', async () => {
    const { out } = await on(80, 'shipments', 'list', '--all')
    expect(names(out)).toEqual(expect.arrayContaining(main))
  })

  test('of stuck parcels and failed deliveries has its main columns too', { tags: ['full'] }, async () => {
    const stuck = await on(80, 'shipments', 'stuck')
    expect(names(stuck.out)).toEqual(expect.arrayContaining(['AWB', 'ORDER', 'COURIER', 'STATUS', 'DAYS']))
    const ndr = await on(80, 'shipments', 'ndr')
    expect(names(ndr.out)).toEqual(expect.arrayContaining(['AWB', 'ORDER', 'REASON', 'DAYS LEFT']))
  })
})

test('a list of returns at 80 columns hid the courier and the place', async () => {
  const { out } = await on(80, 'returns', 'list')
  expect(names(out)).toEqual(expect.arrayContaining(['RETURN', 'STATUS', 'COURIER', 'FROM', 'REFUND']))
})

test('a summary did not say what its shares are of, nor which columns it hides', async () => {
  const wide = await on(120, 'shipments', 'summary', '--by', 'courier')
  expect(names(wide.out)).toEqual(expect.arrayContaining(['DELIVERED %', 'RTO %']))
  expect(wide.err).toContain('300 shipments; DELIVERED % is of all shipments, RTO % is of those picked up')
  const narrow = await on(64, 'shipments', 'summary', '--by', 'courier')
  const hidden = /hidden: (.*) \(--wide\)/.exec(narrow.err)![1]!.split(', ')
  expect(hidden.length).toBeGreaterThan(0)
  for (const header of hidden) expect(names(narrow.out)).not.toContain(header.toUpperCase())
})

describe('cards on a screen of 40 columns', () => {
  test('have no line for a bar or a mark, which say nothing there', async () => {
    const summary = await on(40, 'shipments', 'summary', '--by', 'zone')
    expect(summary.out).toContain('Zone C')
    expect(summary.out).not.toMatch(/bar|█/)
    const rates = await on(40, 'rates', ...parcelFlags, '--prepaid')
    expect(rates.out).not.toContain('mark')
    expect(Math.max(...rates.out.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(60)
  })
})
