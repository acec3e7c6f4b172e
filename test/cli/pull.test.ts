// Defends `shipx pull`: killed, stopped or watched it ends with everything; mirrors do not mix,
// and refuse what they cannot answer.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { chanceOf } from '../support/chance.ts'
import { key as shapesKey, startShapes, type Shapes } from '../support/recordshapes.ts'
import { parcelFlags } from '../support/requests.ts'
import { sandbox, type Outcome, type Running } from '../support/sandbox.ts'
import type { StandIn, StandInOptions } from '../support/foreigndeployment.ts'
import { clock, hour, standIn, quiet } from '../support/mirrors.ts'
import { first } from '../support/size.ts'

describe('records without an id', () => {
  const box = sandbox()
  afterAll(() => box.remove())
  const sentOf = (count: number, named: (n: number) => boolean): readonly string[] =>
    Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        ...(named(n) ? { id: `S-${n}` } : {}),
        type: 'shipment',
        attributes: { status: 'delivered', tracking_number: `T-${n}`, created_at: '2026-09-20T00:00:00.000Z' },
      }),
    )
  const pullFrom = (shapes: Shapes): Promise<Outcome> =>
    box.shipx(['pull', 'shipments', '--json'], { env: { SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: shapesKey } })

  test('are left out, counted once each, and told on stderr', { tags: ['full'] }, async () => {
    // Three are alike.
    const shapes = await startShapes({ shipments: [...sentOf(30, (n) => n % 3 > 0), '{}', '{}', '{}'] })
    onTestFinished(() => shapes.close())
    for (const first of [true, false]) {
      const { exit, stdout, stderr } = await pullFrom(shapes)
      const { error } = JSON.parse(stderr) as { error: object }
      expect([exit, error]).toMatchObject([
        7,
        {
          code: 'partial',
          message: '13 shipments that the service sent had no id or no attributes; they were left out',
        },
      ])
      expect(JSON.parse(stdout)).toMatchObject({
        data: [{ new: first ? 20 : 0, unchanged: first ? 0 : 20, total: 20 }],
      })
    }
  })

  test(
    'end a pull with exit 7 and one sentence, also with --quiet, and the mirror says what it lacks',
    { tags: ['full'] },
    async () => {
      const store = { id: 'A', store_name: 'acme' }
      const stores = [store, { ...store, id: null }, { id: 'B' }, null].map((value) => JSON.stringify(value))
      const shapes = await startShapes({ shipments: sentOf(30, (n) => n > 0), stores })
      onTestFinished(() => shapes.close())
      const env = { SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: shapesKey }
      const { exit, stdout, stderr } = await box.shipx(['pull', '--quiet'], { env })
      expect([exit, stdout.split('\n').filter((line) => !line.startsWith('returns'))]).toEqual([
        7,
        [expect.stringMatching(/^shipments\s+29/), expect.stringMatching(/^stores\s+1/), ''],
      ])
      expect(stderr.replaceAll(/\s+/g, ' ')).toBe(
        '✗ 1 shipment that the service sent had no id or no attributes; it was left out; ' +
          '3 stores that the service sent had no id or no name; they were left out ',
      )
      const local = await box.shipx(['shipments', 'list', '--local', '--limit', '1'], {
        env: { ...env, SHIPX_FORCE_TTY: '200', NO_COLOR: '1' },
      })
      expect(local.stderr).toContain('without 1 shipment')
    },
  )

  test('stores without an id or a name are left out of the list and counted', { tags: ['full'] }, async () => {
    const store = { id: 'A', store_name: 'acme' }
    const shapes = await startShapes({ stores: [JSON.stringify({ id: 'B' }), 'null', JSON.stringify(store)] })
    onTestFinished(() => shapes.close())
    const env = { SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: shapesKey }
    const { exit, stdout, stderr } = await box.shipx(['stores', 'list', '--jsonl'], { env })
    expect([exit, stdout]).toEqual([0, `${JSON.stringify(store)}\n`])
    expect(stderr).toBe('! 2 stores that the service sent had no id or no name; they were left out\n')
    expect((await box.shipx(['stores', 'get', 'acme', '--json'], { env })).exit).toBe(0)
  })

  test('and nothing else are an error, each time', { tags: ['full'] }, async () => {
    const shapes = await startShapes({ shipments: sentOf(7, () => false) })
    onTestFinished(() => shapes.close())
    for (let run = 0; run < 5; run++) {
      const { exit, stdout, stderr } = await pullFrom(shapes)
      expect([exit, stdout, (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: object }).error]).toEqual([
        6,
        '',
        expect.objectContaining({
          code: 'bad_answer',
          message: expect.stringContaining('none of the 7 shipments') as unknown,
        }),
      ])
    }
  })
})

