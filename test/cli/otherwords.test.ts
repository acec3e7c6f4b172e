// Defends what a user may type instead of a command's own words: short forms, flags in front, aliases, --jq and --no-header.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expanded, shellWords } from '../../src/cli/args/aliases.ts'
import { elsewhere, shortForms, straightened } from '../../src/cli/args/otherwords.ts'
import { readFlags, readWords } from '../../src/cli/args/parse.ts'
import { tree } from '../../src/cli/commands/table.ts'
import { nearestName } from '../../src/domain/nearest.ts'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const box = sandbox()
beforeAll(async () => {
  await box.shipx(['local', 'seed', '--shipments', '60', '--returns', '5'])
})
afterAll(() => box.remove())

const words = (line: string): readonly string[] => shellWords(line)!

/** What the program prints for a line, as a shell would part it. */
const shipx = (line: string): ReturnType<typeof box.shipx> => box.shipx(words(line))

describe('a command line with other words', () => {
  test.each([
    ['track 1500', 'shipments get 1500'],
    ['--json track 1500', 'shipments get --json 1500'],
    ['ndr --limit 3', 'shipments ndr --limit 3'],
    ['whoami', 'auth status'],
    ['login --profile acme', 'auth login --profile acme'],
    ['stores ls --limit 1', 'stores list --limit 1'],
    ['local warehouse ls', 'local warehouse list'],
    ['--limit 3 shipments list', 'shipments list --limit 3'],
    ['shipments --limit 3 list --json', 'shipments list --limit 3 --json'],
    ['--cod shipments list', 'shipments list --cod'],
    ['--from 400001 rates --cod 500', 'rates --from 400001 --cod 500'],
  ])('%s means %s', (typed, meant) => {
    expect(straightened(tree, words(typed))).toEqual(words(meant))
    const [read, own] = [readWords(tree, words(typed)), readWords(tree, words(meant))]
    expect([read.command?.path, read.args, readFlags(read.given)]).toEqual([
      own.command?.path,
      own.args,
      readFlags(own.given),
    ])
  })

  test.each(['stores list', 'rates --from 400001', '--json stores list', 'shipments get ls', 'frobnicate'])(
    '%s stays as it is',
    (line) => {
      const straight = straightened(tree, words(line))
      expect(straight === undefined || straight.join(' ') === 'stores list --json').toBe(true)
    },
  )

  test('help on a short form said that there is none: it is the help of its command', async () => {
    for (const [word, path] of Object.entries(shortForms)) {
      const { exit, stdout } = await shipx(`help ${word}`)
      expect([exit, stdout]).toEqual([0, (await shipx(`help ${path.join(' ')}`)).stdout])
    }
  })

  test('every short form leads to a command, and no command has its word', () => {
    for (const [word, path] of Object.entries(shortForms)) {
      expect(tree.commands.some((command) => command.path.join(' ') === path.join(' '))).toBe(true)
      expect([word, tree.commands.some((command) => command.path[0] === word), elsewhere[word]]).toEqual([
        word,
        false,
        undefined,
      ])
    }
  })

  test.each<[string, RegExp]>(
    first(8, [
      ['--limit 3 shipmnts list', /unknown command "shipmnts"\. Did you mean shipments\?/],
      ['stuk', /unknown command "stuk"\. Did you mean stuck\?/],
      ['trak 1500', /unknown command "trak"\. Did you mean track\?/],
      ['rto', /unknown command "rto"; use shipx shipments rto\n→ shipx shipments rto\n$/],
      ['import', /unknown command "import"; use shipx stores import, shipx orders import,/],
      ['export', /unknown command "export"; use .*shipx stores export,/],
      ["cancel '#15 00'", /→ shipx local cancel '#15 00'\n/],
      ["orders get '#1500'", /→ shipx shipments get '#1500'\n/],
      ['label 1500', /→ shipx orders label 1500\n/],
      ['price', /use shipx rates/],
      ['config', /use shipx profile show/],
      ['signin', /use shipx auth login/],
      ['shipments list -L 3', /has no flag -L\. Did you mean --limit\?/],
      ['orders create --amount 5', /^✗ shipx orders create has no flag --amount\n/],
      ['orders create --name Asha', /^✗ shipx orders create has no flag --name\n/],
    ]),
  )('%s exits 2 and is put right', async (line, said) => {
    const { exit, stderr } = await shipx(line)
    expect([exit, stderr]).toEqual([2, expect.stringMatching(said)])
  })

  // prettier-ignore
  test.each<[string, readonly string[], string | undefined]>([
    ['import',   ['report', 'returns'],               undefined],
    ['order',    ['sort-order', 'sort-by'],           undefined],
    ['amount',   ['account', 'all'],                  undefined],
    ['name',     ['billing-last-name', 'store-name'], undefined],
    ['no-color', ['color', 'columns'],                undefined],
    ['shipmnt',  ['shipments', 'stores'],             'shipments'],
    ['ware',     ['warehouse', 'width'],              'warehouse'],
    ['statsu',   ['status', 'store'],                 'status'],
  ])('the name nearest to %s is near, or there is none', (word, known, expected) => {
    expect(nearestName(word, known)).toBe(expected)
  })

  test('shipx version prints the version, and ndr and ls run', async () => {
    const [version, ndr, ls] = await Promise.all([shipx('version'), shipx('ndr --ids'), shipx('stores ls --ids')])
    expect(version.stdout).toMatch(/^shipx \d+\.\d+\.\d+\n$/)
    expect([ndr.exit, ls.exit, ls.stdout.split('\n').length]).toEqual([0, 0, 7])
  })

  test('a flag given twice: the last value counts, a list adds up', () => {
    const { given } = readWords(tree, words('shipments list --limit 5 --zone a --limit 1 --zone b,c'))
    const { values, faults } = readFlags(given)
    expect([values.get('limit'), values.get('zone'), faults]).toEqual(['1', ['a', 'b', 'c'], []])
  })
})

