// Defends the examples: every line that help shows for a command is run as it stands, in a folder that has what it names,
// and ends as it should.
// @module-tag full: a process for each example
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tree } from '../../src/cli/commands/table.ts'
import { sandbox } from '../support/sandbox.ts'
import { shopifyExport } from '../support/exports.ts'
import { startService, type TestService } from '../support/service.ts'
import { orderRequest } from '../support/requests.ts'
import { secret } from '../support/deliveries.ts'
import { png } from '../support/pictures.ts'
import { workbook } from '../support/workbook.ts'

const box = sandbox()
let service: TestService
afterAll(async () => {
  await service.close()
  box.remove()
})

/** Lines that cannot be run here, with the reason. */
const notHere: Readonly<Record<string, string>> = {
  'shipx mcp': 'an assistant that asks; test/cli/mcp.test.ts',
  'shipx mcp --profile acme --local': 'as above',
  'shipx orders label ORD-1001 ORD-1002 --size a4 --out labels.pdf': 'orders with an AWB; test/cli/labels.test.ts',
  'shipx orders label --file awbs.txt --zpl --sort sku --out - > /dev/usb/lp0': 'a printer',
  'shipx orders manifest --courier blueline --warehouse WH1 --out manifest.pdf':
    'parcels that wait for a pickup; test/cli/labels.test.ts',
  'shipx orders manifest --courier blueline --warehouse WH1 --handed-over scanned.txt --out signed.pdf': 'as above',
  'shipx orders manifest --courier blueline --warehouse WH1 --csv': 'as above',
  'shipx local init --database postgres://shipx@db.internal/shipx --partitions 16':
    'a server of that name; test/engine/postgresserver.test.ts has one',
  'shipx local copy --from shipx.sqlite --to postgres://shipx@db.internal/shipx': 'as above; test/engine/copy.test.ts',
  'shipx local copy --from postgres://shipx@db.internal/shipx --to shipx.sqlite': 'as above; test/engine/copy.test.ts',
}

/** Lines that do not end with 0 where nobody sits at a terminal. */
const exits: Readonly<Record<string, number>> = {
  'shipx auth login --base-url https://api.example.com': 8,
  'shipx local cancel ORDER-1': 8,
  'shipx ratecard create contract --use': 8,
  'shipx orders import shopify.csv --weight 500g --size 20x15x10 --warehouse WH1': 8,
  // Ids of keys are made by chance.
  'shipx keys revoke key_4fT9aLm2Qx --yes': 3,
  // So are those of messages and webhooks, and nothing is set up to deliver to.
  'shipx messages show 3d1f9c20': 3,
  'shipx messages cancel 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20': 3,
  'shipx webhooks remove wh_6f0c2b9e2f0a --yes': 3,
  'shipx webhooks test': 3,
  'shipx messages optout remove 9876543210': 3,
  'shipx messages deliver': 2,
  'shipx messages deliver --gateway http://127.0.0.1:8080/messages --allow-private': 7,
}

/** What is made smaller, or could collide with what runs on the machine. */
const smaller: readonly (readonly [RegExp, string])[] = [
  [/--shipments 100000 --returns 10000/, '--shipments 1000 --returns 100'],
  [/^shipx serve$/, 'shipx serve --port 0'],
  [/^shipx listen/, 'shipx listen --port 0'],
  [/127\.0\.0\.1:8080/, '127.0.0.1:1'],
]

/** Lines that go on until they are stopped. */
const endless = /^shipx (serve|listen|pull --watch|messages deliver --watch|(shipments|returns) watch)/

const order = orderRequest({ order_id: 'A-7', order_date: '2026-09-29 13:00' })

interface Sent {
  readonly data: readonly { id: string; attributes: Record<string, unknown> }[]
}

/** One listed record under names that an example has. */
async function renamed(
  list: readonly string[],
  names: Readonly<Record<string, unknown>>,
  id = '00000000-0000-4000-8000-000000000001',
): Promise<string> {
  const { stdout } = await box.shipx([...list, '--limit', '1', '--json'])
  const [record] = (JSON.parse(stdout) as Sent).data
  return JSON.stringify({
    ...record!,
    id,
    attributes: { ...record!.attributes, ...names },
  })
}

