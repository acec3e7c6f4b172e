// Stores that deployments answer in their own way, ids as people type them, and changes that change nothing.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
  box.remove()
})

interface Shown {
  readonly id: string
  readonly updated_at: string
}

/** The store of a JSON answer. */
const shown = (stdout: string): Shown => (JSON.parse(stdout) as { data: Shown }).data

test('a store that a deployment answers without its status is created without "undefined"', async () => {
  const store = { id: '5f0c7a52-6f0b-4f5c-9a53-0d6a4c7f9a01', store_name: 'acme', brand_name: null }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: request.method === 'POST' ? store : [] }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const env = {
    SHIPX_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SHIPX_API_KEY: 'a-key-of-a-test-account',
  }
  const created = await box.shipx(['stores', 'create', '--name', 'acme'], { env })
  expect([created.exit, created.stderr]).toEqual([0, expect.stringContaining('Created store acme')])
  expect(created.stdout + created.stderr).not.toContain('undefined')
})

test(
  'a store is found by its id in upper case, and one that is connected already does not change',
  { tags: ['full'] },
  async () => {
    const { id, updated_at } = shown((await box.shipx(['stores', 'create', '--name', 'kids', '--json'])).stdout)
    const found = await box.shipx(['stores', 'get', id.toUpperCase(), '--json'])
    expect([found.exit, shown(found.stdout).id]).toEqual([0, id])
    const later = { env: { SHIPX_NOW: '2026-09-30T08:30:00Z' } }
    const again = await box.shipx(['stores', 'connect', 'kids', '--json'], later)
    expect([again.exit, shown(again.stdout).updated_at]).toEqual([0, updated_at])
    const changed = await box.shipx(['stores', 'disconnect', 'kids', '--json', '--yes'], later)
    expect(shown(changed.stdout).updated_at).not.toBe(updated_at)
  },
)