describe('an alias', () => {
  const config = join(box.env['HOME']!, '.config', 'shipx', 'config.json')

  test('runs its line with words and flags behind it, and help, completion and the overview name it', async () => {
    const made = await box.shipx(['alias', 'set', 'to', 'shipx shipments list --zone $1 --ids'])
    expect([made.exit, made.stderr]).toEqual([0, '✓ shipx to <1> now runs: shipx shipments list --zone $1 --ids\n'])
    const [own, meant] = await Promise.all([
      shipx('to zone_e --limit 2'),
      shipx('shipments list --zone zone_e --ids --limit 2'),
    ])
    expect(own.stdout).toBe(meant.stdout)
    expect(own.stdout.split('\n').length).toBe(3)
    const [help, overview, offered, missing] = await Promise.all([
      shipx('help to'),
      shipx('--help'),
      box.shipx(['complete', '--', 'to', '--gran']),
      shipx('to'),
    ])
    expect(help.stdout).toMatch(
      /^to is your alias for: shipx shipments list --zone \$1 --ids\n\nList forward shipments/,
    )
    expect(overview.stdout).toMatch(/Your aliases\n {2}to +shipments list --zone \$1 --ids\n/)
    expect(offered.stdout).toContain('--granular-status\t')
    expect([missing.exit, missing.stderr]).toEqual([2, expect.stringContaining('→ shipx to <1>')])
    const gone = await shipx('alias remove to')
    expect([gone.exit, (await shipx('to zone_e')).exit]).toEqual([0, 2])
  })

  test(
    'is kept with the profiles, which stay as they are, also by a change of a profile',
    { tags: ['full'] },
    async () => {
      await shipx('profile set origin 400001')
      await shipx("alias set s 'stores list'")
      await shipx('profile set origin 560001')
      expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
        current: 'default',
        profiles: { default: { origin: '560001' } },
        aliases: { s: 'stores list' },
      })
      await shipx('alias remove s')
      expect(Object.hasOwn(JSON.parse(readFileSync(config, 'utf8')) as object, 'aliases')).toBe(false)
    },
  )

  test('is not read for a command of shipx: a broken file of profiles does not stop help', async () => {
    const before = readFileSync(config, 'utf8')
    writeFileSync(config, '{')
    const [overview, alias] = await Promise.all([shipx('--help'), shipx('frobnicate')])
    writeFileSync(config, before)
    expect([overview.exit, alias.exit]).toEqual([0, 2])
  })

  test.each(
    first(2, [
      [['stores', 'shipments list'], /stores is a command of shipx/],
      [['track', 'shipments list'], /track is a command of shipx/],
      [['a', 'shipmnts list'], /unknown command "shipmnts"\. Did you mean shipments\?/],
      [['a', 'stores list --frob'], /has no flag --frob/],
      [['a', '!rm -rf x'], /is not a line of shipx/],
      [['a', 'stores "list'], /has a quote without an end/],
      [['a b', 'stores list'], /is not a name/],
      [['__proto__', 'stores list'], /is not a name/],
      [['a', 'stores list\n--json'], /control character/],
    ] as const),
  )('%j is refused', async (args, said) => {
    const { exit, stderr } = await box.shipx(['alias', 'set', ...args])
    expect([exit, stderr]).toEqual([2, expect.stringMatching(said)])
  })

  test('a placeholder takes one word, whatever is in it, and never parts a word', () => {
    const io = { env: {}, home: '/nowhere', platform: 'linux' } as unknown as Parameters<typeof expanded>[2]
    expect(expanded(tree, ['shipments', 'list'], io)).toBeUndefined()
    expect(shellWords(`a 'b c' "d\\"e" f\\ g ''`)).toEqual(['a', 'b c', 'd"e', 'f g', ''])
    expect(shellWords(`a 'b`)).toBeUndefined()
  })
})

