// Parcels that wait for their first scan: orders of one lane, each with its AWB.
import type { Sandbox } from './sandbox.ts'

const order =
  'orders create --yes --json --warehouse-id WH1 --cod 499 -w 500g -s 20x15x10 --item CR:1:499:Romper --sub-total 499 ' +
  '--billing-customer-name Asha --billing-phone 9812345678 --billing-address MG-Road --billing-city Bengaluru ' +
  '--billing-pincode 560001 --billing-state Karnataka'

/** Creates an order for each id, at a time (ISO 8601) or now, and returns their AWBs in the same order. */
export async function waitingParcels(box: Sandbox, ids: readonly string[], at?: string): Promise<string[]> {
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  const awbs: string[] = []
  for (const id of ids) {
    const env = at === undefined ? {} : { SHIPX_NOW: at }
    const { stdout } = await box.shipx([...order.split(' '), '--order-id', id], { env })
    awbs.push((JSON.parse(stdout) as { payload: { awb_code: string } }).payload.awb_code)
  }
  return awbs
}
