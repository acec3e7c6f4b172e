// Defends what shipx says: where a write went, what a dry run would do, what does not fit together.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { orderRequest } from '../support/requests.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
})
afterAll(() => box.remove())

const terminal = (columns: number): { readonly env: Readonly<Record<string, string>> } => ({
  env: { SHIPX_FORCE_TTY: String(columns), NO_COLOR: '1' },
})

describe('where a write goes', () => {
  test('is this computer, without a path of a file', async () => {
    const made = await box.shipx(['stores', 'create', '--name', 'acme-kids'])
    expect(made.stderr).toBe(
      '✓ Created store acme-kids on this computer, connected. Link orders to it with --store acme-kids\n',
    )
    const moved = await box.shipx(['local', 'warehouse', 'set', 'WH2', '560001', '--account', 'other'])
    expect(moved.stderr).toBe('✓ Saved warehouse WH2 (560001) on this computer (account other)\n')
    box.file('two.csv', 'store_name\nrose\ntulip\n')
    const both = await box.shipx(['stores', 'import', 'two.csv', '--yes'])
    expect(both.stderr).toContain('✓ 2 stores created on this computer\n')
  })

  test(
    'is the host and the profile of an account, in writes and in the title of a list',
    { tags: ['full'] },
    async () => {
      await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001', '--account', 'shop'])
      const made = await box.shipx(['keys', 'create', 'shop', '-q'])
      const serving = box.begin(['serve', '--port', '0', '--json', '--quiet'])
      try {
        const line = await new Promise<string>((resolve) =>
          serving.child.stdout.on('data', (chunk: string) => resolve(chunk)),
        )
        const { url } = JSON.parse(line) as { readonly url: string }
        const signedIn = await box.shipx(['auth', 'login', '--profile', 'acme', '--base-url', url, '--with-token'], {
          input: made.stdout,
        })
        expect(signedIn.exit).toBe(0)
        const place = `at ${new URL(url).host} (profile acme)`
        const there = await box.shipx(['stores', 'create', '--name', 'far', '--profile', 'acme'])
        expect(there.stderr).toContain(`✓ Created store far ${place}, connected.`)
        box.file('order.json', JSON.stringify(orderRequest({ order_id: 'FAR-1' })))
        await box.shipx(['orders', 'create', '--file', 'order.json', '--no-assign', '--profile', 'acme'])
        const listed = await box.shipx(['shipments', 'list', '--profile', 'acme'], terminal(100))
        expect(listed.stderr).toContain(`Showing 1 of 1 shipment · ${place}\n`)
        const asked = await box.shipx(
          ['stores', 'create', '--name', 'more', '--dry-run', '--profile', 'acme'],
          terminal(100),
        )
        expect(asked.stdout).toBe(`Would create store more ${place}. Nothing was changed.\n`)
      } finally {
        serving.child.kill('SIGTERM')
        await serving.ended
        await box.shipx(['profile', 'remove', 'acme', '--yes'])
      }
    },
  )

  test('is not asked for where nothing is saved: a read says that there is no data yet, once', async () => {
    const empty = sandbox()
    try {
      const { stderr } = await empty.shipx(['shipments', 'list'])
      expect(stderr).toBe(
        'Nothing is saved on this computer yet; to look around: shipx local seed\nNo shipments match.\n',
      )
    } finally {
      empty.remove()
    }
  })
})

