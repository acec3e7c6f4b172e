// R26: money, weights and days are exact, and the same bytes in every time zone of the machine, also when its clock
// jumps.
import { createHash } from 'node:crypto'
import { groupedDigits, paiseOf, percentOf, rupeesOf, rupeesText } from '../../src/domain/money.ts'
import { scaled, volumetricWeight } from '../../src/domain/rates/measures.ts'
import { quote, rateAnswer } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { readMoment } from '../../src/domain/read/day.ts'
import { readRupees } from '../../src/domain/read/money.ts'
import { readGrams } from '../../src/domain/read/weight.ts'
import { addDays, dayMs, istDate, istMinute, readDay, readInstant, readOrderDate } from '../../src/domain/time.ts'
import { parcel } from '../domain/cards.ts'
import { drawsOf, type Draws } from '../support/chance.ts'
import { sandbox } from '../support/sandbox.ts'
import { sample, share, summed, timed, type Finding, type Size } from './row.ts'

/** West and east of Greenwich, with halves and quarters of hours, and two that change their clocks in a year. */
// prettier-ignore
const zones = [
  'America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata', 'Europe/London',
  'Australia/Lord_Howe', 'Asia/Kathmandu',
]

/** A property of drawn values: what came out, and whether it is what exact arithmetic says. */
type Property = (draws: Draws) => { readonly out: string; readonly right: boolean }

const said = (right: boolean, ...out: readonly unknown[]) => ({ out: JSON.stringify(out), right })

/** Whether `part` is `over / under`, half-up, of numbers that are not negative. */
const nearest = (part: number, over: bigint, under: bigint): boolean =>
  (2n * BigInt(part) - 1n) * under <= 2n * over && 2n * over < (2n * BigInt(part) + 1n) * under

const amounts: Property = ({ below }) => {
  const [whole, decimals] = [below(10 ** (1 + below(9))), 1 + below(4)]
  const fraction = String(below(10 ** decimals)).padStart(decimals, '0')
  const exact = BigInt(`${whole}${fraction}`)
  const paise = paiseOf(`${whole}.${fraction}`)!
  const written = readRupees(`₹${groupedDigits(String(whole))}.${fraction.slice(0, 2)}`)
  const read = 'rupees' in written ? paiseOf(written.rupees) : undefined
  return said(
    nearest(paise, exact * 100n, 10n ** BigInt(decimals)) &&
      paiseOf(Number(`${whole}.${fraction}`)) === paise &&
      paiseOf(rupeesOf(paise)) === paise &&
      paiseOf(rupeesText(paise)) === paise &&
      read === whole * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')),
    paise,
    rupeesText(paise),
    written,
  )
}

const shares: Property = ({ below }) => {
  const [paise, decimals] = [below(10 ** (1 + below(9))), below(7)]
  const units = below(10 ** (decimals + 2))
  const part = percentOf(paise, Number(`${units}e-${decimals}`))
  return said(nearest(part, BigInt(paise) * BigInt(units), 100n * 10n ** BigInt(decimals)), part)
}

const weights: Property = ({ below, pick }) => {
  const [units, divisor] = [1 + below(100_000_000), pick([4000, 4500, 5000, 6000, 7321])]
  const read = readGrams(`${Number(`${units}e-5`)}kg`, { unit: 'g', certain: false })
  const sides = [1 + below(10_000), 1 + below(10_000), 1 + below(10_000)] as const
  const [length, width, height] = sides.map((side) => side / 100) as [number, number, number]
  const grams = volumetricWeight(length, width, height, divisor)
  const hundredths = Math.round(grams * 100)
  const product = sides.reduce((all, side) => all * BigInt(side), 1n)
  return said(
    scaled(Number(`${units}e-5`), 1000) === Number(`${units}e-2`) &&
      // What a weight of a digit more or fewer has no number for, the reader writes in another form.
      (String(Number(`${units}e-5`)).includes('e') || ('grams' in read && read.grams === Number(`${units}e-2`))) &&
      nearest(hundredths, product, BigInt(divisor) * 10n) &&
      grams === hundredths / 100,
    read,
    grams,
  )
}

const india = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Kolkata',
  dateStyle: 'short',
  timeStyle: 'medium',
})

