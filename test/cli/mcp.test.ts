// Defends `shipx mcp`: its answers are those of the commands, it changes nothing unasked, and an assistant that sends
// nonsense, cancels, floods or disappears is answered clearly and loses nothing. Asked by the protocol's own client.
import { spawn, spawnSync } from 'node:child_process'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { program } from '../support/program.ts'
import { first } from '../support/size.ts'
import { sandbox } from '../support/sandbox.ts'

type Json = Readonly<Record<string, unknown>>

const box = sandbox()
const clients: Client[] = []

/** A client that has started `shipx mcp` in the sandbox. */
async function assistant(...flags: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const start = { command: process.execPath, args: [program, 'mcp', ...flags], env: { ...box.env }, cwd: box.folder }
  await client.connect(new StdioClientTransport({ ...start, stderr: 'ignore' }))
  clients.push(client)
  return client
}

const ask = async (client: Client, name: string, input: Json = {}) =>
  (await client.callTool({ name, arguments: { ...input } })) as {
    readonly content: readonly { readonly text: string }[]
    readonly structuredContent?: { readonly data?: unknown; readonly error?: Json }
    readonly isError?: boolean
  }

/** What a command prints as JSON. */
async function command(...words: readonly string[]): Promise<unknown> {
  const { stdout, exit, stderr } = await box.shipx([...words, '--json'])
  expect([stderr, exit]).toEqual(['', 0])
  return JSON.parse(stdout)
}

beforeAll(async () => {
  expect((await box.shipx(['local', 'seed', '--shipments', '120', '--returns', '20', '--quiet'])).exit).toBe(0)
})

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  box.remove()
})

test('an assistant that filled a filter with nothing got every parcel', async () => {
  const client = await assistant()
  for (const input of [{ awb: '' }, { awb: [] }, { store: [' '] }, { search: '' }]) {
    const { isError, structuredContent } = await ask(client, 'shipments_list', input)
    expect([input, isError, structuredContent?.error]).toMatchObject([input, true, { code: 'invalid_input' }])
  }
})

