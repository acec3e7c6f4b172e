// Defends what shipx asks about a contract: each price once, in the words of its paper, and nothing saved without a yes.
// @module-tag full: a terminal for each form of a contract
import { expect, test } from 'vitest'
import { keys } from '../../support/pty.ts'
import { answers, freshBox, on, wide } from './terminals.ts'

const paper = [
  ['? Name of the rate card', 'offer'],
  ['? GST, percent', '18'],
  ['? Name of the courier', 'Road Express'],
  ['? Weight of the first slab', ''],
  ['First slab, Zone A', '32'],
  ['First slab, Zone B', '38'],
  ['First slab, Zone C', '48'],
  ['First slab, Zone D', '₹54'],
  ['First slab, Zone E', ''],
  ['? Weight of each further slab', '500g'],
  ['Each further slab, Zone A', '26'],
  ['Each further slab, Zone B', '30'],
  ['Each further slab, Zone C', '38'],
  ['Each further slab, Zone D', '42'],
  ['? RTO, percent', ''],
  ['? COD, least fee', '40'],
  ['? COD, percent', '1.8%'],
  ['? Fuel surcharge', '12'],
  ['? Divisor', ''],
] as const

test('ratecard create asks for the prices of a courier, shows the card and saves it after a yes', async () => {
  const own = freshBox()
  const terminal = on(['ratecard', 'create', '--use'], wide, own)
  await answers(terminal, paper)
  await terminal.shows('? Another courier?')
  terminal.type(keys.enter)
  const screen = await terminal.shows('? Save rate card offer on this computer?')
  expect(screen).toMatch(/Road Express +standard +forward +500 \+ 500 g +32 \+ 26/)
  expect(screen).toContain('COD: max(₹40.00, 1.8 %)')
  expect(screen).toContain('Filled in: no returns')
  terminal.type(`y${keys.enter}`)
  expect(await terminal.ended()).toBe(0)
  expect(terminal.screen()).toContain('Saved rate card offer on this computer, 1 service, in use from now on')
  const { stdout } = await own.bash(
    'shipx rates --from 400001 --to 560001 -w 1200g -s 10x10x10 --cod 3000 --jsonl -q --fields charges',
  )
  expect(JSON.parse(stdout)).toMatchObject({ charges: { total_forward_charges: 192.88 } })
})

test('a wrong price is asked again, and a no saves nothing', async () => {
  const own = freshBox()
  const terminal = on(['ratecard', 'create', 'offer'], wide, own)
  await answers(terminal, paper.slice(1, 3))
  await terminal.shows('? Weight of the first slab')
  terminal.type(`0.5${keys.enter}`)
  await terminal.shows('✗ 0.5 what? Write 0.5kg or 0.5g')
  terminal.type(`kg${keys.enter}`)
  await terminal.shows('First slab, Zone A')
  terminal.type(`cheap${keys.enter}`)
  await terminal.shows('✗ "cheap" is not an amount in rupees')
  terminal.type(`${keys.back.repeat(5)}32${keys.enter}`)
  await answers(terminal, paper.slice(5))
  await terminal.shows('? Another courier?')
  terminal.type(keys.enter)
  await terminal.shows('? Save rate card offer')
  terminal.type(`n${keys.enter}`)
  expect(await terminal.ended()).toBe(130)
  expect((await own.shipx(['ratecard', 'list', '--ids'])).stdout).toBe('sample\n')
})

test('zones import asks what a zone counts in', async () => {
  const own = freshBox()
  await own.bash('shipx ratecard template > card.csv; shipx ratecard import card.csv')
  own.file('zones.csv', 'pincode,zone\n560001,A\n797112,F\n')
  const terminal = on(['ratecard', 'zones', 'import', 'zones.csv', '--card', 'card', '--origin', '400001'], wide, own)
  await terminal.shows('? Zone F counts in')
  terminal.type(`${keys.up}${keys.enter}`)
  await terminal.shows('Imported zones').catch(() => undefined)
  await terminal.ended()
  const { stdout } = await own.shipx(['ratecard', 'export', 'card'])
  const { zone_tables: tables } = JSON.parse(stdout) as { zone_tables: { zones: object }[] }
  expect(Object.keys(tables[0]!.zones)).toEqual(['A', 'F'])
})
