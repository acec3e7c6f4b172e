// Defends pipes: readers that leave, disks that are full, inputs that are closed, and errors in the form of the data.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { first } from '../../support/size.ts'
import { parcelFlags } from '../../support/requests.ts'
import { big, shipx, bash, box } from './seeded.ts'

const unix = process.platform !== 'win32'

describe.skipIf(!unix)('a pipe', () => {
  test.each(first(1, ['--json', '--jsonl', '--csv', '--columns awb']))(
    'whose reader leaves after a byte is quiet: %s',
    async (flags) => {
      const { stdout, stderr } = await bash(
        `shipx shipments list --all -q ${flags} --db big.sqlite | head -c 1; echo " \${PIPESTATUS[0]}"`,
      )
      expect(stdout).toMatch(/^. 0\n$/)
      expect(stderr).toBe('')
    },
  )

  test('whose reader takes one line of many is quiet, however it is read', { tags: ['full'] }, async () => {
    const { stdout, stderr } = await bash(
      'shipx shipments list --all -q --db big.sqlite | head -1 | cut -f2; echo "${PIPESTATUS[0]}"',
    )
    expect([stdout.split('\n').length, stdout.endsWith('\n0\n'), stderr]).toEqual([3, true, ''])
    const counted = await bash('shipx shipments list --all --csv -q --db big.sqlite | (sleep 1; wc -l)')
    expect([Number(counted.stdout) > 2600, counted.stderr]).toEqual([true, ''])
  })

  test.each(first(1, ['--version', 'complete -- st', '--help', 'commands --json']))(
    'that nobody reads is quiet also where no command is loaded: %s',
    async (words) => {
      const { stdout, stderr } = await bash(`(sleep 0.3; shipx ${words}; echo $? > status) | true; cat status`)
      expect([stdout, stderr]).toEqual(['0\n', ''])
    },
  )

  test('3 MB arrive whole, however slowly they are read', { tags: ['full'] }, async () => {
    const { stdout } = await bash('shipx shipments list --all --json --db big.sqlite | (sleep 0.7; cat)')
    expect(stdout.length).toBeGreaterThan(3_000_000)
    const { data, meta } = JSON.parse(stdout) as { data: { id: string }[]; meta: { total: number } }
    expect([data.length, meta.total, new Set(data.map(({ id }) => id)).size]).toEqual([2600, 2600, 2600])
  })

  test.each(
    first(1, [
      'stores list --db big.sqlite',
      'shipments list --all --json --db big.sqlite',
      `rates ${parcelFlags.join(' ')} --prepaid`,
      '--help',
      'commands --json',
      'completion bash',
      '--version',
      'complete -- st',
      'doctor',
      'shipments get $(shipx shipments list --limit 1 --ids --db big.sqlite) --db big.sqlite',
    ]),
  )('into a full disk is one error and never a success: %s', async (words) => {
    if (!existsSync('/dev/full')) return
    const { stderr, exit } = await bash(`shipx ${words}${/^(--version|complete)/.test(words) ? '' : ' -q'} > /dev/full`)
    expect(exit).toBe(1)
    expect(stderr).toMatch(/^(✗ |\{"error":\{"code":"output_failed",).*could not be written.*\n$/)
  })

  test('of notes whose reader had gone ended an import with exit 0 and nothing done: the work goes on', async () => {
    box.file('noted.csv', 'store_name\nnoted-one\nnoted-two\n')
    const line = 'stores import noted.csv --yes --db noted.sqlite --debug'
    for (const [lost, db] of [
      ['2>&1', 'both'],
      ['2>&1 >out.txt', 'notes'],
    ] as const) {
      const run = `shipx ${line.replace('noted.sqlite', `${db}.sqlite`)} ${lost}`
      const { stdout } = await bash(`(sleep 0.3; ${run}; echo $? > status) | true; cat status`)
      const { stdout: names } = await shipx([
        'stores',
        'list',
        '--csv',
        '--fields',
        'store_name',
        '--db',
        `${db}.sqlite`,
      ])
      expect([lost, stdout, names]).toEqual([lost, '0\n', 'store_name\nnoted-one\nnoted-two\n'])
    }
    const failing = 'stores get nobody --debug --db both.sqlite'
    const { stdout } = await bash(`(sleep 0.3; shipx ${failing} 2>&1; echo $? > status) | true; cat status`)
    expect(stdout).toBe('3\n')
  })

  test('with a closed standard input asks for nothing and hangs on nothing', { tags: ['full'] }, async () => {
    const rates = await bash(`shipx rates ${parcelFlags.join(' ')} --prepaid --limit 1 -q <&-`)
    expect([rates.exit, rates.stdout.split('\t')[0], rates.stderr]).toEqual([0, 'Peepal Post', ''])
    const order = await bash('shipx orders create --file - <&-')
    expect([order.exit, order.stderr]).toEqual([
      2,
      '✗ --file: standard input is empty; it must hold an order as JSON\n',
    ])
    const reset = await bash('shipx local reset --db big.sqlite <&-')
    expect([reset.exit, existsSync(big)]).toEqual([8, true])
    expect(reset.stderr).toContain('add --yes')
  })

  test.each(
    first(2, [
      [['shipments', 'list', '--status', 'transit', '--json'], 2],
      [['rates', '--json'], 2],
      [['stores', 'get', 'nobody', '--jsonl'], 3],
      [['local', 'reset', '--json'], 8],
      [['stores', 'lst', '--jsonl'], 2],
      [['stores', 'list', '--jsn', '--json'], 2],
      [['local', 'import', 'shipments', '-', '--json'], 2],
    ] as const),
  )('under --json and --jsonl holds nothing but data, and the error is one line of JSON: %j', async (args, exit) => {
    const { stdout, stderr, exit: status } = await shipx([...args, '--db', big], { input: '{"broken\n' })
    expect([status, stdout]).toEqual([exit, ''])
    expect(stderr.split('\n')).toHaveLength(2)
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> }
    expect(Object.keys(error)).toEqual([
      'code',
      'message',
      'status',
      'details',
      'hint',
      'retryable',
      'retry_after_ms',
      'exit_code',
    ])
    expect(error['exit_code']).toBe(exit)
  })

  test.each(
    first(2, [
      [['rates', '--csv'], 2],
      [['shipments', 'list', '--excel', '--status', 'ndr'], 2],
      [['local', 'reset', '--ids'], 8],
      [['stores', 'lst', '--tsv'], 2],
      [['stores', 'list', '--jsn', '--excel'], 2],
      [['stores', 'get', 'nobody', '--table'], 3],
    ] as const),
  )('an error of those who read CSV, ids or a table is text: %j', async (args, exit) => {
    for (const env of [{}, { SHIPX_FORMAT: 'json' }]) {
      const told = await shipx([...args, '--db', big], { env })
      expect([told.exit, told.stdout, told.stderr.includes('✗ '), told.stderr.includes('{')]).toEqual([
        exit,
        '',
        true,
        false,
      ])
    }
  })

  test.each(
    first(2, [
      ['json', true],
      ['jsonl', true],
      ['csv', false],
      ['excel', false],
      ['ids', false],
      ['table', false],
    ] as const),
  )('SHIPX_FORMAT=%s and a profile of that format: an error is JSON: %j', async (format, inJson) => {
    const config = join(box.folder, `config-${format}`)
    mkdirSync(config, { recursive: true, mode: 0o700 })
    writeFileSync(join(config, 'config.json'), JSON.stringify({ current: 'own', profiles: { own: { format } } }), {
      mode: 0o600,
    })
    const own = { SHIPX_CONFIG_DIR: config }
    for (const env of [{ SHIPX_FORMAT: format }, own]) {
      const { exit, stdout, stderr } = await shipx(['stores', 'get', 'nobody', '--db', big], { env })
      expect([exit, stdout, stderr.startsWith('{"error"')]).toEqual([3, '', inJson])
    }
    const back = await shipx(['stores', 'list', '--limit', '1', '--table', '--db', big], { env: own })
    expect(back.stdout.split('\t').length).toBeGreaterThan(3)
  })

  test('a clock that is no time is one line of JSON as well', async () => {
    const { stdout, stderr, exit } = await shipx(['stores', 'list', '--json'], { env: { SHIPX_NOW: 'yesterday' } })
    expect([exit, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid_input', exit_code: 2 } })
  })
})
