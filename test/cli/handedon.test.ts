// Defends bytes that a listing hands on while it reads the next ones: every record, whole and in order, wherever they go.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

const db = join(box.folder, 'many.sqlite')
const total = 1700
/** Two of three records have nothing that is escaped; every piece of 500 is larger than a pipe holds. */
const record = (n: number): string =>
  JSON.stringify({
    id: `H-${n}`,
    type: 'shipment',
    attributes: {
      tracking_number: `77${n}`,
      status: 'pending',
      created_at: `2026-09-${String(1 + (n % 28)).padStart(2, '0')}T04:30:00Z`,
      shipping_address: { name: n % 3 === 0 ? 'अनिता ₹ \u200e' : `Customer ${n}`, city: 'Pune' },
      note: 'x'.repeat(400),
    },
  })
const escaped = (n: number): string => record(n).replace('\u200e', '\\u200e')
const list = ['shipments', 'list', '--all', '--jsonl', '--db', db]
let expected: readonly string[] = []

beforeAll(async () => {
  box.file('many.jsonl', Array.from({ length: total }, (_, n) => `${record(n)}\n`).join(''))
  expect((await box.shipx(['local', 'import', 'shipments', 'many.jsonl', '--db', db])).exit).toBe(0)
  const { stdout } = await box.shipx(['shipments', 'list', '--all', '--ids', '--db', db])
  expected = stdout
    .trimEnd()
    .split('\n')
    .map((id) => escaped(Number(id.slice(2))))
  expect(new Set(expected).size).toBe(total)
})

test('a file, a pipe and jq get the same records', { tags: ['full'] }, async () => {
  const piped = await box.shipx(list)
  expect(piped.stdout).toBe(`${expected.join('\n')}\n`)
  const file = await box.bash(`shipx ${list.join(' ')} > listed.jsonl && cat listed.jsonl`)
  expect(file.stdout).toBe(piped.stdout)
  const ids = await box.shipx([...list, '--jq', '.id'])
  expect(ids.stdout.trimEnd().split('\n')).toEqual(expected.map((line) => (JSON.parse(line) as { id: string }).id))
})

test(
  'JSON took four times as long as JSON Lines: it hands on the same bytes as one list',
  { tags: ['full'] },
  async () => {
    const asked = ['shipments', 'list', '--all', '--json', '--db', db]
    const { stdout } = await box.shipx(asked)
    const begins = `{"data":[${expected.join(',')}],"meta":`
    expect(stdout.slice(0, begins.length)).toBe(begins)
    const { meta } = JSON.parse(stdout) as { meta: object }
    const last = JSON.parse(expected.at(-1)!) as { id: string; attributes: { created_at: string } }
    expect(meta).toEqual({
      current_page: 1,
      per_page: total,
      total,
      next_search_after: [String(Date.parse(last.attributes.created_at)), last.id],
    })
    const file = await box.bash(`shipx ${asked.join(' ')} > listed.json && cat listed.json`)
    expect(file.stdout).toBe(stdout)
    expect((await box.shipx([...asked, '--jq', '.data | length'])).stdout).toBe(`${total}\n`)
    const none = await box.shipx([...asked, '--search', 'nothing-has-this'])
    expect((JSON.parse(none.stdout) as { data: object[] }).data).toEqual([])
  },
)

test('a sheet is the same in a file and for a slow reader', { tags: ['full'] }, async () => {
  for (const format of ['--csv', '--tsv', '--json']) {
    const asked = ['shipments', 'list', '--all', format, '--db', db]
    const file = await box.bash(`shipx ${asked.join(' ')} > listed.out && cat listed.out`)
    const { child, ended } = box.begin(asked)
    child.stdout.pause()
    await wait(500)
    child.stdout.resume()
    expect((await ended).stdout).toBe(file.stdout)
    expect(file.stdout).toContain('अनिता ₹')
    if (format === '--json') continue
    const lines = file.stdout.trimEnd().split('\n').slice(1)
    expect(lines.map((line) => line.split(format === '--csv' ? ',' : '\t')[0])).toEqual(
      expected.map((text) => (JSON.parse(text) as { id: string }).id),
    )
  }
})

test(
  'a reader that is slow gets all of them, and one that leaves ends the listing in silence',
  { tags: ['full'] },
  async () => {
    const { child, ended } = box.begin(list)
    child.stdout.pause()
    await wait(500)
    child.stdout.resume()
    expect((await ended).stdout).toBe(`${expected.join('\n')}\n`)
    const left = box.begin(list)
    await once(left.child.stdout, 'data')
    left.child.stdout.destroy()
    const { stderr, exit } = await left.ended
    expect([stderr, exit]).toEqual(['', 0])
  },
)
