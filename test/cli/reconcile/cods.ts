// Parcels with COD and remittances for the tests of `shipx reconcile cod`.
import { onTestFinished } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { shipment } from './invoices.ts'

/** A COD parcel of ₹500 that was delivered on 5 September 2026, unless it says more. */
export const codParcel = (awb: string, over: Record<string, unknown> = {}): string =>
  shipment(awb, { is_cod: true, cod_amount: 500, delivered: '2026-09-05T06:30:00Z', ...over })

/** A record of `shipx reconcile cod`. */
export interface CodLine extends Record<string, unknown> {
  readonly awb: string
  readonly verdict: string
  readonly difference: number
  readonly due: number
  readonly remitted: number
  readonly utr: string | null
}

/** A record of a UTR. */
export interface UtrLine extends Record<string, unknown> {
  readonly utr: string
  readonly verdict: string
  readonly file: number
  readonly bank: number
  readonly returned: number
  readonly difference: number
  readonly candidates: readonly { readonly line: number; readonly amount: number }[]
}

/** What a run answers under `--json`. */
export interface CodAnswer {
  readonly data: readonly CodLine[]
  readonly bank: readonly UtrLine[]
  readonly deductions: readonly { readonly name: string; readonly amount: number; readonly utr: string | null }[]
  readonly exit: number | string
  readonly stderr: string
}

/** Saves parcels, and a card without days off. */
export async function saveParcels(box: Sandbox, parcels: readonly string[]): Promise<void> {
  const words = ['local', 'import', 'shipments', box.file('shipments.jsonl', `${parcels.join('\n')}\n`), '--yes']
  const { exit, stderr } = await box.shipx(words)
  if (exit !== 0) throw new Error(stderr)
}

/** A sandbox of one test with these parcels. */
export async function place(...parcels: readonly string[]): Promise<Sandbox> {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await saveParcels(box, parcels)
  return box
}

/** The header of a statement of HDFC. */
export const hdfc = 'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance'

/** Reconciles a remittance without keeping it. */
export async function remitted(
  box: Sandbox,
  content: string | Uint8Array,
  more: readonly string[] = [],
  name = 'remittance.csv',
): Promise<CodAnswer> {
  const words = ['reconcile', 'cod', box.file(name, content), '--json', '--cycle', '7wd']
  const { stdout, stderr, exit } = await box.shipx([
    ...words,
    ...(more.includes('--yes') ? [] : ['--dry-run']),
    ...more,
  ])
  const answer = stdout === '' ? { data: [], bank: [], deductions: [] } : (JSON.parse(stdout) as CodAnswer)
  return { ...answer, exit, stderr }
}

/** The verdicts of AWBs, those that are only due left out. */
export const verdictsOf = ({ data }: CodAnswer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    data.filter(({ utr, remitted: paid }) => utr !== null || paid !== 0).map(({ awb, verdict }) => [awb, verdict]),
  )
