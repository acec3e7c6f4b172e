// The oracle against the program: invented months in every form, wide and as a ledger, clean and noisy, in both orders of
// the split. The reasons of every line add up to its difference.
// @module-tag full: whole months beside an oracle
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { runs } from '../../support/size.ts'
import { cardOf, invented, skuSheet, versions, type Invented } from './invented.ts'
import type { Line } from './invoices.ts'
import { judged, type Judgement, type Ledger, type Terms } from './oracle.ts'
import { formsOfSheets, sheetOf, type Sheet } from './printedforms.ts'

/** A sandbox with the records, the contract in two versions and an invoice before. */
async function month({ parcels, before }: Invented): Promise<Sandbox> {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const run = async (...words: readonly string[]): Promise<void> =>
    expect([words, await box.shipx(words)]).toMatchObject([words, { exit: 0 }])
  const [first, second] = versions.map((version, n) => box.file(`card${n}.json`, JSON.stringify(cardOf(version))))
  const records = parcels.map(({ record }) => `${record}\n`).join('')
  await run('local', 'import', 'shipments', box.file('shipments.jsonl', records), '--yes')
  await run('local', 'warehouse', 'set', 'WH1', '400001')
  await run('ratecard', 'import', first!, '--use')
  await run('ratecard', 'import', second!, '--valid-from', versions[1]!.from)
  await run('skus', 'import', box.file('skus.csv', skuSheet), '--yes')
  if (before.length > 0) {
    const path = box.file('early.csv', ['awb,freight', ...before.map((awb) => `${awb},10`)].join('\n'))
    await run('reconcile', 'invoice', path, '--number', 'EARLY', '--courier', 'Delhivery', '--yes', '--force', '--csv')
  }
  return box
}

/** What the oracle says of the lines of a sheet in a form. */
function expectedOf(
  form: string,
  { printed, terms: known }: Sheet,
  before: readonly string[],
  rest: Partial<Terms>,
): readonly Judgement[] {
  const terms = { ...known, order: 'zone', tolerance: 0n, weightTolerance: 0n, ...rest } as Terms
  const ledgers = new Map<string, Ledger>()
  const early = new Set(before)
  return printed.map(({ line, truth }) => {
    // What a courier billed that did not carry the parcel counts for its own bills alone, not for an aggregator's.
    const byItself = terms.biller === 'Delhivery' && form !== 'shiprocket'
    const its = truth === undefined || truth.courier === 'Delhivery' || byItself
    const was = early.has(line.awb) && its
    const ledger = ledgers.get(line.awb) ?? {
      here: new Set<string>(),
      hereSum: 0n,
      before: new Set(was ? ['forward'] : []),
      beforeSum: was ? 1000n : 0n,
    }
    ledgers.set(line.awb, ledger)
    return judged(line, truth, versions, ledger, terms)
  })
}

const rupees = (paise: bigint | undefined): number | null => (paise === undefined ? null : Number(paise) / 100)
const sorted = (reasons: readonly (readonly [string, number | null])[]): string =>
  JSON.stringify(reasons.toSorted(([a], [b]) => (a < b ? -1 : 1)))
const paiseOf = (amount: number | null): number => Math.round((amount ?? 0) * 100)

/** The first lines in which both differ, and the codes that came. */
function compared(lines: readonly Line[], wanted: readonly Judgement[]): { wrong: unknown[]; codes: Set<string> } {
  const wrong: unknown[] = []
  const codes = new Set<string>()
  for (const [n, due] of wanted.entries()) {
    const found = lines[n]!
    const own = [found['journey'], found.verdict, found.category, found.billed, found.expected]
    const all = [due.journey, due.verdict, due.category, rupees(due.billed), rupees(due.expected)]
    const reasons = sorted(found.reasons.map(({ code, amount }) => [code, amount]))
    const dueReasons = sorted([...due.reasons].map(([code, amount]) => [code, rupees(amount)]))
    const sum = found.reasons.reduce((total, { amount }) => total + paiseOf(amount), 0)
    const adds = found.difference === null || sum === paiseOf(found.difference)
    for (const code of due.reasons.keys()) codes.add(code)
    if (wrong.length < 3 && (String(own) !== String(all) || reasons !== dueReasons || !adds))
      wrong.push({ awb: found.awb, line: found['line'], own: [...own, reasons], due: [...all, dueReasons] })
  }
  return { wrong, codes }
}

