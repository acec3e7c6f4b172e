// Defends reports: their figures are those of the summaries, on both databases and from a mirror; the page takes hostile text
// and needs nothing but itself in a real browser; files are not written over.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/cli/commands/report/figures.ts'
import { html } from '../../src/cli/pages/html.ts'
import { stepName, stepSpan } from '../../src/cli/commands/report/words.ts'
import { safe } from '../../src/cli/terminal/safe.ts'
import type { Query } from '../../src/domain/contract.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { shipmentSums } from '../../src/domain/parcels/summary.ts'
import { isoOf } from '../../src/domain/time.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { reportReturns, reportShipments } from '../../src/engine/records/report.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { startService, type TestService } from '../support/service.ts'
import { root } from '../support/checkout.ts'
import { first } from '../support/size.ts'

type Json = Readonly<Record<string, unknown>>

const plan: SeedPlan = { shipments: 1500, returns: 200, stores: 5, days: 60, seed: 7, now: testNow }

/** Text that a page must show and never obey. */
const hostile = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  ']]></style></svg><style>*{display:none}</style>',
  '\u202eevil\u0000\u0007\u009b31m',
  '{{constructor}}${1}{a|b}\\n&amp;&lt;',
  'न'.repeat(300),
  'W'.repeat(300),
]

const saved = (kind: 'shipment' | 'return', list: readonly Json[]): (Shipment | Return)[] =>
  list.map((attributes, i) => {
    const checked = checkRecord(`${kind}s`, {
      id: `${kind}-${i}`,
      attributes: { created_at: isoOf(testNow - 86_400_000), ...attributes },
    })
    if (!('record' in checked)) throw new Error(JSON.stringify(checked))
    return checked.record as Shipment | Return
  })

let box: Sandbox
let service: TestService
let engine: TestEngine
let postgres: TestEngine
let embedded: Readonly<Record<string, string>>
let remote: Readonly<Record<string, string>>

