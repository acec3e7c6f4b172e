// What strangers stumbled over with rate cards: files that are no price list, one version of a card, zones that nothing
// leads to.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { workbook } from '../../support/workbook.ts'
import { first } from '../../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())
const file = (name: string, ...lines: readonly string[]): string => {
  writeFileSync(join(box.folder, name), `${lines.join('\n')}\n`)
  return name
}
const said = async (...args: readonly string[]) => {
  const { exit, stderr } = await box.shipx(args)
  return [exit, stderr]
}
const header = 'courier,zone_a,zone_a_step,zone_b,zone_b_step,zone_c,zone_c_step,zone_d,zone_d_step'

beforeAll(async () => {
  expect((await box.shipx(['ratecard', 'import', file('road.csv', header, 'Road,30,25,35,30,40,35,52,44')])).exit).toBe(
    0,
  )
})

test('a letter is named as no price list at every door, with the template', { tags: ['full'] }, async () => {
  file('letter.txt', 'Dear Sir, please find our prices.')
  const parcel = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '10x10x10', '--prepaid']
  for (const door of [
    ['ratecard', 'import'],
    ['ratecard', 'check'],
    ['ratecard', 'diff', 'road'],
    [...parcel, '--card'],
  ])
    expect(await said(...door, 'letter.txt')).toEqual([
      2,
      expect.stringMatching(/this is not a price list: .*\n→ for a sheet to fill in: shipx ratecard template/),
    ])
})

test('a file named .xlsx is read by its first bytes', async () => {
  writeFileSync(join(box.folder, 'scan.xlsx'), '%PDF-1.4\n')
  writeFileSync(join(box.folder, 'torn.xlsx'), Buffer.from([0xff, 0x00, 0xc3, 0x28]))
  expect(await said('ratecard', 'check', 'scan.xlsx')).toEqual([2, expect.stringContaining('scan.xlsx is a PDF')])
  expect(await said('ratecard', 'check', 'torn.xlsx')).toEqual([
    2,
    expect.stringContaining('torn.xlsx is neither an Excel workbook nor text, by its first bytes'),
  ])
  file('text.xlsx', header, 'Road,30,25,35,30,40,35,52,44')
  expect(await said('ratecard', 'check', 'text.xlsx')).toEqual([0, expect.stringContaining('text is sound: 1 service')])
})

test(
  'one version of a card is shown and removed by its first day, and the version before goes on',
  { tags: ['full'] },
  async () => {
    for (const [from, price] of [
      ['2026-11-01', '60'],
      ['2027-01-01', '70'],
    ])
      await box.shipx([
        'ratecard',
        'import',
        file('new.csv', header, `Road,30,25,35,30,40,35,${price!},44`),
        '--name',
        'road',
        '--valid-from',
        from!,
      ])
    const { stdout } = await box.shipx(['ratecard', 'show', 'road@2026-12-24', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ valid_from: '2026-11-01', valid_to: '2026-12-31' })
    expect(await said('ratecard', 'remove', 'road@2026-12-24', '--yes')).toEqual([
      3,
      '✗ road has no version from 2026-12-24; it has road@beginning, road@2026-11-01, road@2027-01-01\n' +
        '→ shipx ratecard versions road\n',
    ])
    const remove = ['ratecard', 'remove', 'road@2026-11-01']
    const what = 'the version of rate card road from 2026-11-01 to 2026-12-31 on this computer'
    expect(await said(...remove)).toEqual([
      8,
      expect.stringContaining(`remove ${what} (the version before is valid then)`),
    ])
    expect(await said(...remove, '--yes')).toEqual([0, `✓ Removed ${what}; the version before is valid then\n`])
    const { stdout: left } = await box.shipx([
      'ratecard',
      'versions',
      'road',
      '--csv',
      '--fields',
      'valid_from,valid_to',
    ])
    expect(left).toBe('valid_from,valid_to\n,2026-12-31\n2027-01-01,\n')
    await box.shipx(['ratecard', 'remove', 'road@2027-01-01', '--yes'])
    expect(await said('ratecard', 'remove', 'road@beginning', '--yes')).toEqual([
      5,
      '✗ it is the only version of road\n→ shipx ratecard remove road\n',
    ])
  },
)

test('the zones of a card are on a screen of 80 columns', async () => {
  const { stdout, stderr } = await box.shipx(['ratecard', 'show', 'sample'], {
    env: { SHIPX_FORCE_TTY: '80', NO_COLOR: '1' },
  })
  expect(stdout).toMatch(/COURIER +JOURNEY +ZONE A +ZONE B +ZONE C +ZONE D +ZONE E\n/)
  expect(stdout).toMatch(/SwiftAir +forward +42 \+ 36 +55 \+ 49 +78 \+ 72 +92 \+ 86 +118 \+ 110\n/)
  expect(stderr).toBe('hidden: service, slab (--wide)\n')
})

