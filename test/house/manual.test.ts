// Defends what shipx says of itself: help of every command at every width, the manual page, and the command tree as it was.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { first } from '../support/size.ts'
import { tree } from '../../src/cli/commands/table.ts'
import { exitMeanings } from '../../src/cli/commands/rows/topics.ts'
import { helpOn } from '../../src/cli/help/help.ts'
import { sandbox } from '../support/sandbox.ts'
import { elsewhere } from '../../src/cli/args/otherwords.ts'
import { shipxOn } from '../support/pty.ts'
import { root } from '../support/checkout.ts'

const box = sandbox()
afterAll(() => box.remove())

const same = (text: string): string => text
const plain = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same, cyan: same, magenta: same }
const every: readonly (readonly string[])[] = [
  [],
  ...tree.groups.map(({ name }) => [name]),
  ...tree.commands.map(({ path }) => path),
  ...tree.topics.map(({ name }) => [name]),
]

describe('help', () => {
  test.each([40, 60, 80, 100])('fits a terminal of %i columns, and loses no word', (columns) => {
    for (const words of every) {
      const [wide, narrow] = [undefined, columns].map((width) => helpOn(tree, words, { paint: plain, columns: width })!)
      const lines = narrow!.split('\n').filter((line) => !/^ *\$ /.test(line))
      // A single word that is longer than the line is left whole.
      const long = lines.filter((line) => line.length > columns && line.trim().includes(' '))
      expect([words.join(' '), long]).toEqual([words.join(' '), []])
      const wordsOf = (text: string) => text.split(/\s+/).join(' ')
      expect(wordsOf(narrow!)).toBe(wordsOf(wide!))
    }
  })

  test('is wrapped on a real terminal and as it is in a pipe', async () => {
    const terminal = shipxOn(box, ['stores', 'import', '--help'], { columns: 40, rows: 120 })
    expect(await terminal.ended()).toBe(0)
    const lines = terminal.screen().split('\n')
    expect(lines[0]).toBe('Create many stores from a file. The')
    expect(lines.filter((line) => line.length > 40)).toEqual([])
    const { stdout } = await box.shipx(['stores', 'import', '--help'])
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeGreaterThan(100)
  })

  test('shipx help <words> is what --help says', { tags: ['full'] }, async () => {
    for (const words of [
      [],
      ['rates'],
      ['stores'],
      ['stores', 'import'],
      ['local', 'warehouse'],
      ['completion'],
      ['completion', 'install'],
    ]) {
      const [one, other] = [await box.shipx(['help', ...words]), await box.shipx([...words, '--help'])]
      expect([words, one.exit, one.stdout]).toEqual([words, 0, other.stdout])
    }
  })

  test('every command tells its exit codes, each of them one that there is, and its output when it has a format', () => {
    for (const { path, exits, output } of tree.commands) {
      const codes = [...exits.matchAll(/(?:^|· )(\d+) /g)].map((match) => Number(match[1]))
      expect([path, codes.length > 0, codes.filter((code) => exitMeanings[code] === undefined)]).toEqual([
        path,
        true,
        [],
      ])
      if (!['help', 'completion', 'serve'].includes(path.join(' ')))
        expect([path, output]).toEqual([path, expect.any(String)])
    }
  })
})

