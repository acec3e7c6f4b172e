// `shipx courier policy`: what is published, what the account set, and the way back; on both databases and in a copy.
// @module-tag full: on both databases and in a copy
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { policyOf, termsFor } from '../../src/domain/money/policies.ts'
import { sandbox } from '../support/sandbox.ts'
import { testDatabase } from '../support/testdatabase.ts'

const box = sandbox()
afterAll(() => box.remove())

interface Term {
  readonly courier: string
  readonly field: string
  readonly value: string
  readonly status: string
  readonly source: string | null
  readonly read_on: string | null
  readonly set_at: string | null
}

const policy = async (...words: readonly string[]): Promise<readonly Term[]> => {
  const { exit, stdout, stderr } = await box.shipx(['courier', 'policy', ...words, '--json'])
  expect([exit, stderr]).toEqual([0, expect.any(String)])
  return (JSON.parse(stdout) as { data: readonly Term[] }).data
}
const valuesOf = (terms: readonly Term[]) => Object.fromEntries(terms.map(({ field, value }) => [field, value]))

describe('a policy', () => {
  test('that nobody set has the page that says each value, and says that it is no contract', async () => {
    const all = await policy()
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['default, not your contract']))
    for (const { value, source, read_on: read } of all)
      if (value !== 'none') expect([source, read]).toEqual([expect.stringMatching(/^https:\/\//), '2026-11-24'])
    const usual = valuesOf(all.filter(({ courier }) => courier === 'default'))
    expect(usual).toMatchObject({ weight_window: '72 hours', claim_window: '48 hours', cod_cycle: '8 working_days' })
    expect(valuesOf(await policy('Shiprocket'))).toMatchObject({
      weight_window: '4 days',
      cod_days: 'mon,wed,fri',
      early_cod: '0.99%',
      liability: 'min(2000, value)',
    })
    // A courier that publishes nothing has the shortest of all.
    expect(valuesOf(await policy('Nobody Knows'))).toEqual(usual)
  })

  test('is set, kept in one form, and taken back term by term or whole', async () => {
    const words = [
      'weight_window=7 working days',
      'weight-from=invoice',
      'liability=₹5,000.50',
      'cod_days=fri, mon',
      'early_cod=0.990',
      'fuel=none',
    ]
    const dry = await box.shipx(['courier', 'policy', 'set', 'Delhivery', ...words, '--dry-run', '--json'])
    expect([dry.exit, dry.stdout]).toEqual([0, expect.stringContaining('"value":"7 working_days"')])
    expect((await policy('Delhivery')).every(({ set_at: at }) => at === null)).toBe(true)

    expect((await box.shipx(['courier', 'policy', 'set', 'Delhivery', ...words])).exit).toBe(0)
    const set = (await policy('Delhivery Surface')).filter(({ status }) => status === 'your contract')
    expect(valuesOf(set)).toEqual({
      weight_window: '7 working_days',
      weight_from: 'invoice',
      liability: 'min(5000.50, value)',
      cod_days: 'mon,fri',
      early_cod: '0.99%',
      fuel: 'none',
    })
    // A longer name with a policy of its own goes first.
    expect((await box.shipx(['courier', 'policy', 'set', 'Delhivery Surface', 'weight_window=2d'])).exit).toBe(0)
    expect(valuesOf(await policy('Delhivery  SURFACE'))).toMatchObject({ weight_window: '2 days', cod_days: 'mon,fri' })
    expect(valuesOf(await policy('Delhivery'))).toMatchObject({ weight_window: '7 working_days' })

    expect((await box.shipx(['courier', 'policy', 'set', 'delhivery', 'weight_window=default'])).exit).toBe(0)
    expect((await policy('Delhivery')).find(({ field }) => field === 'weight_window')).toMatchObject({
      value: '72 hours',
      set_at: null,
    })
    expect((await box.shipx(['courier', 'policy', 'remove', 'Delhivery', '--dry-run'])).exit).toBe(0)
    expect(valuesOf(await policy('Delhivery'))).toMatchObject({ cod_days: 'mon,fri' })
    for (const name of ['Delhivery', 'Delhivery Surface'])
      expect((await box.shipx(['courier', 'policy', 'remove', name])).exit).toBe(0)
    expect((await policy()).every(({ set_at: at }) => at === null)).toBe(true)
    expect((await box.shipx(['courier', 'policy', 'remove', 'Delhivery'])).exit).toBe(3)
  })

  test('that cannot be read is refused whole, with each fault', async () => {
    const bad = [
      'weight_window=0d',
      'weigth_from=invoice',
      'claim_window=soon',
      'pod_window',
      'cod_days=',
      'early_cod=101',
      'liability=-5',
      'cod_on_rto=kept',
      'fuel=1',
      'fuel=2',
    ]
    const { exit, stderr } = await box.shipx(['courier', 'policy', 'set', 'Delhivery', ...bad, '--json'])
    const { error } = JSON.parse(stderr) as { error: { details: readonly { message: string }[] } }
    expect([exit, error.details.map(({ message }) => message.split(':')[0])]).toEqual([
      2,
      [
        'weight_window',
        'there is no field weigth_from. Did you mean weight_from?',
        'claim_window',
        'pod_window needs a value',
        'cod_days',
        'early_cod',
        'liability',
        'cod_on_rto',
        'fuel is given twice',
      ],
    ])
    for (const name of ['', '***', 'default', 'x'.repeat(101)])
      expect((await box.shipx(['courier', 'policy', 'set', name, 'fuel=1'])).exit, name).toBe(2)
    expect((await policy()).every(({ set_at: at }) => at === null)).toBe(true)
  })

  test('set by two processes at once keeps the terms of both', async () => {
    const set = (term: string) => box.shipx(['courier', 'policy', 'set', 'Ekart', term])
    const both = await Promise.all(['weight_window=5d', 'cod_cycle=2d', 'pod_window=9d'].map(set))
    expect(both.map(({ exit }) => exit)).toEqual([0, 0, 0])
    const expected = { weight_window: '5 days', cod_cycle: '2 days', pod_window: '9 days' }
    expect(valuesOf(await policy('Ekart'))).toMatchObject(expected)
    // A copy of the database has them.
    const [from, to] = [`${box.folder}/data/shipx.sqlite`, `${box.folder}/copy.sqlite`]
    expect((await box.shipx(['local', 'copy', '--from', from, '--to', to])).exit).toBe(0)
    const copy = await box.shipx(['courier', 'policy', 'Ekart', '--json', '--db', to])
    expect(valuesOf((JSON.parse(copy.stdout) as { data: readonly Term[] }).data)).toMatchObject(expected)
  })

  test('is the same on PostgreSQL', { tags: ['full'] }, async () => {
    const postgres = await testDatabase()
    onTestFinished(() => postgres.drop())
    const env = { SHIPX_DATABASE_URL: postgres.url }
    const words = ['courier', 'policy', 'set', 'Delhivery', 'weight_window=7wd']
    expect((await box.shipx(words, { env })).exit).toBe(0)
    const { stdout } = await box.shipx(['courier', 'policy', 'Delhivery', '--json'], { env })
    expect(valuesOf((JSON.parse(stdout) as { data: readonly Term[] }).data)).toMatchObject({
      weight_window: '7 working_days',
    })
  })
})

test('a term that a newer shipx kept, and that this one cannot read, is the published one', () => {
  const own = [{ courier: 'Delhivery', values: { weight_window: { value: '3 moons', at: 0 } } }]
  expect(policyOf('Delhivery', own).weight_window).toEqual({ count: 72, unit: 'hours' })
  expect(termsFor('Delhivery', own)[0]).toMatchObject({ value: '3 moons', setAt: 0 })
})