describe('an assistant that asks', () => {
  /** Questions of an operations desk: the tool, its input, and the command that answers the same. */
  const questions: readonly (readonly [string, string, Json, readonly string[]])[] = [
    [
      'which COD parcels in Maharashtra are open?',
      'shipments_list',
      { state: ['Maharashtra'], cod: true, open: true },
      ['shipments', 'list', '--state', 'Maharashtra', '--cod', '--open'],
    ],
    ['which parcels are stuck?', 'shipments_stuck', { days: '2' }, ['shipments', 'stuck', '--days', '2']],
    ['which failed deliveries wait for an answer?', 'shipments_ndr', {}, ['shipments', 'ndr']],
    [
      'how is each courier doing?',
      'shipments_summary',
      { by: ['courier'] },
      ['shipments', 'summary', '--by', 'courier'],
    ],
    ['what came back, and why?', 'returns_summary', { by: ['reason'] }, ['returns', 'summary', '--by', 'reason']],
    [
      'which returns are under way?',
      'returns_list',
      { open: true, limit: 5 },
      ['returns', 'list', '--open', '--limit', '5'],
    ],
    ['which stores are there?', 'stores_list', {}, ['stores', 'list']],
    ['which COD is late?', 'cod_due', { parcels: true, late: true }, ['cod', 'due', '--parcels', '--late']],
    ['which disputes lapse soon?', 'disputes_list', { due: '3d' }, ['disputes', 'list', '--due', '3d']],
    [
      'what does COD cost us in returns?',
      'shipments_rto',
      { by: ['payment'] },
      ['shipments', 'rto', '--by', 'payment'],
    ],
    [
      'what does a parcel to Bengaluru cost?',
      'rates',
      { from: '400001', to: '560001', weight: '500g', size: '20×15×10', cod: '₹1,499' },
      ['rates', '--from', '400001', '--to', '560001', '--weight', '500g', '--size', '20×15×10', '--cod', '₹1,499'],
    ],
    [
      'which cities get the most parcels?',
      'sql',
      { query: 'select city, count(*) as n from shipments group by city order by n desc, city limit 3' },
      ['sql', 'select city, count(*) as n from shipments group by city order by n desc, city limit 3'],
    ],
  ]

  test.each(first(1, questions))('%s', async (_, name, input, words) => {
    const { structuredContent, content, isError } = await ask(await shared(), name, input)
    expect([isError, content[0]!.text === '']).toEqual([undefined, false])
    expect(structuredContent).toEqual(await command(...words))
    expect(JSON.parse(content[0]!.text)).toEqual(structuredContent)
  })

  test('where is this parcel?', { tags: ['full'] }, async () => {
    const listed = await command('shipments', 'list', '--status', 'delivered', '--limit', '1')
    const awb = (listed as { readonly data: readonly { readonly attributes: Json }[] }).data[0]!.attributes[
      'tracking_number'
    ]
    const { structuredContent } = await ask(await shared(), 'shipments_get', { shipment: [awb] })
    expect(structuredContent).toEqual(await command('shipments', 'get', String(awb)))
  })

  let one: Promise<Client> | undefined
  const shared = (): Promise<Client> => (one ??= assistant('--show-pii'))

  test('gets phone numbers masked as in tables, and whole with --show-pii', { tags: ['full'] }, async () => {
    const whole = JSON.stringify((await ask(await shared(), 'shipments_list', { limit: 3 })).structuredContent)
    const masked = JSON.stringify((await ask(await assistant(), 'shipments_list', { limit: 3 })).structuredContent)
    const phones = [...whole.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone!)
    expect(phones.length).toBeGreaterThan(0)
    for (const phone of phones) expect(masked).not.toContain(phone)
    expect(masked).toMatch(/"phone":"\+91 \d\d••••••\d\d"/)
  })

  test('got phones whole in the records of SQL, beside masked ones; --no-sql leaves the tool out', async () => {
    const query = 'select customer_phone, record, count(*) over () as with_phone from shipments limit 2'
    const rows = async (client: Client) =>
      (await ask(client, 'sql', { query })).structuredContent!.data as readonly Record<string, string>[]
    const [whole, masked] = [await rows(await shared()), await rows(await assistant())]
    expect(whole).toHaveLength(2)
    for (const [i, { customer_phone: phone, record }] of whole.entries()) {
      const [sent, got] = [record!, masked[i]!['record']!].map((text) => JSON.parse(text) as { attributes: Json })
      const dots = masked[i]!['customer_phone']
      expect(dots).toMatch(/^\+91 \d\d••••••\d\d$/)
      expect(JSON.stringify(masked[i])).not.toContain(phone)
      const to = { ...(sent!.attributes['shipping_address'] as Json), phone: dots }
      expect(got).toEqual({ ...sent, attributes: { ...sent!.attributes, shipping_address: to } })
      expect(masked[i]!['with_phone']).toBe(120)
    }
    const { tools } = await (await assistant('--no-sql')).listTools()
    expect(tools.map(({ name }) => name)).not.toContain('sql')
  })

  test('reads the input of each tool as a JSON Schema, and none of them writes a file or a record', async () => {
    const { tools } = await (await shared()).listTools()
    const ajv = new Ajv()
    for (const { name, inputSchema, annotations } of tools) {
      expect([name, ajv.validateSchema(inputSchema)]).toEqual([name, true])
      expect(annotations).toMatchObject({ readOnlyHint: true })
      for (const gone of ['out', 'file', 'all', 'xlsx', 'force', 'yes'])
        expect(inputSchema.properties).not.toHaveProperty(gone)
    }
    expect(tools.map(({ name }) => name)).toContain('shipments_list')
  })

  test('gets the errors of the commands, with what was meant', async () => {
    const client = await shared()
    const wrong = await ask(client, 'shipments_list', { status: ['transit'] })
    const told = await box.shipx(['shipments', 'list', '--status', 'transit', '--json'])
    expect(wrong.isError).toBe(true)
    expect(wrong.structuredContent).toEqual(JSON.parse(told.stderr))
    for (const [name, input, said] of [
      ['shipments_lst', {}, 'Did you mean shipments_list?'],
      ['shipments_list', { stat: 'x' }, 'stat: is not a field of shipments_list'],
      ['shipments_list', { open: 'maybe' }, 'open: must be true or false'],
      ['shipments_list', { city: { a: 1 } }, 'city: must be a list of texts'],
      ['shipments_get', { shipment: [['x']] }, 'shipment: must be a list of texts'],
      ['sql', { query: 'delete from shipments' }, ''],
      ['sql', { query: '--schema' }, ''],
    ] as const) {
      const { isError, structuredContent } = await ask(client, name, input)
      expect(isError).toBe(true)
      expect(String(structuredContent?.error?.['message'])).toContain(said)
    }
  })

  test('changes nothing without --allow-writes', async () => {
    const { structuredContent } = await ask(await shared(), 'stores_create', { name: 'acme', brand: 'Acme' })
    expect(structuredContent?.error).toMatchObject({
      code: 'unknown_command',
      hint: expect.stringContaining('--allow-writes'),
    })
    const client = await assistant('--allow-writes')
    const { tools } = await client.listTools()
    const created = tools.find(({ name }) => name === 'stores_create')!
    expect(created.annotations).toMatchObject({ readOnlyHint: false })
    const made = await ask(client, 'stores_create', { name: 'mcp-store', brand: 'Acme' })
    expect([made.isError, made.content[0]!.text]).toEqual([undefined, expect.stringContaining('mcp-store')])
    const again = await ask(client, 'stores_create', { name: 'mcp-store' })
    expect(again.structuredContent?.error).toMatchObject({ code: 'store_name_taken' })
  })
})

test('a query longer than a word of a command line ended inside shipx', async () => {
  const client = await assistant()
  const ids = Array.from({ length: 4000 }, (_, i) => `'${String(i).padStart(36, '0')}'`).join(',')
  const asked = await ask(client, 'sql', { query: `select count(*) as n from shipments where id in (${ids})` })
  expect(asked.structuredContent).toEqual({ data: [{ n: 0 }] })
  const { isError, structuredContent } = await ask(client, 'shipments_list', { awb: ids.split(',') })
  expect([isError, structuredContent?.error?.['message']]).toEqual([
    true,
    'the fields have more than 1,00,000 bytes together',
  ])
})