const days: Property = ({ below }) => {
  const ms = below(4_102_444_800) * 1000 + below(1000)
  const [date, minute, ahead] = [istDate(ms), istMinute(ms), below(800) - 400]
  const [start, end] = readDay(date)!
  const [today, spelled] = [readMoment('today', { now: ms }), readMoment(date.split('-').toReversed().join('/'), {})]
  return said(
    india.format(ms).startsWith(minute) &&
      minute.startsWith(`${date} `) &&
      end - start === dayMs - 1 &&
      start <= ms &&
      ms <= end &&
      readOrderDate(minute) === ms - (ms % 60_000) &&
      readInstant(new Date(ms).toISOString()) === ms &&
      'value' in today &&
      today.value === start &&
      'value' in spelled &&
      spelled.value === start &&
      addDays(date, ahead) === istDate(ms + ahead * dayMs),
    minute,
    start,
  )
}

const prices: Property = ({ below }) => {
  const units = 1 + below(2_000_000)
  const value = (1 + below(12_000_000)) / 100
  const request = parcel({ dead_weight: units / 100, payment_method: 'cod', shipment_value: value })
  const now = Date.UTC(2026, 0, 1) + below(400 * 24 * 60) * 60_000
  const found = quote(request, sampleCard, now)
  const right = found.offers.every(({ service, weight, freight, pickup, delivery }) => {
    const heavy = Math.round(weight * 100)
    const tariff = service.forward[found.zone.zone]!
    const band = tariff.find(({ up_to }) => up_to === null || heavy <= up_to * 100)!
    let [end, price] = [band.first_weight * 100, Math.round(band.first_price * 100)]
    for (; end < heavy; end += band.step_weight * 100) price += Math.round(band.step_price * 100)
    return freight === price && pickup >= istDate(now) && delivery >= pickup
  })
  const sums = rateAnswer(found).result.serviceable_couriers.every(({ charges }) => {
    const paise = (name: string): number => Math.round(Number(charges[name as keyof typeof charges]) * 100)
    return paise('total_forward_charges') === paise('forward_freight_charges') + paise('cod_charges')
  })
  return said(right && sums, rateAnswer(found).result)
}

const properties = { amounts, shares, weights, days, prices } as const

/** The properties in one time zone: what was wrong, and a sum over every byte that came out. */
function inZone(
  zone: string,
  count: number,
): { readonly wrong: readonly string[]; readonly sum: string; readonly offset: number } {
  process.env['TZ'] = zone
  const [draws, hash, wrong] = [drawsOf(26), createHash('sha256'), [] as string[]]
  const list = Object.entries(properties)
  for (let n = 0; n < count; n++) {
    const [name, property] = list[n % list.length]!
    const { out, right } = property(draws)
    hash.update(out)
    if (!right) wrong.push(`${zone}: ${name}: ${out.slice(0, 200)}`)
  }
  return { wrong, sum: hash.digest('hex'), offset: new Date(clocks[0]!).getTimezoneOffset() }
}

/** Where the clock jumps to, one after another: back an hour, over changes of summer time and years, back again. */
// prettier-ignore
const clocks = [
  '2026-03-08T09:59:59.999Z', '2026-03-08T10:00:00Z', '2026-03-08T09:00:00Z', '2026-10-25T00:59:59Z',
  '2026-10-25T01:30:00Z', '2026-10-25T00:30:00Z',
  '2026-12-31T18:29:59.999Z', '2026-12-31T18:30:00Z', '2028-02-29T18:29:59Z', '2026-04-04T15:30:00Z',
]

const last = '2028-03-01T00:00:00Z'

/** What is asked of the sample data and of the orders that came in between the jumps. */
const lines = [
  'shipments summary --by day --json --since 365d',
  'shipments list --all --csv --since 2026-03-08',
  'shipments list --all --jsonl',
  'report --since 2026-01-01 --out -',
  'shipments summary --by month --json',
  'shipments list --limit 20 --table',
  'returns list --all --csv',
  'shipments stuck --json',
  'rates --from 400001 --to 560001 -w 500g -s 20x15x10 --cod 1499 --json',
  'shipments list --since yesterday --json',
]