/** The bills of a courier: one that is kept already, as a workbook too, and one with headers of its own. */
async function invoices(ok: (...args: readonly string[]) => Promise<string>): Promise<void> {
  const waiting = { tracking_number: '34817809263810' }
  const id = '00000000-0000-4000-8000-000000000003'
  box.file('bill.json', `${await renamed(['shipments', 'list', '--status', 'delivered'], waiting, id)}\n`)
  await ok('local', 'import', 'shipments', 'bill.json')
  const rows = ['14344940012345', '34817809263810'].map((awb) => [awb, 'd', 500, 800, 144, 944])
  const header = ['awb', 'zone', 'weight_g', 'freight', 'gst', 'total']
  box.file('september.csv', [header, ...rows].map((cells) => `${cells.join(',')}\n`).join(''))
  writeFileSync(join(box.folder, 'september.xlsx'), workbook([{ name: 'Bill', rows: [header, ...rows] }]))
  box.file('bill.csv', 'AWB,Chg wt,Bill amt\n14344940012345,0.5,94.40\n34817809263810,0.5,944\n')
  const named = ['--number', 'INV/26-27/0917', '--date', '2026-10-03']
  await ok('reconcile', 'invoice', 'september.csv', ...named, '--yes')
  await ok('courier', 'policy', 'set', 'Delhivery', 'cod_cycle=8wd')
  await ok('disputes', 'create')
  await ok('disputes', 'set', 'D1', '--status', 'raised')
  box.file('outcomes.csv', 'id,status\nD1,rejected\n')
  for (const name of ['length.jpg', 'scale-label.jpg']) box.file(name, png(name.length))
  const utr = 'HDFCN52026091412345678'
  box.file('remittance.csv', `AWB,Remitted,UTR,Date\n34817809263810,500,${utr},14-09-2026\n`)
  box.file('paid.csv', `AWB,Amt paid,Bank txn\n34817809263810,500,${utr}\n`)
  const head = 'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance'
  box.file('statement.csv', `${head}\n14 Sep 2026,14 Sep 2026,NEFT*${utr},,,500.00,1500.00\n`)
  await ok('reconcile', 'cod', 'remittance.csv', '--number', 'remittance', '--yes')
}

beforeAll(async () => {
  service = await startService()
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { exit, stdout, stderr } = await box.shipx(args)
    expect([args, exit, stderr]).toEqual([args, 0, expect.any(String)])
    return stdout
  }
  await ok('local', 'seed', '--shipments', '200', '--returns', '60')
  await ok('local', 'price')
  await ok('local', 'warehouse', 'set', 'WH1', '400001')
  for (const name of ['acme', 'acme-kids', 'acme-home']) await ok('stores', 'create', '--name', name)
  await ok('alias', 'set', 'late', 'shipments stuck --days 5')
  box.file(
    'page.json',
    `${await renamed(['shipments', 'list', '--status', 'delivered'], { tracking_number: '14344940012345' })}\n`,
  )
  await ok('local', 'import', 'shipments', 'page.json')
  const waiting = { tracking_number: '34817414595336' }
  const other = '00000000-0000-4000-8000-000000000002'
  box.file('ndr.json', `${await renamed(['shipments', 'list', '--status', 'ndr_raised'], waiting, other)}\n`)
  await ok('local', 'import', 'shipments', 'ndr.json')
  box.file('answers.csv', 'awb,answer,date\n34817414595336,reattempt,tomorrow\n')
  box.file('return.json', `${await renamed(['returns', 'list'], { display_id: 'RT-5521' })}\n`)
  await ok('local', 'import', 'returns', 'return.json')
  box.file('first.json', JSON.stringify({ ...order, order_id: 'ORDER-1' }))
  await ok('orders', 'create', '--file', 'first.json', '--no-assign')
  box.file('order.json', JSON.stringify(order))
  box.file('export.json', JSON.stringify({ order }))
  box.file('parcels.csv', 'ref,from,to,weight,length,width,height,payment\nA,400001,560001,500g,20,15,10,prepaid\n')
  box.file('pins.txt', '560001\n797112\n')
  box.file('awbs.txt', '14344940012345\n')
  box.file('stores.csv', 'store_name,Company\nacme-mini,Acme Mini\n')
  box.file('scans.csv', 'awb,status,date\n14344940012345,Delivered,2026-09-29 13:05\n')
  box.file('key.txt', `${service.key}\n`)
  box.file('smtp.txt', 'smtp://shop:password@mail.acme.example\n')
  box.file('orders.csv', await ok('orders', 'template'))
  box.file('sheet.csv', await ok('orders', 'template', '--form', 'sheet'))
  box.file('shopify.csv', shopifyExport(3).csv)
  box.file('skus.csv', 'sku,weight\nCR-02,400g\n')
  await ok('skus', 'import', 'skus.csv', '--yes')
  await ok('stores', 'import', 'stores.csv', '--map', 'Company=brand_name', '--save-map', 'amazon', '--yes')
  const card = JSON.parse(await ok('ratecard', 'export', 'sample')) as Record<string, unknown>
  box.file('other.json', JSON.stringify({ ...card, name: 'other' }))
  box.file('contract.json', JSON.stringify({ ...card, name: 'contract' }))
  await ok('ratecard', 'import', 'contract.json', '--name', 'old-contract')
  box.file('zones.csv', 'pincode,zone\n560001,A\n797112,B\n')
  await ok('ratecard', 'import', 'contract.json')
  await ok('ratecard', 'zones', 'import', 'zones.csv', '--card', 'contract', '--origin', '400001')
  await invoices(ok)
  box.file('messages.txt', await ok('messages', 'template', 'export', '--language', 'hi'))
  await ok('messages', 'template', 'import', join(box.folder, 'messages.txt'))
  await ok('local', 'backup', join(box.folder, 'yesterday.sqlite'))
  // What the examples use of jq, which not every machine has: a path into each JSON text.
  const jq = join(box.folder, 'bin', 'jq')
  const script = `
    const [path, file = 0] = process.argv.slice(2).filter((word) => word !== '-r')
    const text = require('node:fs').readFileSync(file, 'utf8')
    for (const one of text.trim().split('\\n')) {
      const found = path.split('.').slice(1).reduce((value, key) => value[key], JSON.parse(one))
      console.log(typeof found === 'string' ? found : JSON.stringify(found))
    }`
  writeFileSync(jq, `#!${process.execPath}\n${script}\n`)
  chmodSync(jq, 0o755)
  const config = join(box.folder, 'signed')
  mkdirSync(config, { mode: 0o700 })
  const signed = await box.shipx(['auth', 'login', '--profile', 'acme', '--base-url', service.url, '--with-token'], {
    env: { SHIPX_CONFIG_DIR: config },
    input: `${service.key}\n`,
  })
  expect(signed.exit).toBe(0)
})