describe('what does not fit together is said', () => {
  const order = (sub_total: number, more: object = {}): string =>
    JSON.stringify({
      ...orderRequest({ order_id: `T-${sub_total}` }),
      order_items: [{ name: 'Romper', sku: 'CR-02', units: 2, selling_price: 499 }],
      payment_method: 'PREPAID',
      cod_collectible: 0,
      sub_total,
      ...more,
    })
  const warning = 'the items add up to ₹998.00, and the value of the order is ₹499.00'

  test(
    'the value of an order that is not the sum of its items, unless a discount explains it',
    { tags: ['full'] },
    async () => {
      box.file('differs.json', order(499))
      const { stderr } = await box.shipx(['orders', 'create', '--file', 'differs.json', '--dry-run'])
      expect(stderr).toContain(`! ${warning}\n`)
      box.file('cheaper.json', order(499, { discount: 499 }))
      const explained = await box.shipx(['orders', 'create', '--file', 'cheaper.json', '--dry-run'])
      expect(explained.stderr).not.toContain('add up')
      const row = (sub_total: number): string => {
        const { order_items: _, ...rest } = JSON.parse(order(sub_total)) as Record<string, unknown>
        return JSON.stringify({ ...rest, item_sku: 'CR-02', item_units: 2, item_selling_price: 499 })
      }
      box.file('many.jsonl', `${row(998)}\n${row(499)}\n`)
      const many = await box.shipx(['orders', 'import', 'many.jsonl', '--dry-run'])
      expect(many.stderr).toContain(`! line 2: ${warning}\n`)
    },
  )
})

describe('a person reads a sentence', () => {
  test('for a dry run of any command', { tags: ['full'] }, async () => {
    const would = async (...args: readonly string[]): Promise<string> =>
      (await box.shipx([...args, '--dry-run'], terminal(120))).stdout
    expect(await would('local', 'warehouse', 'set', 'WH5', '560001')).toBe(
      'Would save warehouse WH5 (560001) on this computer. Nothing was changed.\n',
    )
    expect(await would('local', 'seed')).toBe(
      'Would add 500 shipments, 80 returns and 6 stores of sample data on this computer. Nothing was changed.\n',
    )
    const piped = await box.shipx(['local', 'warehouse', 'set', 'WH5', '560001', '--dry-run'])
    expect(JSON.parse(piped.stdout)).toEqual({ dry_run: { warehouse: 'WH5', pincode: '560001' } })
  })

  test(
    'for an error under every format of a sheet, and JSON only under --json and --jsonl',
    { tags: ['full'] },
    async () => {
      const said = '✗ --status: "nope" isn\'t a status.'
      for (const format of ['--csv', '--excel', '--tsv', '--ids'])
        expect((await box.shipx(['shipments', 'list', '--status', 'nope', format])).stderr).toContain(said)
      const usual = await box.shipx(['shipments', 'list', '--status', 'nope'], { env: { SHIPX_FORMAT: 'excel' } })
      expect(usual.stderr).toContain(said)
      const json = await box.shipx(['shipments', 'list', '--status', 'nope', '--jsonl'])
      expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'invalid_input' } })
    },
  )

  test('for the status of someone who only works on this computer, and a script still sees that nobody is signed in', async () => {
    const { stdout, stderr, exit } = await box.shipx(['auth', 'status'], terminal(120))
    expect(stdout).not.toContain('unauthorized')
    expect(stderr).toBe(
      'You are not signed in to an account; shipx works on this computer.\n' +
        '→ to connect an account: shipx auth login --base-url https://…\n',
    )
    expect(exit).toBe(4)
  })
})

describe('sample data next to records of your own', () => {
  test('needs a yes, and none to add the same sample again', { tags: ['full'] }, async () => {
    const own = sandbox()
    try {
      await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
      own.file('order.json', JSON.stringify(orderRequest({ order_id: 'MINE-1' })))
      await own.shipx(['orders', 'create', '--file', 'order.json'])
      const seed = ['local', 'seed', '--shipments', '20', '--returns', '0', '--stores', '1']
      const refused = await own.shipx(seed)
      expect([refused.exit, refused.stderr]).toEqual([
        8,
        '✗ this needs a yes: mix sample data with 1 record of your own on this computer\n→ add --yes\n',
      ])
      expect((await own.shipx([...seed, '--yes'])).exit).toBe(0)
    } finally {
      own.remove()
    }
    const fresh = sandbox()
    try {
      for (const _ of [1, 2]) expect((await fresh.shipx(['local', 'seed', '--shipments', '20'])).exit).toBe(0)
    } finally {
      fresh.remove()
    }
  })
})