describe('--jq', () => {
  test('prints what the expression selects: text as it is, other values as JSON', async () => {
    const [texts, tsv, sum] = await Promise.all([
      box.shipx(['stores', 'list', '--jq', '.data[].store_name']),
      box.shipx([
        'shipments',
        'list',
        '--limit',
        '2',
        '--jsonl',
        '--jq',
        '[.attributes.tracking_number, .type, ""] | @tsv',
      ]),
      box.shipx(['stores', 'list', '--json', '--jq=-(.data | length)']),
    ])
    expect(texts.stdout.split('\n').filter((line) => /^[a-z-]+$/.test(line)).length).toBe(6)
    expect(tsv.stdout).toMatch(/^(\d+\tshipment\t\n){2}$/)
    expect([sum.stdout, sum.stderr, sum.exit]).toEqual(['-6\n', '', 0])
  })

  test('an expression that jq does not read stops the command before it does anything', async () => {
    const made = ['stores', 'create', '--name', 'never-made', '--brand', 'Never']
    const { exit, stdout, stderr } = await box.shipx([...made, '--jq', '.data['])
    expect([exit, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^✗ --jq: syntax error, unexpected end of file/),
    ])
    expect((await shipx('stores get never-made')).exit).toBe(3)
  })

  // prettier-ignore
  test.each<[string, readonly string[], RegExp]>(first(1, [
    ['a fault in the data',        ['stores', 'list', '--jq', '.data.x'],                    /^✗ --jq: Cannot index array with string \("x"\)\n→ the command itself ran; only its output is missing\n$/],
    ['output that is not JSON',    ['completion', 'bash', '--jq', '.'],                      /^✗ --jq: reads JSON, and this command prints something else\n→ /],
    ['another format',             ['stores', 'list', '--csv', '--jq', '.'],                 /^✗ --jq and --csv exclude each other\n$/],
    ['no expression',              ['stores', 'list', '--jq'],                               /^✗ --jq: needs a value/],
  ]))('%s exits 2 with a message', async (_, line, said) => {
    const { exit, stdout, stderr } = await box.shipx(line)
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringMatching(said)])
  })

  test('a failing command keeps its own error', { tags: ['full'] }, async () => {
    const { exit, stderr } = await box.shipx(['stores', 'get', 'nope', '--jq', '.'])
    expect([exit, stderr]).toEqual([3, '✗ there is no store nope\n→ shipx stores list\n'])
  })

  test('an expression that wants all memory is refused it', { tags: ['full'] }, async () => {
    const { exit, stderr } = await box.shipx(['stores', 'list', '--jq', '[range(1000000000)] | length'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('✗ --jq: takes more than 512 MB of memory\n')])
  })

  test('an expression without an end stops after half a minute', { tags: ['full'] }, async () => {
    // Its timers run twenty times as fast: half a minute of a busy core would prove no more.
    const hurry = box.file('hurry.cjs', 'const own = setTimeout; globalThis.setTimeout = (f, ms) => own(f, ms / 20)')
    const env = { NODE_OPTIONS: `--require ${hurry}` }
    const { exit, stderr, took } = await box.shipx(['stores', 'list', '--jq', 'def f: f; f'], { env })
    expect(took).toBeGreaterThan(30_000 / 20)
    expect([exit, stderr]).toEqual([2, expect.stringContaining('✗ --jq: takes more than 30 s\n')])
  })
})

describe('--no-header and --no-color', () => {
  test('leave out the header of CSV, TSV and a table, and every colour', async () => {
    const tty = { env: { SHIPX_FORCE_TTY: '80' } }
    const [csv, tsv, excel, table] = await Promise.all([
      shipx('stores list --csv --fields store_name --no-header'),
      shipx('stores list --tsv --fields store_name --no-header'),
      shipx('stores list --excel --fields store_name --no-header'),
      box.shipx(words('stores list --no-header --no-color'), tty),
    ])
    expect([csv, tsv].map(({ stdout }) => stdout.split('\n').length)).toEqual([7, 7])
    expect(csv.stdout).toMatch(/^coromandel-toys\n/)
    expect(excel.stdout).toMatch(/^\ufeffcoromandel-toys\n/)
    expect(table.stdout).toMatch(/^coromandel-toys +Coromandel Toys +Connected\n/)
    expect(table.stdout).not.toContain('\u001b')
  })
})