test.each(
  first(1, [
    ['Handling above 10kg', /only the full form, JSON, has a surcharge under conditions \("when"/],
    ['COD slabs', /only the full form, JSON, has COD fees by value \("cod"/],
    ['kg_per_cft', /only the full form, JSON, has rules of weight/],
    ['Valid from', /is not a column of a card: give the first day with --valid-from/],
  ]),
)('the column %s of a contract leads to the form that has it', async (name, message) => {
  const [exit, stderr] = await said(
    'ratecard',
    'check',
    file('more.csv', `${header},${name}`, 'Road,1,1,2,2,3,3,4,4,5'),
  )
  expect([exit, stderr]).toEqual([2, expect.stringMatching(message)])
})

test(
  'the line above the prices names no zone that nothing is charged in, and --explain names the version',
  { tags: ['full'] },
  async () => {
    file('two.csv', header, 'Road,30,25,35,30,40,35,52,44', 'Other,30,25,35,30,40,35,52,44')
    await box.shipx(['ratecard', 'import', 'two.csv', '--valid-from', '2026-09-01', '--name', 'two'])
    file('own.csv', 'pincode,zone', '560001,D1', '400xxx,A')
    await box.shipx([
      'ratecard',
      'zones',
      'import',
      'own.csv',
      '--card',
      'two',
      '--origin',
      'any',
      '--courier',
      'Other',
    ])
    const parcel = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '10x10x10', '--prepaid']
    const shown = async (...more: readonly string[]) =>
      (await box.shipx([...parcel, '--card', 'two', ...more], { env: { SHIPX_FORCE_TTY: '100', NO_COLOR: '1' } }))
        .stdout
    const text = await shown('--explain')
    expect(text).toContain('prepaid · zones differ by courier\n')
    expect(text).toMatch(/Road +standard +Zone C +₹/)
    expect(text).toMatch(/Other +standard +D1 +₹/)
    expect(text).toContain('Card two, valid from 2026-09-01\n')
    await box.shipx(['ratecard', 'zones', 'import', 'own.csv', '--card', 'two', '--origin', 'any', '--courier', 'Road'])
    expect(await shown()).toContain("prepaid · courier's own zone D1\n")
  },
)

test('the sheet of a workbook of --card is named, also with a file of parcels', { tags: ['full'] }, async () => {
  writeFileSync(
    join(box.folder, 'book.xlsx'),
    workbook([
      { name: 'Notes', rows: [['Our prices']] },
      { name: 'Prices', rows: [header.split(','), ['Road', 30, 25, 35, 30, 40, 35, 52, 44]] },
    ]),
  )
  file('parcels.csv', 'ref,from,to,weight,payment', '1,400001,560001,500g,prepaid')
  const many = ['rates', '--file', 'parcels.csv', '--card', 'book.xlsx', '--csv', '--fields', 'total', '-q']
  expect((await box.shipx(many)).exit).toBe(2)
  expect((await box.shipx([...many, '--card-sheet', 'Prices'])).stdout).toBe('total\n40\n')
  expect(await said('rates', '--card-sheet', 'Prices', '--file', 'parcels.csv')).toEqual([
    2,
    '✗ --card-sheet: goes with --card\n',
  ])
})

test('places without their flags lead to the flags', async () => {
  expect(await said('rates', '110001', '560001')).toEqual([
    2,
    expect.stringContaining('→ a place is a pincode after its flag: --from 110001 --to 560001'),
  ])
})

test('a misspelt zone is named, and that no pincode leads to the prices of the card', async () => {
  file('typo.csv', header.replaceAll('zone_b', 'zone b1'), 'Road,30,25,35,30,40,35,52,44')
  const [exit, stderr] = await said('ratecard', 'check', 'typo.csv')
  expect(exit).toBe(0)
  expect(stderr).toContain('! the zones A, b1, C, D of typo have no pincodes yet, so no pincode leads to their prices')
  expect(stderr).toContain('! "b1" is none of the five zones: is it Zone B misspelt?')
})

test('places and meanings that a new sheet of zones takes away are warned of', { tags: ['full'] }, async () => {
  await box.shipx(['ratecard', 'import', 'road.csv', '--name', 'drawn'])
  const zones = ['ratecard', 'zones', 'import', 'zones.csv', '--card', 'drawn', '--origin', '400001']
  file('zones.csv', 'pincode,zone', '400xxx,A', '411001-411004,B', '560001,F')
  expect((await said(...zones, '--zone-map', 'F=zone_d'))[0]).toBe(0)
  file('zones.csv', 'pincode,zone', '400001,A', '400002,A', '411001-411002,B', '560001,F')
  const [exit, stderr] = await said(...zones, '--zone-map', 'F=zone_c')
  expect(exit).toBe(0)
  expect(stderr).toMatch(
    /! the sheet lacks \d+ pincodes that the card had from 400001 \(400003, .*: they have no zone now/,
  )
  expect(stderr).toContain('! zone F counts as zone_c now, not as zone_d')
  const { stdout } = await box.shipx(['ratecard', 'export', 'drawn', '--csv'])
  const again = await said(
    'ratecard',
    'import',
    file('small.csv', stdout.trim()),
    '--name',
    'drawn',
    '--zone-map',
    'F=zone_d',
  )
  expect(again).toEqual([0, expect.stringContaining('! zone F counts as zone_d now, not as zone_c')])
})

test('what you pay with GST was for the table alone: a sheet for Excel has it, and fields of the API do not', async () => {
  const parcel = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '10x10x10', '--prepaid', '--gst']
  const { exit, stdout } = await box.shipx([...parcel, '--limit', '1', '--excel', '--card', 'road'])
  const [head, cells] = stdout
    .slice(1)
    .split(/\r?\n/)
    .map((line) => line.split(','))
  const cell = (name: string): number => Number(cells![head!.indexOf(name)])
  expect([exit, cell('Gst') > 0, cell('You pay')]).toEqual([0, true, cell('Total') + cell('Gst')])
  expect(await said(...parcel, '--csv')).toEqual([2, expect.stringMatching(/^✗ --gst: is for the table, --excel/)])
})