/** Judges an invented month in a form with the program and the oracle. */
async function agreed(box: Sandbox, all: Invented, form: string, seed: number, noisy: boolean): Promise<Set<string>> {
  const sheet = sheetOf(form, all.bills, seed, noisy)
  const path = box.file(`${form}.csv`, sheet.text)
  const codes = new Set<string>()
  const inOrder = async (order: 'zone' | 'weight'): Promise<void> => {
    // A tolerance of a rupee and one of weight in one of the two runs.
    const [tolerance, weightTolerance] = order === 'weight' ? ([100n, 20_000n] as const) : ([0n, 0n] as const)
    const flags = [
      '--order',
      order,
      '--tolerance',
      String(tolerance / 100n),
      '--weight-tolerance',
      `${weightTolerance / 100n}g`,
    ]
    const words = ['reconcile', 'invoice', path, '--dry-run', '--jsonl', '-q', '--force', ...flags, ...sheet.flags]
    const { stdout, stderr, exit } = await box.shipx(words)
    expect([form, exit, stderr]).toEqual([form, 0, stderr])
    const lines = stdout.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Line]))
    const wanted = expectedOf(form, sheet, all.before, { order, tolerance, weightTolerance })
    expect([form, lines.length]).toEqual([form, wanted.length])
    const found = compared(lines, wanted)
    expect({ form, order, wrong: found.wrong }).toEqual({ form, order, wrong: [] })
    for (const code of found.codes) codes.add(code)
  }
  await Promise.all([inOrder('zone'), inOrder('weight')])
  return codes
}

/** Every reason, and every way in which a line cannot be judged that such a month has. */
const everyCode = (
  'arithmetic billed_before cod_not_reversed cod_on_prepaid cod_rate credit_first duplicate fuel gst ' +
  'gst_on_difference no_card_for_day no_weight no_zone not_shipped other_courier qc rate reverse rounding rto_not_returned ' +
  'rto_rate surcharge unknown_awb weight zone'
).split(' ')

/** SHIPX_ORACLE=all: twenty seeds, each in every form. Otherwise ten, in `.ci/run` four, of which two go through every form. */
const [seeds, whole] = process.env['SHIPX_ORACLE'] === 'all' ? [20, 20] : [runs(4, 10), 2]
const lines = runs(2000, 5000)

const formsOf = (seed: number): readonly string[] =>
  seed < whole ? formsOfSheets : [formsOfSheets[seed % formsOfSheets.length]!]

describe('the oracle agrees on every line', () => {
  test.each([...Array(seeds).keys()])(`seed %i: ${lines} lines in a form`, { timeout: 900_000 }, async (seed) => {
    const noisy = seed % 4 > 0
    const all = invented(seed + 1, lines, noisy)
    const box = await month(all)
    const codes = new Set<string>()
    for (const form of formsOf(seed))
      for (const code of await agreed(box, all, form, seed, noisy))
        // Tax that is taken out of each amount leaves paise.
        if (noisy || form !== 'inside') codes.add(code)
    if (seed < whole) expect([...codes].toSorted()).toEqual(noisy ? everyCode : [])
    else expect(codes.size > 5).toBe(noisy)
  })

  test('a small month, wide and as a ledger', async () => {
    const all = invented(77, 200, true)
    const box = await month(all)
    for (const form of ['delhivery', 'ledger']) expect((await agreed(box, all, form, 77, true)).size).toBeGreaterThan(9)
  })
})