describe('every example', () => {
  const lines = [...new Set(tree.commands.flatMap((command) => command.examples.map((example) => example.line)))]
  const topics = tree.topics.flatMap(({ text }) =>
    text.split('\n').flatMap((line) => /^ +\$ (.*)$/.exec(line)?.[1] ?? []),
  )

  test('that is not run is still one', () => {
    expect([...Object.keys(notHere), ...Object.keys(exits)].filter((line) => !lines.includes(line))).toEqual([])
  })

  let nth = 0
  const there = lines.filter((line) => notHere[line] === undefined)
  test.each([...there, ...topics])('%s', async (line) => {
    const folder = join(box.folder, `run-${nth++}`)
    mkdirSync(folder)
    for (const name of [
      'data',
      'home',
      'signed',
      'page.json',
      'order.json',
      'export.json',
      'parcels.csv',
      'pins.txt',
      'awbs.txt',
      'stores.csv',
      'scans.csv',
      'answers.csv',
      'key.txt',
      'smtp.txt',
      'orders.csv',
      'sheet.csv',
      'shopify.csv',
      'skus.csv',
      'other.json',
      'contract.json',
      'zones.csv',
      'september.csv',
      'september.xlsx',
      'bill.csv',
      'outcomes.csv',
      'length.jpg',
      'scale-label.jpg',
      'remittance.csv',
      'paid.csv',
      'statement.csv',
      'messages.txt',
      'yesterday.sqlite',
    ])
      // prettier-ignore
      cpSync(join(box.folder, name), join(folder, name), { recursive: true })
    if (line.includes('Drop PIN')) {
      const path = join(folder, 'orders.csv')
      writeFileSync(path, readFileSync(path, 'utf8').replace('billing_pincode', 'Drop PIN'))
    }
    const deployment = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    const env = {
      HOME: join(folder, 'home'),
      SHIPX_DATA_DIR: join(folder, 'data'),
      SHELL: '/bin/bash',
      ...(/^(shipx (auth|profile)|curl|cat key)/.test(line) ? { SHIPX_CONFIG_DIR: join(folder, 'signed') } : {}),
      ...(line.startsWith('shipx listen') ? { SHIPX_WEBHOOK_SECRET: secret } : {}),
      ...(/^shipx (pull|listen|.* --local)/.test(line) ? deployment : {}),
    }
    let typed = line.replaceAll('https://api.example.com', service.url)
    for (const [what, instead] of smaller) typed = typed.replace(what, instead)
    if (line.includes('--local')) typed = `shipx pull --quiet > pulled.txt && ${typed}`
    // In the foreground: otherwise the signal comes twice, and the second ends at once what is about to end.
    if (endless.test(line)) typed = `timeout --foreground --preserve-status -s INT 5 ${typed}`
    const { exit, stdout, stderr } = await box.bash(`cd '${folder}' && set -o pipefail && ${typed}`, { env })
    expect([line, exit, stderr]).toEqual([line, exits[line] ?? 0, expect.any(String)])
    if (exit === 0 && !/^source|-q |--quiet|> |--out |watch .*--jsonl/.test(line))
      expect([line, (stdout + stderr).length > 1]).toEqual([line, true])
  })
})
