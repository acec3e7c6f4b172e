// Defends `--courier` with a part of a name at a service, which has no list of its couriers: what lists and pulls have seen
// counts, and shipx says what it took a word for, and what it could not know.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let box: Sandbox
beforeAll(async () => {
  service = await startService()
  // The two old couriers are not among the newest 100.
  const records = Array.from({ length: 103 }, (_, i) => {
    const name = ['Kite Air', 'Kite Surface'][i] ?? 'Delta'
    const carrier = { id: name.replace(' ', '-'), name }
    const attributes = {
      created_at: new Date(Date.UTC(2026, 8, 1, 0, i)).toISOString(),
      tracking_number: `T${i}`,
      carrier,
    }
    return { id: `s-${i}`, type: 'shipment', attributes } as unknown as Shipment
  })
  await service.engine.save('shipment', records)
})
afterAll(() => service.close())
beforeEach(() => {
  box = sandbox()
  return () => box.remove()
})

const ask = (line: string): Promise<Outcome> =>
  box.shipx(line.split(' '), { env: { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key } })

test('a courier that is in no recent record was refused as being in no record at all', async () => {
  const { exit, stdout, stderr } = await ask('shipments list --courier kite')
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(
    `--courier: "kite" isn't a courier in the newest 100 records of this account, nor the id of one: give its id.`,
  )
  const known = await ask('shipments list --courier Kite-Air --ids')
  expect([known.exit, known.stdout]).toEqual([0, 's-0\n'])
})

test.each(['shipments list --sort-order asc --limit 5', 'shipments list --limit 200 --csv', 'pull -q'])(
  'a courier that `%s` saw was unknown to --courier by a part of its name, and what it stands for was not said',
  async (line) => {
    expect((await ask(line)).exit).toBe(0)
    const found = await ask('shipments list --courier kite')
    expect([found.exit, found.stdout.match(/\bT\d+\b/g)]).toEqual([0, ['T1', 'T0']])
    expect(found.stderr).toContain(
      '--courier kite: Kite Air, Kite Surface, of the couriers that shipx has seen at the service',
    )
    const whole = await ask('shipments list --courier kite_air,Delta --limit 1')
    expect(whole.stderr).not.toContain('of the couriers that shipx has seen')
    const data = await ask('shipments list --courier kite --json')
    expect([data.exit, data.stderr]).toEqual([0, ''])
  },
)