describe('shipx pull', () => {
  /** A folder of its own, and the built command against a stand-in in it. */
  async function placed(options?: StandInOptions) {
    const box = sandbox()
    onTestFinished(() => box.remove())
    const remote = await standIn(options)
    const env = {
      SHIPX_CONFIG_DIR: join(box.folder, 'config'),
      SHIPX_BASE_URL: remote.url,
      SHIPX_API_KEY: remote.key,
      SHIPX_NOW: new Date(clock).toISOString(),
    }
    const begin = (line: string, over: Readonly<Record<string, string>> = {}): Running =>
      box.begin(line.split(' '), { env: { ...env, ...over } })
    const run = (line: string, over?: Readonly<Record<string, string>>): Promise<Outcome> => begin(line, over).ended
    const folder = join(box.folder, 'data', 'mirrors')
    /** The files of mirrors. */
    const mirrors = (): readonly string[] =>
      existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith('.sqlite'))
            .map((name) => join(folder, name))
        : []
    /** Writes the file of profiles. */
    const store = (file: object): void => {
      mkdirSync(env.SHIPX_CONFIG_DIR, { recursive: true, mode: 0o700 })
      writeFileSync(join(env.SHIPX_CONFIG_DIR, 'config.json'), JSON.stringify(file), { mode: 0o600 })
    }
    return { remote, begin, run, mirrors, store }
  }

  test('copies all three kinds, and --local answers from the copy with its age', { tags: ['full'] }, async () => {
    const { remote, run, mirrors } = await placed({ shipments: 250, returns: 40 })
    const before = await run('shipments list --local')
    expect([before.exit, before.stderr]).toEqual([
      3,
      expect.stringMatching(/there is no mirror of 127\.0\.0\.1:\d+ yet\n.*shipx pull\n/),
    ])
    const pulled = await run('pull --json')
    expect([pulled.exit, pulled.stderr, JSON.parse(pulled.stdout)]).toEqual([
      0,
      '',
      {
        data: [
          { kind: 'shipments', new: 250, changed: 0, unchanged: 0, removed: 0, total: 250 },
          { kind: 'returns', new: 40, changed: 0, unchanged: 0, removed: 0, total: 40 },
          { kind: 'stores', new: 2, changed: 0, unchanged: 0, removed: 0, total: 2 },
        ],
      },
    ])
    expect(mirrors()).toEqual([expect.stringMatching(/\/key-[0-9a-f]{16}\.sqlite$/)])
    const name = mirrors()[0]!
    expect((statSync(name).mode & 0o777).toString(8)).toBe('600')
    expect(readFileSync(name).includes(remote.key)).toBe(false)
    remote.forget()
    const later = { SHIPX_NOW: new Date(clock + 12 * 60_000).toISOString() }
    const listed = await run('shipments list --local --all --jsonl', later)
    expect(listed.stdout.trimEnd().split('\n').toSorted()).toEqual([...remote.texts('shipments').values()].toSorted())
    const plain = await run('returns list --local --refund pending --limit 3', later)
    expect([plain.exit, plain.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^from your local copy of 127\.0\.0\.1:\d+, pulled 12 minutes ago \(refresh: shipx pull\)\n/,
      ),
    ])
    const id = remote.ids('shipments')[7]!
    expect((await run(`shipments get ${id} --local --json`)).stdout).toBe(
      `{"data":${remote.texts('shipments').get(id)!}}\n`,
    )
    const stores = [await run('stores list --local --json'), await run('stores list --json')]
    expect([JSON.parse(stores[0]!.stdout), stores[0]!.exit]).toEqual([
      {
        data: (JSON.parse(stores[1]!.stdout) as { data: { store_name: string }[] }).data.toSorted((a, b) =>
          a.store_name < b.store_name ? -1 : 1,
        ),
      },
      0,
    ])
    expect((await run('stores get kids-and-co --local --json')).stdout).toBe(
      (await run('stores get kids-and-co --json')).stdout,
    )
    expect(remote.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a mirror refuses writes and what its deployment does not send', { tags: ['full'] }, async () => {
    const { remote, run } = await placed({ shipments: 60, returns: 20 })
    await run('pull -q')
    remote.forget()
    for (const line of [
      'stores create --name acme --local',
      'stores create --name acme --local --dry-run',
      'stores update kids-and-co --brand X --local',
      'stores disconnect kids-and-co --local --yes',
    ]) {
      const { exit, stderr } = await run(`${line} --json`)
      expect([line, exit, (JSON.parse(stderr) as { error: object }).error]).toEqual([
        line,
        2,
        expect.objectContaining({ code: 'mirror_read_only', hint: 'leave --local out to change your account' }),
      ])
    }
    for (const [line, flag] of [
      ['shipments list --granular-status lost', '--granular-status'],
      ['shipments list --tags gift', '--tags'],
      ['shipments list --ndr-reason other --all', '--ndr-reason'],
      ['returns list --zone a', '--zone'],
      ['returns list --is-dangerous-goods true', '--is-dangerous-goods'],
    ]) {
      const { exit, stderr, stdout } = await run(`${line!} --local --json`)
      expect([
        line,
        exit,
        stdout,
        (JSON.parse(stderr) as { error: { details: { field: string }[] } }).error.details[0]!.field,
      ]).toEqual([line, 2, '', flag])
    }
    // Some of its records show a store: those are found, and one that none of them shows is refused.
    const nobody = await run('shipments list --store nobody --local --json')
    expect([nobody.exit, nobody.stderr]).toEqual([2, expect.stringContaining(`isn't a store of this account`)])
    // A status of its own is looked for, and so is none of ours.
    const odd = await run('shipments list --status shipment_booked --local --ids')
    expect([odd.exit, odd.stdout.split('\n').length > 3]).toEqual([0, true])
    expect(odd.stderr).toContain('looked for as written')
    // Prices are not mirrored: the embedded engine quotes.
    expect((await run(`rates ${parcelFlags.join(' ')} --prepaid --local --json`)).exit).toBe(0)
    expect(remote.requests).toEqual([])
  })

  test('killed at any moment it goes on, and ends with everything', { tags: ['full'] }, async () => {
    const { remote, run, begin } = await placed({ shipments: 1200, returns: 300, depth: 500 })
    const chance = chanceOf(9)
    for (let i = 0; i < 6; i++) {
      const { child, ended } = begin('pull -q')
      const wanted = remote.requests.length + 1 + Math.floor(chance() * 8)
      const timer = setInterval(() => {
        if (remote.requests.length >= wanted) child.kill('SIGKILL')
      }, 1)
      await ended
      clearInterval(timer)
    }
    expect((await run('pull -q')).exit).toBe(0)
    for (const kind of ['shipments', 'returns'] as const) {
      const { stdout } = await run(`${kind} list --local --all --jsonl`)
      expect(stdout.trimEnd().split('\n').toSorted()).toEqual([...remote.texts(kind).values()].toSorted())
    }
  })

  test('Ctrl-C ends it at once, also while it waits, and says how to go on', { tags: ['full'] }, async () => {
    const { remote, run, begin } = await placed({ shipments: 900 })
    const pages = (): number => remote.requests.filter(({ path }) => path === '/shipments').length
    remote.switches.trouble = () => (pages() > 4 ? { kind: 'limited', retry_after: '60' } : undefined)
    const { child, ended } = begin('pull')
    while (pages() < 5) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const asked = performance.now()
    child.kill('SIGINT')
    const { exit, stderr } = await ended
    expect([exit, stderr]).toEqual([
      130,
      expect.stringMatching(/✗ stopped; what was read is saved\n→ run the same command again to go on\n$/),
    ])
    expect(performance.now() - asked).toBeLessThan(10_000)
    const warned = await run('shipments list --local --ids')
    expect(warned.stderr).toContain('the first pull of its shipments has not ended')
    expect(warned.stdout.trimEnd().split('\n')).toHaveLength(20)
  })

  test('--watch pulls again and again, over failures, until Ctrl-C', { tags: ['full'] }, async () => {
    const { remote, begin } = await placed({ shipments: 30, returns: 5 })
    const { child, ended } = begin('pull shipments --watch 1s --max-rps 1000')
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: string) => (out += chunk))
    child.stderr.on('data', (chunk: string) => (err += chunk))
    const lines = (): number => out.split('\n').length - 1
    const until = async (done: () => boolean): Promise<void> => {
      while (!done()) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await until(() => lines() >= 1)
    remote.put('shipments', 'NEW', clock - 1000, { status: 'pending' })
    remote.switches.trouble = () => ({ kind: 'html', status: 500 })
    await until(() => err.includes('next try in 1s'))
    quiet(remote)
    await until(() => lines() >= 3)
    child.kill('SIGINT')
    await ended
    expect(out.split('\n')[0]).toBe('2026-10-01 11:30  shipments: 30 new, 0 changed, 0 unchanged (30 in all)')
    expect(out).toMatch(/shipments: 1 new, .*\(31 in all\)/)
  })

  test('mirrors of two profiles, of two keys and of two addresses do not mix', { tags: ['full'] }, async () => {
    const { remote, run, mirrors, store } = await placed({ shipments: 30 })
    const other = await standIn({ shipments: 12, key: 'another-key-of-another' })
    const profile = (at: StandIn) => ({
      base_url: at.url,
      auth_scheme: 'bearer',
      key: at.key,
      key_origin: at.url,
      key_place: 'file',
    })
    store({ profiles: { acme: profile(remote), beta: profile(other) } })
    const bare = { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' }
    const count = async (line: string, env: Readonly<Record<string, string>> = bare): Promise<number> => {
      const ran = await run(`shipments list --local --all --ids ${line}`.trim(), env)
      return ran.exit === 0 ? ran.stdout.trimEnd().split('\n').length : -Number(ran.exit)
    }
    await run('pull -q --profile acme', bare)
    expect(await count('--profile beta')).toBe(-3)
    await run('pull -q --profile beta', bare)
    await run('pull -q', { SHIPX_BASE_URL: other.url, SHIPX_API_KEY: other.key })
    expect([await count('--profile acme'), await count('--profile beta'), mirrors().length]).toEqual([30, 12, 3])
    expect(await count('', { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: other.key })).toBe(-3)
    // Another address under the same name is another mirror; another key there is read anew and takes away what was.
    store({ profiles: { acme: profile(other), beta: profile(other) } })
    expect(await count('--profile acme')).toBe(-3)
    store({ profiles: { acme: profile(remote), beta: { ...profile(other), key: 'yet-another-key' } } })
    const third = await run('pull -q --profile beta', bare)
    expect(third.exit).toBe(4)
    expect(await count('--profile beta')).toBe(12)
  })

  test('another key for the same profile reads everything anew', { tags: ['full'] }, async () => {
    const { run, remote, store } = await placed({ shipments: 40, authorization: 'any' })
    const profile = (key: string) => ({ base_url: remote.url, key, key_origin: remote.url, key_place: 'file' })
    const bare = { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' }
    store({ current: 'acme', profiles: { acme: profile('key-of-one-account') } })
    await run('pull -q', bare)
    for (const id of remote.ids('shipments').slice(0, 25)) remote.drop('shipments', id)
    remote.put('shipments', 'THEIRS', clock - hour, { status: 'delivered' })
    store({ current: 'acme', profiles: { acme: profile('key-of-another-account') } })
    const { stderr, stdout } = await run('pull shipments --json', bare)
    expect(stderr).toContain('the key has changed since the last pull')
    expect(JSON.parse(stdout)).toEqual({
      data: [{ kind: 'shipments', new: 1, changed: 0, unchanged: 15, removed: 25, total: 16 }],
    })
  })

  test.each(
    first(1, [
      ['pull parcels', /isn't a kind of record/],
      ['pull --watch soon', /--watch/],
      ['pull --max-rps 0', /--max-rps/],
      ['pull --since whenever', /--since/],
      ['pull --db x.sqlite', /--db.*data on this computer/],
      ['pull --account other', /--account.*data on this computer/],
    ]),
  )('%s is refused before anything is sent', async (line, message) => {
    const { run, remote } = await placed({ shipments: 0 })
    const { exit, stderr } = await run(line)
    expect([exit, stderr, remote.requests]).toEqual([2, expect.stringMatching(message), []])
  })

  test('without a deployment it says how to name one', async () => {
    const { run } = await placed({ shipments: 0 })
    const { exit, stderr } = await run('pull', { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' })
    expect([exit, stderr]).toEqual([2, expect.stringContaining('shipx auth login')])
  })
})