describe('an assistant that misbehaves', { tags: ['full'] }, () => {
  interface Line {
    readonly id?: number
    readonly result?: { readonly isError?: boolean; readonly structuredContent?: { readonly error?: Json } }
    readonly error?: Json
  }

  /** Starts the program by hand: `say` writes a line, `until` waits for an answer. Every line must be a message. */
  function byHand(...flags: readonly string[]) {
    const child = spawn(process.execPath, [program, 'mcp', ...flags], { env: { ...box.env }, cwd: box.folder })
    const lines: Line[] = []
    let [rest, said]: [string, string] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop()!
      for (const part of parts) lines.push(JSON.parse(part) as Line)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.stdin.on('error', () => undefined)
    const ended = new Promise<number | string>((resolve) =>
      child.on('close', (code, by) => resolve(code ?? String(by))),
    )
    const say = (message: unknown): boolean =>
      child.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...(message as Json) })}\n`,
      )
    const until = async (id: number): Promise<Line> => {
      for (let waited = 0; waited < 60_000; waited += 20) {
        const found = lines.find((line) => line.id === id)
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`no answer to ${id}; ${said}`)
    }
    const clientInfo = { name: 'hand', version: '1' }
    say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
    say({ method: 'notifications/initialized' })
    const tool = (id: number, name: string, input: Json) =>
      say({ id, method: 'tools/call', params: { name, arguments: input } })
    return { child, lines, say, tool, until, ended, said: () => said }
  }

  const slow = `with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n`

  /** Waits until no process has these words in its command line. */
  async function gone(words: string): Promise<void> {
    for (let waited = 0; waited < 20_000; waited += 200) {
      if (!spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.includes(words)) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error('the process still runs')
  }

  test('nonsense is left out with a warning, and the next question is answered', async () => {
    const { child, say, tool, until, ended, said } = byHand()
    for (const line of ['nonsense', '{"a":1}', '[]', '{"jsonrpc":"2.0","id":{},"method":5}', '\u0000']) say(line)
    say({ id: 7, method: 'no/such' })
    tool(8, 'pincode', { pincode: ['400001'] })
    expect((await until(7)).error).toMatchObject({ code: -32601 })
    expect((await until(8)).result).not.toHaveProperty('isError')
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(said()).toContain('left out what is not a message')
  })

  test('a cancelled call ends its process, and others go on', async () => {
    const { child, say, tool, until, lines, ended } = byHand()
    const mark = `as cancelled_${child.pid}`
    tool(1, 'sql', { query: slow.replace('as n from n', `${mark} from n`), timeout: '0' })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    say({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'no longer needed' } })
    tool(2, 'pincode', { pincode: ['400001'] })
    expect((await until(2)).result).not.toHaveProperty('isError')
    expect(lines.some(({ id }) => id === 1)).toBe(false)
    await gone(mark)
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  test('a flood is refused beyond what can wait, and each call has one answer', async () => {
    const { child, tool, until, lines, ended } = byHand()
    const calls = Array.from({ length: 60 }, (_, i) => i + 1)
    for (const id of calls) tool(id, 'pincode', { pincode: ['400001'] })
    const answers = await Promise.all(calls.map(until))
    const refused = answers.filter(({ result }) => result?.isError === true)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(60 - 2 - 32)
    for (const { result } of refused) expect(result?.structuredContent?.error).toMatchObject({ code: 'rate_limited' })
    expect(lines.filter(({ id }) => id !== undefined && id > 0).length).toBe(60)
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  test.each([
    ['closes its end', (child: ReturnType<typeof byHand>['child']) => void child.stdin.end()],
    ['stops reading', (child: ReturnType<typeof byHand>['child']) => void (child.stdout.destroy(), child.stdin.end())],
    [
      'sends a line of 11 MB',
      (child: ReturnType<typeof byHand>['child']) => void child.stdin.write('x'.repeat(11_000_000)),
    ],
    ['interrupts', (child: ReturnType<typeof byHand>['child']) => void child.kill('SIGINT')],
  ])('one that %s ends the program and what it runs', async (_, leave) => {
    const { child, tool, until, ended } = byHand()
    await until(0)
    const mark = `as left_${child.pid}`
    tool(1, 'sql', { query: slow.replace('as n from n', `${mark} from n`), timeout: '0' })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    leave(child)
    expect(await ended).toBe(0)
    await gone(mark)
  })

  test('a tool that takes too long ends with time_limit', async () => {
    const { child, tool, until, ended } = byHand('--timeout', '1s')
    tool(1, 'sql', { query: slow, timeout: '0' })
    expect((await until(1)).result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'time_limit' } },
    })
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  test('bad input of the command itself is an error before the first message', async () => {
    const { stdout, stderr, exit } = await box.shipx(['mcp', '--timeout', '20m'])
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toContain('--timeout: is at most 10m')
    expect((await box.shipx(['mcp', '--profile', 'nobody'])).exit).not.toBe(0)
  })
})
