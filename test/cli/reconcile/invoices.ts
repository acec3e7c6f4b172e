// A contract, shipments and invoices for the tests of `shipx reconcile`.
import { expect } from 'vitest'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import type { Sandbox } from '../../support/sandbox.ts'

const band = (first: number, step: number) => [
  { up_to: null, first_weight: 500, first_price: first, step_weight: 500, step_price: step },
]

/** Freight of each zone: the first 500 g, and each 500 g more, rupees. */
export const prices: Readonly<Record<string, readonly [number, number]>> = {
  zone_a: [30, 20],
  zone_b: [33, 25],
  zone_c: [40, 30],
  zone_d: [45.4, 44.8],
  zone_e: [60, 50],
}

/** A contract with two couriers, Delhivery with fuel on freight if `fuel` is given. */
export function contract(over: Record<string, unknown> = {}, service: Record<string, unknown> = {}) {
  const base = sampleCard.services[0]!
  const tariff = Object.fromEntries(Object.entries(prices).map(([zone, [first, step]]) => [zone, band(first, step)]))
  const { surcharges: _, minimum_charge: __, zone_table: ___, ...plain } = base
  const made = (id: string, name: string) => ({
    ...plain,
    carrier_id: id,
    carrier_name: name,
    carrier_code: id.toLowerCase(),
    min_weight: 0,
    max_weight: 50_000,
    max_side: null,
    forward: tariff,
    return: tariff,
    cod: { available: true, fixed: 30, percent: 2, rule: 'max', max_value: null },
    rto: { percent: 100 },
    qc: { available: true, price: 12 },
    platform_fee: 0,
    serviceability: {},
    ...service,
  })
  return {
    ...sampleCard,
    name: 'contract',
    valid_from: '2026-01-01',
    valid_to: null,
    gst_percent: 18,
    services: [made('DLV', 'Delhivery'), made('BLU', 'Blue Dart')],
    ...over,
  }
}

/** A shipment of the account; it was delivered, prepaid, 400 g from Mumbai to Bengaluru (zone_c), unless it says more. */
export function shipment(awb: string, over: Record<string, unknown> = {}): string {
  const status = (over['status'] as string | undefined) ?? 'delivered'
  const picked = (over['picked_up'] as string | null | undefined) ?? '2026-09-05T06:30:00Z'
  const milestones =
    over['picked_up'] === null
      ? []
      : [
          { milestone: 'picked_up', milestone_at: picked },
          ...(status === 'delivered' ? [{ milestone: 'delivered', milestone_at: over['delivered'] ?? picked }] : []),
          ...(over['returned'] === undefined ? [] : [{ milestone: 'rto_initiated', milestone_at: over['returned'] }]),
        ]
  return JSON.stringify({
    id: `S-${awb}-${picked}`,
    type: 'shipment',
    attributes: {
      tracking_number: awb,
      status,
      granular_status: status,
      carrier: { id: over['carrier_id'] ?? 'DLV', name: over['carrier_name'] ?? 'Delhivery' },
      warehouse_id: 'warehouse_id' in over ? over['warehouse_id'] : 'WH1',
      zone: over['zone'] ?? null,
      is_cod: over['is_cod'] ?? false,
      cod_amount: over['cod_amount'] ?? 0,
      total_price: 1000,
      applied_weight: 'grams' in over ? over['grams'] : { value: over['weight'] ?? 400, unit: 'grams' },
      created_at: picked,
      order: { id: `O-${awb}`, display_id: (over['order'] as string | undefined) ?? `A-${awb}` },
      shipping_address: { name: 'X', city: 'Bengaluru', state: 'Karnataka', zip: over['zip'] ?? '560001' },
      shipment_milestones: milestones,
      items: over['items'] ?? [],
    },
  })
}

/** A record that `shipx reconcile invoice --jsonl` prints. */
export interface Line extends Record<string, unknown> {
  readonly awb: string
  readonly verdict: string
  readonly category: string
  readonly billed: number
  readonly expected: number | null
  readonly difference: number | null
  readonly reasons: readonly { readonly code: string; readonly amount: number | null; readonly text: string }[]
}

/** Imports the contract, a warehouse in Mumbai and these shipments. */
export async function prepare(box: Sandbox, shipments: readonly string[], card = contract()): Promise<void> {
  const steps = [
    ['local', 'import', 'shipments', box.file('shipments.jsonl', `${shipments.join('\n')}\n`), '--yes'],
    ['local', 'warehouse', 'set', 'WH1', '400001'],
    ['ratecard', 'import', box.file('contract.json', JSON.stringify(card)), '--use'],
  ]
  for (const words of steps) {
    const { exit, stderr } = await box.shipx(words)
    if (exit !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
  }
}

/** The codes and rupees of the reasons of a line. */
export const reasonsOf = ({ reasons }: Line): Readonly<Record<string, number | null>> =>
  Object.fromEntries(reasons.map(({ code, amount }) => [code, amount]))

/** Reconciles a file and returns its records by AWB and line, with the exit code. */
export async function reconciled(
  box: Sandbox,
  content: string,
  more: readonly string[] = [],
  name = 'invoice.csv',
): Promise<{ readonly lines: readonly Line[]; readonly exit: number | string; readonly stderr: string }> {
  const words = ['reconcile', 'invoice', box.file(name, content), '--dry-run', '--jsonl', ...more]
  const { stdout, stderr, exit } = await box.shipx(words)
  return { lines: linesIn(stdout), exit, stderr }
}

const linesIn = (printed: string): readonly Line[] =>
  printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** Keeps a bill of Delhivery, and gives its lines as they are judged. */
export async function keptBill(
  box: Sandbox,
  number: string,
  rows: readonly string[],
  more: readonly string[] = [],
): Promise<readonly Line[]> {
  const path = box.file(`${number}.csv`, rows.join('\n'))
  const words = [
    'reconcile',
    'invoice',
    path,
    '--courier',
    'Delhivery',
    '--number',
    number,
    '--yes',
    '--jsonl',
    ...more,
  ]
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([exit, stderr]).toEqual([0, stderr])
  return linesIn(stdout)
}