describe('a misspelt word', () => {
  test.each(
    first(6, [
      [['stroes'], 'Did you mean stores?'],
      [['shipment', 'list'], 'Did you mean shipments?'],
      [['stores', 'lst'], 'Did you mean list?'],
      [['rate'], 'Did you mean rates?'],
      [['local', 'warehouse', 'lst'], 'Did you mean list?'],
      [['completion', 'instal'], 'Did you mean install?'],
      [['help', 'stroes'], 'Did you mean stores?'],
      [['help', 'stores', 'imprt'], 'Did you mean stores import?'],
      [['rates', '--frm', '400001'], 'Did you mean --from?'],
      [['shipments', 'list', '--status', 'transit'], 'Did you mean in_transit?'],
      [['shipmnts', 'list', '--limit', '3'], 'unknown command "shipmnts". Did you mean shipments?'],
      [['shipments', 'lst', '--limit', '3'], 'unknown command "lst" for shipx shipments. Did you mean list?'],
      [['--tz', 'UTC', 'shipmnts', 'list', '--limit', '3'], 'Did you mean shipments?'],
      [
        ['local', 'warehose', 'set', '--pincod', '1'],
        'unknown command "warehose" for shipx local. Did you mean warehouse?',
      ],
      [['shipments', '--limit', '3'], 'shipx shipments has no flag --limit'],
      [['shipments', 'list', '--limt', '3'], 'shipx shipments list has no flag --limt. Did you mean --limit?'],
      [['orders', 'list', '--limit', '3'], 'there is no shipx orders list; use shipx shipments list'],
      [['orders', 'track', '1434494'], '→ shipx shipments get 1434494'],
      [['auth', 'whoami'], 'use shipx auth status'],
      [['version', '--json'], 'use shipx --version'],
      [['ls'], 'use shipx shipments list'],
      [['shipments', 'list', '--json', 'tracking_number'], '--json: takes no fields; use --fields tracking_number'],
      [['shipments', 'stuck', '--excel', 'calls.xlsx'], '--excel: takes no file; use --xlsx calls.xlsx'],
      [['shipments', 'stuck', '--csv', 'calls.csv'], '--csv: takes no file; use --csv > calls.csv'],
      [['shipments', 'list', '--all', 'more'], '--all: takes no value'],
      [['shipments', 'list', '--status', 'in_transit,out_for_delivry'], 'Did you mean out_for_delivery?'],
      [['returns', 'list', '--status', 'pickup_scheduled,return_recieved'], 'Did you mean return_received?'],
    ]),
  )('%j exits 2 and is put right', async (words, near) => {
    const { exit, stdout, stderr } = await box.shipx(words)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain(near)
  })

  test.each([[['serviceability', '--to', '560001']]])(
    '%j exits 2, and nothing is guessed that is not near',
    async (words) => {
      const { exit, stderr } = await box.shipx(words)
      expect([exit, /Did you mean --(cod|tz|to)/.test(stderr)]).toEqual([2, false])
    },
  )

  test('leads to a command that is there, wherever it was looked for', () => {
    for (const line of Object.values(elsewhere)) {
      const words = line.split(' ').filter((word) => !word.startsWith('<') && !word.startsWith('-'))
      expect([
        line,
        words.length === 0 || tree.commands.some(({ path }) => path.join(' ') === words.join(' ')),
      ]).toEqual([line, true])
    }
  })

  test('names of stores and couriers', { tags: ['full'] }, async () => {
    await box.shipx(['local', 'seed', '--shipments', '20', '--returns', '5'])
    const said = async (...words: readonly string[]) => (await box.shipx(words)).stderr
    expect(await said('stores', 'get', 'neem-kitchn')).toContain('Did you mean neem-kitchen?')
    expect(await said('shipments', 'list', '--store', 'neem-kitchn')).toContain('Did you mean neem-kitchen?')
    expect(await said('returns', 'list', '--store-name', 'tulsi')).toContain('Did you mean tulsi-label?')
    expect(await said('shipments', 'list', '--carrier-id', 'swift-air')).toContain(
      'Did you mean SwiftAir (CAR8SWIFTA1R9)?',
    )
    expect(await said('shipments', 'list', '--store', 'neem-kitchen', '--search', 'nothing-like-it')).not.toContain(
      'Did you mean',
    )
    const rates = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid']
    expect(await said(...rates, '--courier', 'swiftair2')).toContain('Did you mean "SwiftAir"?')
  })
})

describe('the order of words', () => {
  test.each(
    first(1, [
      [['stores', 'list'], ['--json']],
      [['stores', 'get', 'neem-kitchen'], ['--json']],
      [['shipments', 'list', '--limit', '3'], ['--csv']],
      [['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid'], ['--json']],
      [
        ['local', 'warehouse', 'list'],
        ['--account', 'default', '--jsonl'],
      ],
    ]),
  )('%j: flags of every command go anywhere', async (words, flags) => {
    const usual = await box.shipx([...words, ...flags])
    expect([usual.exit, usual.stdout.length > 0]).toEqual([0, true])
    for (let at = 0; at <= words.length; at++) {
      if (words[at - 1]?.startsWith('-') === true) continue
      const moved = await box.shipx([...words.slice(0, at), ...flags, ...words.slice(at)])
      expect([at, moved.exit, moved.stdout]).toEqual([at, 0, usual.stdout])
    }
  })
})

