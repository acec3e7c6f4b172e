// The oracle of COD against the program, on invented months: verdicts of parcels and of UTRs, due dates, days, fees and
// ages, to the paisa and to the day.
// @module-tag full: invented months by two ways
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { runs } from '../../support/size.ts'
import {
  dayNumber,
  dayText,
  dueOf,
  expectedOf,
  missingOf,
  monthOf,
  netsOf,
  type Credit,
  type Month,
  type Payment,
} from './codoracle.ts'
import { contract } from './invoices.ts'

const rupees = (paise: bigint): string => {
  const sign = paise < 0n ? '-' : ''
  const all = String(paise < 0n ? -paise : paise).padStart(3, '0')
  return `${sign}${all.slice(0, -2)}.${all.slice(-2)}`
}

const sheetOf = (payments: readonly Payment[]): string =>
  [
    'AWB,Remitted Amount,Early COD Fee,TDS,Net Amount,UTR,Remittance Date',
    ...payments.map(({ awb, amount, fee, tds, utr, day }) =>
      [awb, rupees(amount), rupees(fee), rupees(tds), rupees(amount - fee - tds), utr, dayText(day)].join(','),
    ),
  ].join('\n')

const headers = [
  'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
  'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
] as const

/** The statement in SBI's or HDFC's form, with payments out between the credits. */
function statementOf(credits: readonly Credit[], form: 0 | 1): string {
  let balance = 10_000_000n
  const rows = credits.flatMap(({ narration, reference, amount, day }, n) => {
    balance += amount
    const text = dayText(day)
    const row =
      form === 0
        ? [text, text, narration, reference, '', `"${rupees(amount)}"`, rupees(balance)]
        : [text, narration, reference, text, '', rupees(amount), rupees(balance)]
    balance -= BigInt(n)
    const out =
      form === 0
        ? [text, text, 'UPI/RENT', '', `0.0${n % 10}`, '', rupees(balance)]
        : [text, 'RENT', '', text, `0.0${n % 10}`, '', rupees(balance)]
    return [row.join(','), out.join(',')]
  })
  return [headers[form], ...rows].join('\n')
}

type Answer = Readonly<Record<string, unknown>> & { readonly awb: string; readonly utr: string }

const cycleText = ({ cycle: { count, unit } }: Month): string => `${count}${unit}`
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

