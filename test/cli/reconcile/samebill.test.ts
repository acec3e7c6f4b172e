// The same bill or remittance again, whose it is, and what became of one that was replaced: what a finance reader
// stumbled over, each found wrong once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standsIn, type Standing } from '../../../src/cli/commands/reconcile/samebill.ts'
import { carriersOf, severalText } from '../../../src/cli/commands/reconcile/billers.ts'
import { sandbox } from '../../support/sandbox.ts'
import { codParcel } from './cods.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const awbs = Array.from({ length: 8 }, (_, i) => String(7001 + i))
const others = ['7101', '7102'].map((awb) => shipment(awb, { carrier_id: 'BLU', carrier_name: 'Blue Dart' }))
const cash = awbs.map((awb) => codParcel(`9${awb}`))
beforeAll(() => prepare(box, [...awbs.map((awb) => shipment(awb)), ...others, ...cash]))

const head = 'AWB,Zone,Weight (g),Freight,GST,Total'
const bill = (name: string, of: readonly string[] = awbs, total = '47.20', header = head): string =>
  box.file(name, [header, ...of.map((awb) => `${awb},c,400,40,7.20,${total}`)].join('\n'))
const read = (path: string, ...words: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', path, '--jsonl', ...words])
const keep = (path: string, ...words: readonly string[]) => read(path, '--yes', ...words)
const errorOf = (stderr: string) =>
  (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string; message: string; hint: string } }).error
const documents = async () =>
  (await box.shipx(['invoices', 'list', '--jsonl', '--fields', 'number,courier,state'])).stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { number: string; courier: string | null; state: string })

describe('the same bill', () => {
  test('without --courier or with its courier in another case it was kept a second time', async () => {
    const first = await keep(bill('first.csv'), '--number', 'SEP', '--courier', 'delhivery')
    expect(first.exit).toBe(0)
    // The spelling of the parcels.
    expect(await documents()).toEqual([{ number: 'SEP', courier: 'Delhivery', state: 'kept' }])
    const again = bill('again.csv', awbs.toReversed())
    for (const more of [[], ['--courier', 'DELHIVERY']]) {
      const { exit, stdout, stderr } = await keep(again, '--number', 'SEP', ...more)
      expect([exit, stdout]).toEqual([5, ''])
      expect(errorOf(stderr)).toMatchObject({
        code: 'document_differs',
        message: 'invoice SEP of Delhivery is kept already, from another file',
        hint: 'if this file corrects it, --replace judges this one in its place; what is kept: shipx invoices get SEP',
      })
    }
    const other = await keep(again, '--number', 'S-9')
    expect([other.exit, errorOf(other.stderr)]).toMatchObject([
      5,
      {
        code: 'document_exists',
        message: 'this is invoice SEP of Delhivery again: 8 of the first 8 lines stand there with the same amounts',
        hint: expect.stringContaining('a correction of it: --number SEP --replace --courier Delhivery') as string,
      },
    ])
    expect(await documents()).toHaveLength(1)
  })

  test('a corrected file was judged against the one that it corrects in a dry run', { tags: ['full'] }, async () => {
    const better = bill('better.csv', awbs.slice(1))
    const dry = await read(better, '--number', 'SEP', '--dry-run')
    expect([dry.exit, dry.stdout, errorOf(dry.stderr).code]).toEqual([5, '', 'document_differs'])
    const { exit, stdout } = await read(better, '--number', 'SEP', '--dry-run', '--replace')
    expect([exit, stdout.includes('billed_before')]).toEqual([0, false])
  })

  test('a courier that bills a month twice can be judged all the same', { tags: ['full'] }, async () => {
    const { exit, stdout } = await read(bill('twice.csv', awbs.toReversed()), '--number', 'OCT', '--dry-run', '--force')
    expect([exit, stdout.match(/"category":"billed_before"/g)?.length]).toEqual([0, 8])
  })

  test('the same file under another case of its courier was called another document', { tags: ['full'] }, async () => {
    for (const courier of ['DELHIVERY', 'DLV', 'delhi']) {
      const words = ['reconcile', 'invoice', bill('first.csv'), '--courier', courier]
      const { exit, stderr } = await box.shipx(words)
      expect([exit, stderr]).toEqual([
        0,
        expect.stringContaining('is kept as invoice SEP already; nothing was changed'),
      ])
    }
    const other = await keep(bill('first.csv'), '--courier', 'Blue Dart')
    expect([other.exit, errorOf(other.stderr).code]).toEqual([5, 'document_exists'])
  })
})