describe('the manual page', () => {
  const path = join(root, 'dist', 'shipx.1')
  const text = readFileSync(path, 'utf8')

  test('has every command, every flag that help shows, and every topic', () => {
    for (const { path: words } of tree.commands)
      expect(text).toContain(`.SS shipx ${words.join(' ').replaceAll('-', '\\-')}`)
    const flags = [...tree.globals, ...tree.commands.flatMap((command) => command.flags)]
    for (const { name, hidden } of flags)
      if (hidden !== true) expect(text).toContain(`\\fB\\-\\-${name.replaceAll('-', '\\-')}\\fR`)
    for (const { summary } of tree.topics) expect(text).toContain(`.SH ${summary.toUpperCase()}`)
  })

  test('no line begins with what roff would take for a request', () => {
    const requests = new Set(['.TH', '.SH', '.SS', '.TP', '.PP', '.B', '.I', '.nf', '.fi', '.RS', '.RE'])
    const wrong = text.split('\n').filter((line) => /^[.']/.test(line) && !requests.has(line.split(' ')[0]!))
    expect(wrong).toEqual([])
  })

  const run = (program: string, args: readonly string[]) => spawnSync(program, args, { encoding: 'utf8' })
  const has = (program: string): boolean => run('which', [program]).status === 0

  // Minimal systems have no groff; the two tests above look at the text itself.
  test.skipIf(!has('groff'))('groff sets it without a warning', () => {
    const { stdout, stderr, status } = run('groff', ['-man', '-Tutf8', '-ww', '-K', 'utf8', path])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('shipx')
  })

  // mandoc is the reader of macOS and Alpine.
  test.skipIf(!has('mandoc'))('mandoc reads it without an error', () => {
    expect(run('mandoc', ['-T', 'lint', '-W', 'error', path]).status).toBe(0)
  })
})

describe('the command tree', () => {
  const path = join(root, 'test/house/commandtree.txt')
  const now = [
    `shipx ${tree.globals.map(({ name, short }) => `--${name}${short === undefined ? '' : ` -${short}`}`).join(' ')}`,
    ...tree.commands.map(({ path: words, args, flags }) =>
      [
        ...words,
        ...args.map(({ name }) => `<${name}>`),
        ...flags.map(({ name, short }) => `--${name}${short === undefined ? '' : ` -${short}`}`),
      ].join(' '),
    ),
    `help ${tree.topics.map(({ name }) => name).join(' ')}`,
  ]
  if (process.env['UPDATE'] === '1' || !existsSync(path)) writeFileSync(path, `${now.join('\n')}\n`)
  const before = readFileSync(path, 'utf8').trimEnd().split('\n')

  /** What a line is about: the words before its flags and arguments. */
  const subject = (line: string): string => line.split(/ (?=[<-])/)[0]!

  test('nothing that scripts rely on has disappeared', () => {
    const gone = before.flatMap((line) => {
      const name = subject(line)
      if (name.startsWith('help '))
        return line
          .split(' ')
          .filter((topic) => !now.at(-1)!.split(' ').includes(topic))
          .map((topic) => `help ${topic}`)
      const same = now.find((other) => subject(other) === name)
      if (same === undefined) return [`the command ${name}`]
      const there = new Set(same.split(' '))
      return line
        .split(' ')
        .filter((word) => word.startsWith('-') && !there.has(word))
        .map((word) => `${name} ${word}`)
    })
    expect(gone, 'these have disappeared from the command tree; scripts may use them').toEqual([])
  })

  test('what is new is written down: UPDATE=1 npx vitest run test/house/manual.test.ts', () => {
    expect(now).toEqual(before)
  })
})