describe.each(Array.from({ length: runs(3, 20) }, (_, n) => n + 1))('seed %i', (seed) => {
  test('COD, the bank and what is owed are as worked out by hand', async () => {
    const month = monthOf(seed)
    const { parcels, payments, credits, cycle, basis } = month
    const box = sandbox()
    onTestFinished(() => box.remove())
    const run = async (...words: readonly string[]): Promise<string> => {
      const { exit, stdout, stderr } = await box.shipx(words)
      expect([words, exit, stderr]).toEqual([words, 0, stderr])
      return stdout
    }
    await run(
      'local',
      'import',
      'shipments',
      box.file('s.jsonl', parcels.map(({ record }) => `${record}\n`).join('')),
      '--yes',
    )
    await run(
      'ratecard',
      'import',
      box.file('card.json', JSON.stringify(contract({ holidays: cycle.holidays }))),
      '--use',
    )
    const days = cycle.credits.length === 0 ? 'none' : cycle.credits.map((one) => weekdays[one]!).join(',')
    const fee = basis === undefined ? 'none' : `${rupees(basis)}%`
    await run(
      'courier',
      'policy',
      'set',
      'Delhivery',
      `cod_days=${days}`,
      `early_cod=${fee}`,
      `cod_cycle=${cycleText(month)}`,
    )
    const today = dayNumber('2026-09-29')
    for (const file of [0, 1] as const) {
      const own = payments.filter((one) => one.file === file)
      // The cycle of the policy, and the same one by flag.
      const flags = file === 0 ? [] : ['--cycle', cycleText(month)]
      const bank = box.file(`bank${file}.csv`, statementOf(credits, file))
      const path = box.file(`paid${file}.csv`, sheetOf(own))
      const stdout = await run('reconcile', 'cod', path, '--json', '--yes', '--bank', bank, '--replace', ...flags)
      const answer = JSON.parse(stdout) as { data: readonly Answer[]; bank: readonly Answer[] }
      const found = answer.data.map(({ awb, verdict, due, remitted, difference, due_date, days_late, fee_due }) =>
        JSON.stringify([awb, verdict, due, remitted, difference, due_date, days_late, fee_due]),
      )
      const wanted = [...expectedOf(month, file, today)].map(([awb, one]) =>
        JSON.stringify([
          awb,
          one.verdict,
          Number(one.due) / 100,
          Number(one.remitted) / 100,
          Number(one.difference) / 100,
          one.due_date,
          one.days_late,
          one.fee_due === null ? null : Number(one.fee_due) / 100,
        ]),
      )
      expect(found.toSorted()).toEqual(wanted.toSorted())
      expect(new Set(answer.data.map(({ awb }) => awb)).size).toBe(found.length)
      const nets = netsOf(own)
      const inBank = new Map<string, bigint>()
      for (const { utr, amount } of credits) inBank.set(utr, (inBank.get(utr) ?? 0n) + amount)
      // The first remittance is kept when the second comes.
      const kept = new Set(payments.flatMap((one) => (one.file < file && !nets.has(one.utr) ? [one.utr] : [])))
      const utrs = new Set([...nets.keys(), ...inBank.keys()].filter((utr) => !kept.has(utr)))
      const bankWanted = [...utrs].map((utr) => {
        const [ofFile, ofBank] = [nets.get(utr) ?? 0n, inBank.get(utr) ?? 0n]
        const verdict = !nets.has(utr)
          ? 'not_in_file'
          : !inBank.has(utr)
            ? 'not_in_bank'
            : ofBank === ofFile
              ? 'ok'
              : ofBank < ofFile
                ? 'short'
                : 'excess'
        return JSON.stringify([utr, Number(ofFile) / 100, Number(ofBank) / 100, Number(ofBank - ofFile) / 100, verdict])
      })
      const bankFound = answer.bank.map(({ utr, file: ofFile, bank: ofBank, difference, verdict }) =>
        JSON.stringify([utr, ofFile, ofBank, difference, verdict]),
      )
      expect(bankFound.toSorted()).toEqual(bankWanted.toSorted())
    }
    const sums = JSON.parse(await run('cod', 'due', '--json')) as { data: readonly Readonly<Record<string, number>>[] }
    const ages = [0n, 0n, 0n, 0n, 0n, 0n]
    const missing = missingOf(month)
    let away = 0n
    for (const { awb, kind, amount, day, minute } of parcels) {
      const own = payments.filter((one) => one.awb === awb)
      const named = own.filter(({ utr }) => credits.some((one) => one.utr === utr))
      const said = named.reduce((sum, one) => sum + one.amount, 0n)
      const lacks = named.reduce((sum, one) => sum + (missing.get(one) ?? 0n), 0n)
      // A refund may have taken back what did not come.
      const taken = lacks < said ? lacks : said > 0n ? said : 0n
      const paid = said - taken
      if (kind !== 'delivered' || paid >= amount) continue
      away += own.reduce((sum, one) => sum + one.amount, 0n) - paid
      // Sums by day count hours from its noon.
      const due = dueOf(day, cycle.unit === 'h' ? 720 : minute, cycle)
      const late = today - due
      ages[late < 0 ? 0 : late === 0 ? 1 : late <= 3 ? 2 : late <= 7 ? 3 : late <= 15 ? 4 : 5]! += amount - paid
    }
    const names = ['not_due', 'due_today', 'late_1_3', 'late_4_7', 'late_8_15', 'late_over_15']
    expect(names.map((name) => sums.data[0]?.[name] ?? 0)).toEqual(ages.map((sum) => Number(sum) / 100))
    expect([sums.data[0]?.['not_in_bank'] ?? 0, sums.data[0]?.['not_compared'] ?? 0]).toEqual([Number(away) / 100, 0])
  })
})