describe('whose bill it is', { tags: ['full'] }, () => {
  test('a misspelt courier was accepted without a word', async () => {
    const path = bill('few.csv', ['7101', '7102'])
    const dry = await read(path, '--courier', 'Blue Dartt', '--dry-run')
    expect([dry.exit, dry.stderr]).toEqual([
      0,
      expect.stringContaining('has a courier called "Blue Dartt". Did you mean Blue Dart?'),
    ])
    const kept = await keep(path, '--courier', 'Blue Dartt', '--number', 'B-1')
    expect([kept.exit, errorOf(kept.stderr)]).toMatchObject([
      2,
      {
        message: expect.stringContaining('Did you mean Blue Dart?') as string,
        hint: '--force keeps it under this name',
      },
    ])
    const unknown = await read(path, '--courier', 'Zippy', '--dry-run', '--force')
    expect(unknown.stderr).toContain('No parcel, rate card or kept document has a courier called "Zippy".')
    expect((await read(path, '--courier', 'blue dart', '--dry-run')).stderr).not.toContain('called')
  })

  test('parcels of several couriers: a dry run says so, and keeping asks for the courier', async () => {
    const path = bill('mixed.csv', [...awbs.slice(0, 3), '7101', '7102'], '47.21')
    const several = 'its parcels went with Delhivery (3), Blue Dart (2); say whose it is: --courier Delhivery'
    const dry = await read(path, '--dry-run', '--number', 'MIX')
    expect([dry.exit, dry.stderr]).toEqual([0, expect.stringContaining(`The file names no courier, and ${several}`)])
    const refused = await keep(path, '--number', 'MIX')
    expect([refused.exit, errorOf(refused.stderr).message]).toEqual([2, expect.stringContaining(several)])
    expect((await keep(path, '--number', 'MIX', '--courier', '')).exit).toBe(0)
  })

  test('a document without a courier could not be named', async () => {
    expect((await keep(bill('mix2.csv', ['7101']), '--number', 'MIX2', '--courier', 'Blue Dart')).exit).toBe(0)
    const got = await box.shipx(['invoices', 'get', 'MIX', '--courier', '', '--json'])
    expect([got.exit, JSON.parse(got.stdout)]).toMatchObject([0, { data: { number: 'MIX', courier: null } }])
    expect((await box.shipx(['invoices', 'get', 'MIX', '--courier', 'Blue Dart'])).exit).toBe(3)
    expect((await box.shipx(['invoices', 'remove', 'MIX', '--courier', '', '--yes'])).exit).toBe(0)
  })

  test('a saved map did not keep the courier', async () => {
    const path = bill('mapped.csv', ['7102'], '47.20', head.replace('AWB', 'Dkt'))
    const map = ['--map', 'Dkt=awb', '--save-map', 'blue', '--courier', 'Blue Dart', '--number', 'M-1']
    expect((await keep(path, ...map)).exit).toBe(0)
    expect((await box.shipx(['map', 'show', 'blue', '--json'])).stdout).toContain('"courier":"Blue Dart"')
    const next = bill('next.csv', ['7101'], '59.00', head.replace('AWB', 'Dkt'))
    const { exit, stderr } = await read(next, '--use-map', 'blue', '--dry-run', '--number', 'M-2')
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('names no courier')])
  })

  test('--yes was asked for before --number: both are said at once', async () => {
    const { exit, stderr } = await box.shipx(['reconcile', 'invoice', bill('bare.csv', awbs.slice(2))])
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/2 things to fix\n {2}--number .*\n {2}--yes /)])
  })
})