beforeAll(async () => {
  box = sandbox()
  const path = join(box.folder, 'served.sqlite')
  service = await startService({ path, readers: 0 })
  engine = service.engine
  postgres = await openPostgresEngine()
  for (const one of [engine, postgres]) {
    await one.save('shipment', seedShipments(plan))
    await one.save('return', seedReturns(plan))
  }
  const dirty = await engine.as('hostile <b>')
  await dirty.save(
    'shipment',
    saved(
      'shipment',
      hostile.flatMap((text, i) =>
        Array.from({ length: 20 }, () => ({
          status: i % 2 === 0 ? 'delivered' : 'rto_delivered',
          zone: text,
          carrier: { id: `C${i}`, name: text },
          shipping_address: { city: text },
          order: { store_name: text },
        })),
      ),
    ),
  )
  await dirty.save(
    'return',
    saved(
      'return',
      hostile.map((text) => ({ return_reason: text, refund_status: text })),
    ),
  )
  const now = { SHIPX_NOW: isoOf(testNow) }
  embedded = { ...now, SHIPX_DB: path }
  remote = { ...now, SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
})
afterAll(async () => {
  await Promise.all([service.close(), postgres.close()])
  box.remove()
})

const json = <T>({ stdout, stderr, exit }: Outcome): T => {
  expect([exit, stderr]).toEqual([0, ''])
  return (JSON.parse(stdout) as { data: T }).data
}
const ask = (args: readonly string[], env = embedded): Promise<Outcome> => box.shipx([...args, '-q'], { env })
const figuresOf = async (args: readonly string[], env = embedded): Promise<Report> =>
  json(await ask(['report', ...args, '--json'], env))

describe('the figures', () => {
  const asked = [
    [['--since', '40d', '--until', '5d', '--zone', 'c,d', '--date-field', 'delivered_at']],
    [['--since', '30d']],
    [['--since', '2020-01-01', '--cod']],
    [['--since', '60d', '--search', 'kurta']],
  ]
  test.each(first(1, asked))('of %j are those of the summaries', { tags: ['full'] }, async (args) => {
    const report = await figuresOf(args)
    const summary = async (by: string): Promise<readonly Json[]> =>
      json(await ask(['shipments', 'summary', '--by', by, ...args, '--json']))
    const same = (mine: readonly object[], theirs: readonly Json[]): void => {
      expect(theirs.length).toBeGreaterThan(0)
      expect(mine).toEqual(theirs.slice(0, mine.length).map((row) => expect.objectContaining(row)))
    }
    same(report.by_zone.rows, await summary('zone'))
    same(report.by_carrier.rows, await summary('carrier'))
    same(report.by_city.rows, await summary('city'))
    same(report.by_payment, await summary('payment'))
    const days = (await summary('day')).filter(({ day }) => day !== null)
    expect(report.volume.step).toBe('day')
    same(
      report.volume.rows.filter(({ shipments }) => shipments > 0),
      days.map(({ day, ...row }) => ({ from: day, ...row })),
    )
    const statuses = await summary('status')
    const sum = (name: string, of = statuses): number =>
      of.reduce((all, row) => all + Math.round(Number(row[name]) * 100), 0) / 100
    for (const name of ['shipments', 'value', 'cod', 'picked_up', 'delivered', 'rto'] as const)
      expect([name, report.totals[name]]).toEqual([name, sum(name)])
    const others = report.by_city.others
    expect(report.by_city.rows.reduce((all, { shipments }) => all + shipments, 0) + (others?.shipments ?? 0)).toBe(
      report.totals.shipments,
    )
    expect(report.totals.open_ndr).toBe(statuses.find(({ status }) => status === 'ndr_raised')?.['shipments'] ?? 0)
    const { rows, timed } = report.days_to_deliver
    expect(rows.reduce((all, { shipments }) => all + shipments, 0)).toBe(timed)
  })

  test('of returns are those of their summaries', { tags: ['full'] }, async () => {
    const report = await figuresOf(['--since', '50d'])
    const by = async (key: string): Promise<readonly Json[]> =>
      json(await ask(['returns', 'summary', '--by', key, '--since', '50d', '--json']))
    expect(report.returns!.by_reason.rows).toEqual(await by('reason'))
    expect(report.returns!.by_refund_status).toEqual(await by('refund_status'))
    expect(report.returns!.totals.returns).toBeGreaterThan(30)
  })

  test('flow from one stage to the next without a loss', async () => {
    const { flow, totals } = await figuresOf(['--since', '60d'])
    const of = (end: 'from' | 'to', stage: string): number =>
      flow.reduce((sum, link) => sum + (link[end] === stage ? link.shipments : 0), 0)
    expect(of('from', 'created')).toBe(totals.shipments)
    expect([of('to', 'picked_up'), of('from', 'picked_up')]).toEqual([totals.picked_up, totals.picked_up])
    expect(of('to', 'delivered')).toBe(totals.delivered)
    expect([of('to', 'rto'), of('from', 'rto')]).toEqual([totals.rto, totals.rto])
    expect(of('to', 'ndr')).toBe(totals.open_ndr)
  })

  test('are the same on SQLite and PostgreSQL, and the groups those of the summaries', async () => {
    for (const raw of [{}, { zone: ['zone_d'], date_field: 'picked_up_at' }, { sku: ['none'] }, { search: 'cotton' }]) {
      const input = parseInput('listShipments', raw) as Query
      const [a, b] = await Promise.all(
        [engine, postgres].map(({ database, account }) =>
          database.read(() => reportShipments({ dialect: database.dialect, account }, input)),
        ),
      )
      expect(a).toEqual(b)
      for (const key of ['status', 'day', 'zone', 'carrier', 'city', 'payment'] as const) {
        const { database, account } = engine
        const alone = await database.read(() => sumShipments({ dialect: database.dialect, account }, input, [key]))
        expect(
          a![key].map(({ keys, sums }) => ({
            keys,
            sums: Object.fromEntries(shipmentSums.map((name) => [name, sums[name]])),
          })),
        ).toEqual(alone)
      }
    }
    const input = parseInput('listReturns', {}) as Query
    const [a, b] = await Promise.all(
      [engine, postgres].map(({ database, account }) =>
        database.read(() => reportReturns({ dialect: database.dialect, account }, input)),
      ),
    )
    expect(a).toEqual(b)
    const { database, account } = postgres
    expect(a!.reason).toEqual(
      await database.read(() => sumReturns({ dialect: database.dialect, account }, input, ['reason'])),
    )
  })

  test('have the documented shape', async () => {
    const report = await figuresOf([])
    expect(Object.keys(report)).toEqual([
      'generated_at',
      'source',
      'period',
      'filters',
      'sample_data',
      'few_below',
      'totals',
      'flow',
      'volume',
      'by_zone',
      'by_carrier',
      'by_city',
      'by_payment',
      'rto',
      'days_to_deliver',
      'returns',
      'returns_left_out',
    ])
    const documented = readFileSync(join(root, 'docs', 'guides', 'report.md'), 'utf8')
    for (const name of [...Object.keys(report), ...Object.keys(report.totals), ...Object.keys(report.days_to_deliver)])
      expect([name, documented.includes(`\`${name}\``)]).toEqual([name, true])
    expect(report.period).toEqual({
      since: '2025-10-22T11:03:07.000Z',
      until: isoOf(testNow),
      date_field: 'created_at',
      time_zone: 'Asia/Kolkata',
    })
    expect((await figuresOf(['--until', '2025-11-10'])).period.since).toBe('2025-10-11T18:29:59.000Z')
    const narrow = json<Json>(await ask(['report', '--json', '--fields', 'totals.shipments,by_zone']))
    expect(Object.keys(narrow)).toEqual(['totals', 'by_zone'])
  })

  test('of a long period are by week and by month, with the same sums', { tags: ['full'] }, async () => {
    const far = await engine.as('far')
    await far.save(
      'shipment',
      saved('shipment', [
        { created_at: '2024-01-31T20:00:00Z' },
        { created_at: '2025-11-20T20:00:00Z' },
        { created_at: '2025-11-20T20:00:00Z' },
      ]),
    )
    const months = (await figuresOf(['--since', '2000-01-01', '--account', 'far'])).volume
    expect([months.step, months.rows.length, months.rows[0]!.from, months.rows.at(-1)!.shipments]).toEqual([
      'month',
      22,
      '2024-02-01',
      2,
    ])
    const odd = await engine.as('odd')
    await odd.save(
      'shipment',
      saved('shipment', [{ created_at: '2000-01-02T00:00:00Z' }, { created_at: '9999-12-30T00:00:00Z' }]),
    )
    expect((await figuresOf(['--since', '2000-01-01', '--account', 'odd'])).volume.rows).toHaveLength(2)
    const weeks = await engine.as('weeks')
    await weeks.save(
      'shipment',
      saved('shipment', [{ created_at: '2025-08-06T00:00:00Z' }, { created_at: '2025-11-20T20:00:00Z' }]),
    )
    const { step, rows } = (await figuresOf(['--since', '2025-01-01', '--account', 'weeks'])).volume
    expect([step, rows.length, rows[0]!.from, rows.at(-1)!.from]).toEqual(['week', 16, '2025-08-04', '2025-11-17'])
  })

  test('leave returns out where a filter is of shipments alone, and say so', { tags: ['full'] }, async () => {
    const cod = await figuresOf(['--cod', '--tags', 'gift'])
    expect([cod.returns, cod.returns_left_out]).toEqual([null, 'Left out: --cod and --tags are only for shipments.'])
    const zone = await figuresOf(['--zone', 'd', '--since', '60d'])
    const wanted = json<readonly Json[]>(
      await ask(['returns', 'summary', '--by', 'zone', '--zone', 'd', '--since', '60d', '--json']),
    )
    expect(zone.returns!.totals).toMatchObject({ returns: wanted[0]!['returns'], value: wanted[0]!['value'] })
  })

  test('from a mirror are those of the deployment; without one it says what it needs', { tags: ['full'] }, async () => {
    const refused = await ask(['report', '--json'], remote)
    expect([refused.exit, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('not_supported')
    expect(refused.stderr).toContain('--local')
    const none = await ask(['report', '--local'], remote)
    expect([none.exit, none.stderr]).toEqual([expect.any(Number), expect.stringContaining('shipx pull')])
    expect((await ask(['pull'], remote)).exit).toBe(0)
    const [mine, theirs] = [await figuresOf(['--local'], remote), await figuresOf([])]
    expect(mine.source).toEqual({ kind: 'mirror', name: new URL(service.url).host, pulled_at: expect.any(String) })
    expect({ ...mine, source: null }).toEqual({ ...theirs, source: null })
    const page = await ask(['report', '--local', '--out', '-'], remote)
    expect(page.stdout).toContain('Pulled 21 Nov 2025')
  })
})

test(
  'a page on sample data says that it is invented, and a page on other records does not',
  { tags: ['full'] },
  async () => {
    const db = { SHIPX_DB: join(box.folder, 'sampled.sqlite') }
    const seeded = await ask(['local', 'seed', '--shipments', '40', '--returns', '2', '--yes'], db)
    expect(seeded.exit).toBe(0)
    await (await engine.as('merchant')).save('shipment', saved('shipment', [{ status: 'delivered' }]))
    const [sample, own] = [
      await ask(['report', '--out', '-'], db),
      await ask(['report', '--out', '-', '--account', 'merchant']),
    ]
    expect(sample.stdout).toMatch(/<p class="note">This database holds the sample data of shipx: .* invented\.<\/p>/)
    expect([own.exit, own.stdout.includes('sample data of shipx')]).toEqual([0, false])
    expect((await figuresOf(['--since', '90d'], db)).sample_data).toBe(true)
    const other = { SHIPX_DB: join(box.folder, 'otherseed.sqlite') }
    expect(
      (await ask(['local', 'seed', '--shipments', '5', '--returns', '0', '--seed', '977', '--yes'], other)).exit,
    ).toBe(0)
    expect((await figuresOf([], other)).sample_data).toBe(true)
  },
)

describe('the file', () => {
  const there = (name: string): string => readFileSync(join(box.folder, name), 'utf8')

  test('is report.html, and a newer report takes its place, but nothing else does', { tags: ['full'] }, async () => {
    expect((await ask(['report'])).exit).toBe(0)
    expect(there('report.html')).toMatch(/^<!DOCTYPE html>\n<html lang="en-IN">/)
    const newer = await box.shipx(['report', '--since', '10d'], { env: embedded })
    expect([newer.exit, newer.stderr]).toEqual([
      0,
      expect.stringContaining('written to report.html in place of the earlier one'),
    ])
    writeFileSync(join(box.folder, 'mine.html'), '<p>mine</p>')
    const refused = await ask(['report', '--out', 'mine.html'])
    expect([refused.exit, refused.stderr, there('mine.html')]).toEqual([
      2,
      expect.stringContaining('--force'),
      '<p>mine</p>',
    ])
    expect((await ask(['report', '--out', 'mine.html', '--force'])).exit).toBe(0)
    expect(there('mine.html')).toContain('shipx report')
  })

  test('goes to standard output for -, and beside the JSON where it is named', { tags: ['full'] }, async () => {
    const page = await ask(['report', '--out', '-'])
    expect([page.exit, page.stdout.endsWith('</html>\n')]).toEqual([0, true])
    const both = await ask(['report', '--json', '--out', 'both.html'])
    expect(json<Report>(both).totals.shipments).toBeGreaterThan(0)
    expect(there('both.html')).toContain('Shipping report')
  })

  test.each([
    [['--json', '--out', '-'], 'standard output'],
    [['--csv'], 'shipx shipments summary'],
    [['--out', 'no/such/folder/r.html'], 'there is no such folder'],
    [['--since', 'yesteryear'], '"yesteryear" cannot be read'],
    [['--zone', 'q'], '--zone'],
  ])('%j is refused', async (args, why) => {
    const outcome = await ask(['report', ...args])
    expect([outcome.exit, outcome.stdout]).toEqual([2, ''])
    expect(outcome.stderr).toContain(why)
  })

  test('of nothing at all is a friendly page', async () => {
    const none = { ...embedded, SHIPX_DB: '', SHIPX_DATA_DIR: join(box.folder, 'none') }
    const page = await ask(['report', '--out', '-'], none)
    expect([page.exit, page.stdout]).toEqual([0, expect.stringContaining('No shipments in this period')])
    expect((await figuresOf([], none)).totals).toMatchObject({
      shipments: 0,
      delivered_share: null,
      average_days: null,
      few: true,
    })
    expect(existsSync(join(none.SHIPX_DATA_DIR, 'shipx.sqlite'))).toBe(false)
  })
})

test('a week or a month that had not ended was labelled as if it had', () => {
  const spans = [
    ['week', '2026-11-16', '16 to 22 Nov'],
    ['week', '2026-11-23', '23 to 24 Nov (so far)'],
    ['week', '2026-10-26', '26 Oct to 01 Nov'],
    ['month', '2026-10-01', 'Oct 2026'],
    ['month', '2026-11-01', '01 to 24 Nov (so far)'],
    ['day', '2026-11-24', '24 Nov'],
  ] as const
  for (const [step, from, span] of spans) expect(stepSpan(step, from, '2026-11-24')).toBe(span)
  expect(stepSpan('week', '2026-11-16', '2026-11-24', '2026-11-18')).toBe('18 to 22 Nov')
  expect(stepSpan('month', '2026-10-01', '2026-11-24', '2026-10-30')).toBe('30 to 31 Oct')
  expect(stepName('week', '2026-11-16', '2026-11-24')).toBe('16 Nov')
  expect(stepName('month', '2026-11-01', '2026-11-24')).toBe('Nov 2026\n(so far)')
})

test('a period that has not ended was said to go to its last day', { tags: ['full'] }, async () => {
  const month = isoOf(testNow).slice(0, 7)
  const { stdout } = await ask(['report', '--month', month, '--out', '-'])
  const [, end, last] = /to (\d\d \w+ \d{4}), \d\d:\d\d IST \(so far: the period ends on (\d\d \w+ \d{4})\)/.exec(
    stdout,
  )!
  expect(Date.parse(`${end!} UTC`)).toBeLessThan(Date.parse(`${last!} UTC`))
  expect(stdout).toContain('New Delhi and Delhi are two')
})

describe('text', () => {
  test('of any origin is escaped once', () => {
    expect(html`<p title="${'"\'<>&'}">${['<b>', html`<i>${'&amp;'}</i>`, 3, false, undefined]}</p>`.html).toBe(
      '<p title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;<i>&amp;amp;</i>3</p>',
    )
    expect(html`${'\u202e\u0000\n'}`.html).toBe('\\u{202e}\\u{0}⏎')
  })

  test('of customers, couriers and accounts is nowhere markup', { tags: ['full'] }, async () => {
    const page = (await ask(['report', '--out', '-', '--account', 'hostile <b>', '--store', hostile[0]!])).stdout
    expect(page).toContain('hostile &lt;b&gt;')
    const whole = (await ask(['report', '--out', '-', '--account', 'hostile <b>'])).stdout
    expect(whole).not.toMatch(/<script|<img|<b>document|\son\w+="|<style>\*/)
    expect(whole.split('\n').filter((line) => safe(line) !== line)).toEqual([])
    expect(whole.match(/<style>/g)).toHaveLength(1)
    // Names are cut in charts; a table has them whole.
    expect(whole).toContain(`<th scope="row">${'W'.repeat(300)}</th>`)
    for (const [, attributes] of whole.matchAll(/<text ([^>]*)>/g)) expect(attributes!.length).toBeLessThan(400)
  })
})

/* What is asked inside the page, as text: the project has no types of a browser. */

const fits = 'document.scrollingElement.scrollWidth <= innerWidth'
const openAll = 'document.querySelectorAll("details").forEach((one) => (one.open = true))'
const seen = '[...document.querySelectorAll("svg")].filter((svg) => svg.checkVisibility())'
/** Of each drawing that is seen: its role, whether it is named and described, and the height of its smallest text. */
const charts = `${seen}.map((svg) => ({
  role: svg.getAttribute('role'),
  told: svg.getAttribute('aria-labelledby').split(' ').every((id) => document.querySelectorAll('#' + id).length === 1 && document.getElementById(id).textContent !== ''),
  text: Math.min(...[...svg.querySelectorAll('text')].map((text) => parseFloat(text.style.fontSize) * svg.getScreenCTM().a)),
}))`
const fault = (text: string): string =>
  `new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xhtml+xml').querySelector('parsererror')?.textContent ?? 'none'`
/** How much text stands out from what it lies on, by WCAG. */
const contrasts = `(() => {
  const style = getComputedStyle(document.documentElement)
  const light = (name) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(style.getPropertyValue(name).trim().slice(at, at + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pairs = [['--ink', '--panel'], ['--soft', '--panel'], ['--soft', '--page'], ['--ink', '--wash'], ['--accent', '--page'], ['--on-good', '--good']]
  return pairs.map(([a, b]) => [a, b, (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)])
})()`

// A browser is no package of ours: where the system has none, the rest of this file still holds.
describe.skipIf(!existsSync(chromiumPath))('in a browser', { tags: ['full'] }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    const reports = { seeded: [], hostile: ['--account', 'hostile <b>'], empty: ['--search', 'nobody-at-all'] }
    for (const [name, more] of Object.entries(reports))
      expect((await ask(['report', '--out', `${name}.html`, ...more])).exit).toBe(0)
  })
  afterAll(() => browser.close())

  /** Opens a report, and checks that it stands alone. */
  async function opened(
    name: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const [said, requests]: [string[], string[]] = [[], []]
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('request', (request) => requests.push(request.url()))
    const url = pathToFileURL(join(box.folder, `${name}.html`)).href
    await page.goto(url)
    await look(page)
    expect([said, requests]).toEqual([[], [url]])
    await context.close()
  }

  const views: readonly (readonly [string, BrowserContextOptions])[] = [
    ['a desk in the light', { viewport: { width: 1280, height: 900 } }],
    ['a desk in the dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['a phone', { viewport: { width: 390, height: 844 } }],
    ['a small phone in the dark', { viewport: { width: 320, height: 600 }, colorScheme: 'dark' }],
  ]
  const all = ['seeded', 'hostile', 'empty'] as const
  const each = views.flatMap(([view, options]) => all.map((name) => [name, view, options] as const))

  test.each(each)('the %s report on %s asks for nothing, says nothing and fits', async (name, _, options) => {
    await opened(name, options, async (page) => {
      expect(await page.evaluate<boolean>(fits)).toBe(true)
      await page.evaluate(openAll)
      expect(await page.evaluate<boolean>(fits)).toBe(true)
      expect(await page.title()).toMatch(/^Shipping report of /)
      const found = await page.evaluate<readonly { role: string; told: boolean; text: number }[]>(charts)
      for (const { role, told, text } of found) expect([role, told, text > 9]).toEqual(['img', true, true])
      expect(found).toHaveLength({ seeded: 10, hostile: 9, empty: 0 }[name])
    })
  })

  test.each(all)('the %s page is well-formed, and its text stands out from what is behind it', async (name) => {
    const text = readFileSync(join(box.folder, `${name}.html`), 'utf8')
    for (const [, options] of views.slice(0, 2))
      await opened(name, options, async (page) => {
        expect(await page.evaluate<string>(fault(text))).toBe('none')
        for (const [a, b, ratio] of await page.evaluate<readonly [string, string, number][]>(contrasts))
          expect([a, b, ratio >= 4.5]).toEqual([a, b, true])
      })
  })

  test('it prints, on paper that is light also for those who read in the dark', async () => {
    await opened('seeded', { colorScheme: 'dark', viewport: { width: 703, height: 1000 } }, async (page) => {
      expect((await page.pdf({ format: 'A4', printBackground: true })).subarray(0, 5).toString()).toBe('%PDF-')
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
      expect(await page.evaluate(`${seen}.length`)).toBe(10)
    })
  })
})
