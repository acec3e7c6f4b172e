// Defends what `shipx shipments rto` and `shipx ratecard simulate` refuse, each with its way out, and how they look.
// @module-tag full: a process for each refusal
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { cardOf, costIn, isBack, parcelsOf, recordsOf } from './parcels.ts'

const box = sandbox()
afterAll(() => box.remove())
const parcels = parcelsOf(5, 400)

beforeAll(async () => {
  box.file('offer.json', cardOf('offer'))
  box.file('broken.json', '{"name": "broken"')
  for (const words of [
    ['local', 'import', 'shipments', box.file('parcels.jsonl', recordsOf(parcels)), '--yes'],
    ['ratecard', 'import', box.file('contract.json', cardOf('contract')), '--use'],
  ])
    expect((await box.shipx(words)).exit).toBe(0)
})

describe('bad input is refused with its way out', () => {
  const both = 'ratecard simulate --cards contract,offer.json'
  // prettier-ignore
  const table: readonly (readonly [line: string, exit: number, said: RegExp])[] = [
    ['shipments rto --by pincod', 2, /--by: "pincod" isn't a key\. Did you mean pincode\?/],
    ['shipments rto --by courier,courier', 2, /--by: names courier twice/],
    ['shipments rto --by zone --cross', 2, /--cross: takes two keys or more/],
    ['shipments rto --by all,zone --cross', 2, /--cross: crosses keys with one another/],
    ['shipments rto --by sku,tag --cross', 2, /--by: takes sku or tag, not both/],
    ['shipments rto --since 2026-09-02 --until 2026-09-01', 2, /--until: is before --since/],
    ['shipments rto --suggest cod-off', 2, /--margin: is required/],
    ['shipments rto --suggest cod-off --margin 125%', 2, /--margin: "125%" is not a percentage from 0% to 100%/],
    ['shipments rto --suggest cod-off --margin 20% --prepaid', 2, /--prepaid: leaves no COD parcel/],
    ['shipments rto --suggest cod --margin 20%', 2, /"cod" isn't/],
    ['shipments rto --margin 20%', 2, /--margin: goes with --suggest cod-off/],
    ['shipments rto --like-for-like courier --by zone', 2, /--by: does not go with --like-for-like/],
    ['shipments rto --like-for-like courier --status pending', 3, /none of these parcels is delivered or came back[\s\S]*--since 180d/],
    ['shipments rto --suggest cod-off --margin 20% --status pending', 3, /none of these parcels is delivered or came back/],
    ['ratecard simulate', 2, /--cards: is required/],
    ['ratecard simulate --cards contract,contract', 2, /--cards: names contract twice/],
    ['ratecard simulate --cards a,b,c,d', 2, /--cards: takes one to three cards/],
    ['ratecard simulate --cards nothing', 3, /there is no rate card nothing[\s\S]*shipx ratecard list/],
    ['ratecard simulate --cards contract,broken.json', 2, /broken\.json is not JSON/],
    ['ratecard simulate --cards contract,absent.csv', 2, /absent\.csv/],
    ['ratecard simulate --cards contract@2025-01-01', 3, /contract has no version of 2025-01-01/],
    [`${both} --mix "delhivery 60, blue 30"`, 2, /--mix: adds up to 90%, and must add up to 100%/],
    [`${both} --mix delhivery`, 2, /--mix: is couriers with their percent/],
    [`${both} --mix "delhivery 60, Delhivery 40"`, 2, /--mix: names Delhivery twice/],
    [`${both} --mix "delhivery 60, ekart 40"`, 2, /--mix: "ekart" isn't a courier of contract or offer/],
    [`${both} --pick dehlivery`, 2, /--pick: "dehlivery" isn't[\s\S]*Did you mean "Delhivery"\?/],
    [`${both} --pick cheapest --mix "delhivery 100"`, 2, /--mix and --pick exclude each other/],
    [`${both} --commit "bravo 50/month"`, 2, /--commit: "bravo" isn't a courier/],
    [`${both} --commit "blue 50"`, 2, /--commit: is a courier and its parcels a month/],
    [`${both} --rto 101%`, 2, /--rto: "101%" is not a percentage/],
    [`${both} --rto-by zone`, 2, /"zone" isn't/],
    [`${both} --break-even zone_dd.first`, 2, /offer\.json has no number "zone_dd\.first"\. Did you mean zone_d\.first\?/],
    ['ratecard simulate --cards contract --break-even zone_d.first', 2, /--break-even: compares two cards/],
    [`${both} --status pending`, 3, /none of these parcels is delivered or came back/],
    [`${both} --since 2026-09-02 --until 2026-09-01`, 2, /--until: is before --since/],
    [`${both} --force`, 2, /--force: goes with --parcels-out/],
    [`${both} --parcels-out parcels.jsonl`, 2, /parcels\.jsonl is there already; --force replaces it/],
  ]
  test.each(table)('%s', async (line, exit, said) => {
    const outcome = await box.bash(`shipx ${line}`)
    expect([outcome.stdout, outcome.exit]).toEqual(['', exit])
    expect(outcome.stderr).toMatch(said)
  })
})

describe('on a terminal', () => {
  const shown = async (width: number, line: string): Promise<string> =>
    (await box.bash(`shipx ${line}`, { env: { SHIPX_FORCE_TTY: String(width), NO_COLOR: '1' } })).stdout

  test.each([80, 120])('weeks are bars as long as their percentage, %i columns wide', async (width) => {
    const text = await shown(width, 'shipments rto --by week')
    const lines = text.split('\n').filter((line) => line.startsWith('2026-'))
    expect(lines.length).toBeGreaterThan(5)
    const bars = lines.map((line) => (line.match(/█/g) ?? []).length)
    const percents = lines.map((line) => Number(/(\d+\.\d)%/.exec(line)![1]))
    const [most, longest] = [Math.max(...percents), Math.max(...bars)]
    expect(longest).toBe(width === 80 ? 16 : 24)
    for (const [i, percent] of percents.entries())
      expect(Math.abs(bars[i]! - (percent / most) * longest)).toBeLessThan(1)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
  })

  test('a screen of 40 columns has a card with a bar for each week', async () => {
    const text = await shown(40, 'shipments rto --by week')
    expect(text).toMatch(/^chart: +█{1,8}$/m)
    expect(text).toContain('week:')
  })

  test('a simulation says what differs, where, and what nobody can know', async () => {
    const text = await shown(100, 'ratecard simulate --cards contract,offer.json')
    expect(text).toMatch(
      /^offer\.json costs ₹[\d,.]+ (less|more) \(.*\) than contract on the \d+ parcels that both price\./m,
    )
    expect(text).toMatch(/contract has no price for \d+ parcels: its courier is not on the card/)
    expect(text).toMatch(/^Not known: whether another courier would have taken each parcel/m)
    expect(text).toMatch(/^ZONE +contract +offer\.json$/m)
  })
})

test('a policy says whether the COD fee of a return stays, and the card comes first where it says it', async () => {
  // On the contract, Delhivery keeps the fee by the card, and Blue Dart has no rule.
  const cost = async (courier: string): Promise<unknown> => {
    const { stdout } = await box.shipx(['shipments', 'rto', '--by', 'courier', '--jsonl', '-q'])
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    return rows.find(({ key }) => key === courier)!['rto_cost']
  }
  const back = (courier: string) =>
    parcels.filter((one) => isBack(one) && one.courier[1] === courier && one.zone !== null)
  const by = (courier: string, fee: boolean): number =>
    back(courier).reduce((sum, one) => {
      const { freight, rto, cod } = costIn('contract', courier, one)!
      const due = fee ? costIn('contract', courier, { ...one, status: 'delivered', granular: 'delivered' })!.cod : cod
      return sum + freight + rto + due
    }, 0) / 100
  expect(await cost('Blue Dart')).toBe(by('Blue Dart', false))
  for (const courier of ['Delhivery', 'Blue Dart'])
    expect((await box.shipx(['courier', 'policy', 'set', courier, 'cod_on_rto=charged', '--yes'])).exit).toBe(0)
  expect(await cost('Blue Dart')).toBe(by('Blue Dart', true))
  expect((await box.shipx(['courier', 'policy', 'set', 'Delhivery', 'cod_on_rto=reversed', '--yes'])).exit).toBe(0)
  expect(await cost('Delhivery')).toBe(by('Delhivery', true))
})

test('the report has the same numbers as the command', async () => {
  const since = '2026-07-01'
  const report = await box.shipx(['report', '--json', '--since', since])
  const { rto } = (JSON.parse(report.stdout) as { data: { rto: Record<string, readonly Record<string, unknown>[]> } })
    .data
  const asked = async (...words: readonly string[]) => {
    const { stdout } = await box.shipx(['shipments', 'rto', ...words, '--since', since, '--jsonl', '-q'])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const [all] = await asked('--by', 'all')
  expect(all).toMatchObject(rto['totals'] as unknown as Record<string, unknown>)
  const weeks = await asked('--by', 'week')
  const named = rto['by_week']!.map(({ week, ...figures }) => expect.objectContaining({ key: week, ...figures }))
  expect(weeks).toEqual(named)
  expect(await asked('--like-for-like', 'courier')).toEqual(rto['like_for_like'])
  const page = await box.shipx(['report', '--out', 'page.html', '--since', since])
  expect(page.exit).toBe(0)
  const html = readFileSync(join(box.folder, 'page.html'), 'utf8')
  expect(html).toContain('<h2>Returns to origin</h2>')
  expect(html).toContain('id="rto-week-full-t"')
})
