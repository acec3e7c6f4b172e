// Defends that a label is the same wherever its parcel is kept, and that what was printed is remembered there.
// @module-tag full: the same labels from five places
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { parcel } from '../support/deliveries.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'
import { testDatabase } from '../support/testdatabase.ts'

const records: readonly Shipment[] = ['p1', 'p2', 'p3'].map((id) => parcel(id, { cod_amount: 499, is_cod: true }))
const awbs = ['AWBp1', 'AWBp2', 'AWBp3']

let box: Sandbox
let service: TestService
let there: Record<string, string>
beforeEach(async () => {
  box = sandbox()
  service = await startService({ readers: 0 })
  await service.engine.save('shipment', records)
  there = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
})
afterEach(async () => {
  await service.close()
  box.remove()
})

const imported = async (env: Record<string, string>): Promise<void> => {
  const path = box.file('records.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  expect(await box.shipx(['local', 'import', 'shipments', path, '--yes'], { env })).toMatchObject({ exit: 0 })
}

/** The file of labels that a place gives, and what was said. */
async function labels(env: Record<string, string>, ...more: readonly string[]): Promise<readonly [Buffer, string]> {
  const args = ['orders', 'label', ...awbs, '--out', 'labels.pdf', '--force', ...more]
  const { exit, stderr } = await box.shipx(args, { env })
  expect([stderr, exit]).toEqual([expect.any(String), 0])
  return [readFileSync(join(box.folder, 'labels.pdf')), stderr]
}

test.each([['--size', '4x6'], ['--size', 'a4'], ['--zpl']])(
  'SQLite, PostgreSQL, a deployment and its mirror: the same bytes: %j',
  async (...form) => {
    const postgres = await testDatabase()
    onTestFinished(() => postgres.drop())
    const onPostgres = { SHIPX_DATABASE_URL: postgres.url }
    await imported({})
    await imported(onPostgres)
    const [first] = await labels({}, ...form)
    expect(first.length).toBeGreaterThan(500)
    expect((await labels(onPostgres, ...form))[0].equals(first)).toBe(true)
    expect((await labels(there, ...form))[0].equals(first)).toBe(true)
    expect(await box.shipx(['pull'], { env: there })).toMatchObject({ exit: 0 })
    expect((await labels(there, '--local', ...form))[0].equals(first)).toBe(true)
  },
)

test('what was printed is remembered where the records are, and beside a deployment: its mirror knows too', async () => {
  const postgres = await testDatabase()
  onTestFinished(() => postgres.drop())
  const onPostgres = { SHIPX_DATABASE_URL: postgres.url }
  await imported(onPostgres)
  const again = ['orders', 'label', ...awbs, 'AWBp2', '--not-printed', '--out', 'again.pdf']
  for (const env of [onPostgres, there]) {
    await labels(env)
    const { exit, stderr } = await box.shipx(again, { env })
    expect([exit, stderr]).toEqual([0, expect.stringContaining('3 parcels were printed before; shipx wrote no label')])
  }
  // Nothing was pulled yet: the copy holds what was printed alone.
  await box.shipx(['pull'], { env: there })
  const { exit, stderr } = await box.shipx([...again, '--local'], { env: there })
  expect([exit, stderr]).toEqual([0, expect.stringContaining('3 parcels were printed before; shipx wrote no label')])
})