test('a replaced invoice looked live in the list', { tags: ['full'] }, async () => {
  expect((await keep(bill('better.csv', awbs.slice(1)), '--number', 'SEP', '--replace')).exit).toBe(0)
  const own = (await documents()).filter(({ number }) => number === 'SEP')
  expect(own.map(({ state }) => state)).toEqual(['kept', 'replaced'])
  const { stdout, stderr } = await box.shipx(['invoices', 'list'], { env: { SHIPX_FORCE_TTY: '160', NO_COLOR: '1' } })
  expect(stdout).toMatch(/^NUMBER +STATE +COURIER/m)
  expect(stdout).toMatch(/^SEP +replaced +Delhivery/m)
  expect(stderr).toContain('1 replaced invoice counts nowhere.')
})

test('the same remittance under another number or case of the courier was kept twice', { tags: ['full'] }, async () => {
  const paid = (name: string, order: readonly string[]): string =>
    box.file(name, ['AWB,Remitted Amount,Date', ...order.map((awb) => `9${awb},500,14-09-2026`)].join('\n'))
  const cod = (path: string, ...words: readonly string[]) => box.shipx(['reconcile', 'cod', path, '--json', ...words])
  const path = paid('one.csv', awbs)
  const first = await cod(path, '--yes', '--number', 'R-1')
  expect(first.exit).toBe(0)
  // Judged for all couriers, and kept as that of its parcels.
  expect((await cod(path)).stdout).toBe(first.stdout)
  expect((await box.shipx(['cod', 'list', '--jsonl'])).stdout).toContain('"courier":"Delhivery"')
  const again = paid('two.csv', awbs.toReversed())
  for (const [words, code] of [
    [['--number', 'R-1', '--courier', 'DELHIVERY', '--dry-run'], 'document_differs'],
    [['--number', 'R-1', '--yes'], 'document_differs'],
    [['--number', 'R-2', '--yes'], 'document_exists'],
  ] as const) {
    const { exit, stderr } = await cod(again, ...words)
    expect([exit, errorOf(stderr)]).toMatchObject([5, { code, message: expect.stringContaining('remittance R-1') }])
  }
  expect((await cod(again, '--number', 'R-1', '--replace', '--yes')).exit).toBe(0)
  const misspelt = await cod(paid('three.csv', awbs.slice(1)), '--courier', 'Delhivary', '--yes')
  expect([misspelt.exit, misspelt.stderr]).toEqual([2, expect.stringContaining('Did you mean Delhivery?')])
})

describe('what says that a file is kept already', () => {
  const line = (amount: number, number: string, again = true): Standing => ({
    amount,
    again,
    before: [{ number, amount: 4720 }],
  })
  const many = (n: number, one: Standing): readonly Standing[] => Array.from({ length: n }, () => one)

  test('nearly all lines with the same amounts in one document', () => {
    expect(standsIn(many(10, line(4720, 'SEP')), 'X')).toEqual({ number: 'SEP', lines: 10 })
    expect(standsIn([...many(9, line(4720, 'SEP')), line(1, 'SEP')], 'X')).toEqual({ number: 'SEP', lines: 9 })
    expect(standsIn([...many(8, line(4720, 'SEP')), ...many(2, line(1, 'SEP'))], 'X')).toBeUndefined()
    expect(standsIn([...many(5, line(4720, 'SEP')), ...many(5, line(4720, 'AUG'))], 'X')).toBeUndefined()
  })

  test('few lines say it only of the same number, and RTO at the price of the way out says nothing', () => {
    expect(standsIn(many(2, line(4720, 'SEP')), 'X')).toBeUndefined()
    expect(standsIn(many(2, line(4720, 'SEP')), 'SEP')).toEqual({ number: 'SEP', lines: 2 })
    expect(standsIn(many(10, line(4720, 'SEP', false)), 'X')).toBeUndefined()
    expect(standsIn([], 'X')).toBeUndefined()
  })

  test('couriers of parcels are counted without case', () => {
    const of = (name: string | null) => ({ parcel: { carrier_name: name } })
    const carriers = carriersOf([of('Blue Dart'), of('BLUE DART'), of('Delhivery'), of(null), { parcel: undefined }])
    expect(carriers).toEqual([
      ['Blue Dart', 2],
      ['Delhivery', 1],
    ])
    expect(severalText(carriers)).toContain(`--courier 'Blue Dart', or --courier "" for a bill of several couriers`)
  })
})
