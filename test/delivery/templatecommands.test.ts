// The commands for messages: templates come and go by file and stay with their store; a preview shows what was made.
// @module-tag full: a process for each command
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../support/pictures.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { orderRequest } from '../support/requests.ts'
import { driver } from '../support/sqlite.ts'

describe('the commands', () => {
  let bench: Sandbox
  const shipx = (...args: readonly string[]) => bench.shipx(args)
  beforeAll(async () => {
    bench = sandbox()
    bench.file('logo.png', '')
    writeFileSync(join(bench.folder, 'logo.png'), png(120, 40))
    expect(
      (await shipx('stores', 'create', '--name', 'acme-kids', '--brand', 'Acme Kids', '--logo', 'logo.png', '--json'))
        .exit,
    ).toBe(0)
  })
  afterAll(() => bench.remove())

  test('export, check, import, list, use and remove; a store that is renamed keeps its template', async () => {
    const preview = async (store: string, ...more: readonly string[]) =>
      (await shipx('messages', 'preview', '--step', 'shipped', '--store', store, '--text', ...more)).stdout.trim()
    expect((await shipx('messages', 'template', 'export', '--out', 'en.txt')).exit).toBe(0)
    const text = readFileSync(join(bench.folder, 'en.txt'), 'utf8').replace('Good news', 'Hooray')
    bench.file('mine.txt', text)
    expect((await shipx('messages', 'template', 'check', 'mine.txt')).exit).toBe(0)
    const dry = await shipx('messages', 'template', 'import', 'mine.txt', '--store', 'acme-kids', '--dry-run')
    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: { import: 'acme-kids/en' } })
    expect(await preview('acme-kids')).toMatch(/^Acme Kids: Good news, Asha!/)
    expect((await shipx('messages', 'template', 'import', 'mine.txt', '--store', 'acme-kids')).exit).toBe(0)
    expect(await preview('acme-kids')).toMatch(/^Acme Kids: Hooray, Asha!/)
    expect((await shipx('stores', 'update', 'acme-kids', '--name', 'acme-baby', '--yes')).exit).toBe(0)
    expect(await preview('acme-baby')).toMatch(/^Acme Kids: Hooray, Asha!/)
    const { data } = JSON.parse((await shipx('messages', 'template', 'list', '--json')).stdout) as {
      readonly data: readonly { readonly name: string }[]
    }
    expect(data.map(({ name }) => name)).toEqual(['built-in/en', 'built-in/hi', 'acme-baby/en'])
    const used = await shipx('messages', 'template', 'use', 'hi', '--store', 'acme-baby')
    const said = 'From now on, messages of acme-baby are in Hindi on this computer'
    expect([used.exit, used.stderr]).toEqual([0, expect.stringContaining(said)])
    expect(await preview('acme-baby')).toMatch(/^Acme Kids: खुशखबरी, Asha!/)
    expect(await preview('acme-baby', '--language', 'en')).toMatch(/Hooray/)
    const unasked = await shipx('messages', 'template', 'remove', '--store', 'acme-baby', '--language', 'en')
    expect(unasked.exit).toBe(8)
    expect(
      (await shipx('messages', 'template', 'remove', '--store', 'acme-baby', '--language', 'en', '--yes')).exit,
    ).toBe(0)
    expect(await preview('acme-baby', '--language', 'en')).toMatch(/Good news/)
    expect((await shipx('messages', 'template', 'remove', '--language', 'en', '--yes')).exit).toBe(3)
    expect((await shipx('messages', 'template', 'export', '--store', 'nobody')).exit).toBe(3)
  })

  test('name every fault of a file by file, line and column, and take nothing of it', async () => {
    bench.file('bad.txt', 'language: en\n=== shipped text\nHi {{ custmer.name }}\n=== shiped html\n<p>\n')
    const { exit, stderr } = await shipx('messages', 'template', 'import', 'bad.txt', '--json')
    const { error } = JSON.parse(stderr) as {
      readonly error: { readonly details: readonly { readonly field: string; readonly message: string }[] }
    }
    expect([exit, error.details.map(({ field, message }) => `${field} ${message}`)]).toMatchInlineSnapshot(`
      [
        2,
        [
          "bad.txt:3:7 "custmer.name" is not a value of messages. Did you mean customer.name?",
          "bad.txt:4:1 "shiped html" is not a step. Did you mean shipped?",
        ],
      ]
    `)
    bench.file('bare.txt', '=== shipped text\nHi {{ order }}\n')
    expect((await shipx('messages', 'template', 'check', 'bare.txt')).exit).toBe(2)
    expect((await shipx('messages', 'template', 'check', 'bare.txt', '--language', 'hi')).exit).toBe(0)
  })

  test('preview a message that was made, in the brand that it was made with', async () => {
    const order = orderRequest({ order_id: 'A-7', order_date: '2026-09-29 13:00', store_name: 'acme-home' })
    bench.file('order.json', JSON.stringify(order))
    expect(
      (await shipx('stores', 'create', '--name', 'acme-home', '--brand', 'Acme Home', '--logo', 'logo.png')).exit,
    ).toBe(0)
    expect((await shipx('local', 'warehouse', 'set', 'WH1', '400001')).exit).toBe(0)
    const made = await shipx('orders', 'create', '--file', 'order.json', '--json')
    expect([made.exit, made.stderr]).toEqual([0, expect.any(String)])
    const { payload } = JSON.parse(made.stdout) as { readonly payload: { readonly awb_code: string } }
    expect((await shipx('local', 'track', payload.awb_code, 'picked_up', '--json')).exit).toBe(0)
    const database = new driver(join(bench.folder, 'data', 'shipx.sqlite'), { readonly: true })
    const messages = database.prepare('select id, step from messages order by id').all() as {
      id: string
      step: string
    }[]
    database.close()
    const { id } = messages.find(({ step }) => step === 'shipped')!
    expect((await shipx('stores', 'update', 'acme-home', '--brand', 'Other')).exit).toBe(0)
    const { stdout, exit } = await shipx('messages', 'preview', id, '--language', 'en', '--json', '--out', 'mail.html')
    const { data } = JSON.parse(stdout) as { readonly data: Readonly<Record<string, unknown>> }
    expect([exit, data]).toEqual([
      0,
      expect.objectContaining({
        step: 'shipped',
        language: 'en',
        brand_name: 'Acme Home',
        parts: { encoding: 'GSM-7', count: 1 },
        dlt: null,
      }),
    ])
    expect(data['text']).toMatch(/^Acme Home: Good news, Asha! Your order A-7 has been shipped with /)
    expect(readFileSync(join(bench.folder, 'mail.html'), 'utf8')).toBe(data['html'])
    expect((await shipx('messages', 'preview', id, '--out', 'mail.html')).exit).toBe(2)
    expect((await shipx('messages', 'preview', 'nope')).exit).toBe(3)
    expect((await shipx('messages', 'preview')).exit).toBe(2)
  })
})