/** The command line of an order of one item; a blank inside a word is `~`. */
export const orderLine = (id: string, rupees: string): string =>
  [
    `orders create --order-id ${id} --order-date 2025-11-20~10:00 --billing-customer-name Asha --billing-address x`,
    '--billing-city Pune --billing-pincode 411001 --billing-state Maharashtra --billing-country India',
    `--billing-phone 9812345678 -w 500g -s 20x15x10 --prepaid --sub-total ${rupees} --item SKU-1:1:${rupees}:Shirt`,
    '--warehouse-id WH1 --no-assign --yes --json',
  ].join(' ')

/** Command lines in a zone under a clock that jumps: what they wrote, and whether orders are worth what was sent. */
async function sessionIn(zone: string, jumps: readonly string[], asked: readonly string[]) {
  const box = sandbox()
  const [printed, faults]: [string[], string[]] = [[], []]
  const run = async (line: string, now: string): Promise<string> => {
    const words = line.split(' ').map((word) => word.replaceAll('~', ' '))
    const { stdout, stderr, exit } = await box.shipx(words, { env: { TZ: zone, SHIPX_NOW: now } })
    if (exit !== 0) faults.push(`${line}: exit ${String(exit)} ${stderr.slice(0, 200)}`)
    return stdout
      .replaceAll(box.folder, '<tmp>')
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
      .replace(/\bORD[\dA-Z]{10}\b/g, '<order>')
  }
  try {
    await run('local warehouse set WH1 400001 -q', clocks[0]!)
    let sent = 0
    for (const [n, now] of jumps.entries()) {
      const paise = 49_905 + n * 1001
      sent += paise
      await run(orderLine(`F-${n}`, rupeesText(paise)), now)
    }
    const summary = await run('shipments summary --by status --json', last)
    const { data } = JSON.parse(summary) as { readonly data: readonly { shipments: number; value: number }[] }
    if (data.length !== 1 || data[0]!.shipments !== jumps.length || paiseOf(data[0]!.value) !== sent)
      faults.push(`${zone}: ${summary.trim()} of ${jumps.length} orders of ${rupeesText(sent)}`)
    await run('local seed --shipments 200 --returns 40 --yes -q', jumps.at(-1)!)
    for (const line of asked) printed.push(`${line}\n${await run(line, jumps.at(-1)!)}`)
  } finally {
    box.remove()
  }
  return { printed, faults }
}

/** R26: so many of 100,000 properties in six zones, and command lines in those zones under clocks that jump. */
export const r26 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 100_000, 500)
    const [before, faults] = [process.env['TZ'], [] as string[]]
    const [sums, offsets] = [new Set<string>(), new Set<number>()]
    try {
      for (const zone of zones) {
        const { wrong, sum, offset } = inZone(zone, count)
        faults.push(...wrong)
        sums.add(sum)
        offsets.add(offset)
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
    if (sums.size > 1) faults.push(`properties come to ${sums.size} results in ${zones.length} zones`)
    // Zones that the process did not go to prove nothing.
    if (offsets.size < zones.length) faults.push(`the process was in ${offsets.size} of ${zones.length} zones`)
    const [placed, jumps, asked] = [sample(zones, size, 2), sample(clocks, size, 3), sample(lines, size, 4)]
    const outputs: (readonly string[])[] = []
    for (const zone of placed) {
      const session = await sessionIn(zone, jumps, asked)
      faults.push(...session.faults)
      outputs.push(session.printed)
    }
    for (const [n, zone] of placed.entries())
      for (const [i, line] of asked.entries())
        if (outputs[n]![i] !== outputs[0]![i]) faults.push(`${line}: other bytes in ${zone} than in ${placed[0]!}`)
    return {
      row: 'R26',
      what: `${count.toLocaleString('en-IN')} properties of money, weights, days and prices in ${zones.length} time zones; ${asked.length} command lines in ${placed.length} of them, ${jumps.length} jumps of the clock`,
      tried: count * zones.length + placed.length * (asked.length + jumps.length),
      result: `${faults.length} faults`,
      target: '0 paise difference, the same bytes in all zones',
      faults: summed(faults),
    }
  })
