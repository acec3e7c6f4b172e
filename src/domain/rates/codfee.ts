// The fee for cash on delivery, in integer paise (docs/guides/rates.md, rule 3).
import { paiseOf, percentage } from '../money.ts'
import type { Service } from './cardschema.ts'

/** The fee for a value in a zone, paise, or why the service does not collect it. */
export type CodFee = (value: number, zone: string) => number | string

/** The COD fee of a service, worked out once. */
export function codFeeOf({ cod }: Service): CodFee {
  const fee = ({ fixed, percent }: { readonly fixed: number; readonly percent: number }) => {
    const [least, share] = [paiseOf(fixed)!, percentage(percent)]
    return cod.rule === 'sum'
      ? (value: number): number => least + share(value)
      : (value: number): number => Math.max(least, share(value))
  }
  if (cod.slabs === undefined) return fee(cod)
  const slabs = cod.slabs.map((slab) => ({
    most: slab.up_to === null ? Infinity : paiseOf(slab.up_to)!,
    zones: slab.zones && new Set(slab.zones),
    fee: fee(slab),
  }))
  return (value, zone) => {
    const slab = slabs.find(({ most, zones }) => value <= most && (zones === undefined || zones.has(zone)))
    return slab === undefined ? `no COD price for this value in ${zone}` : slab.fee(value)
  }
}
