// `shipx pincode`: one pincode in the pincode table and under the zone rules.
import { placeOf } from '../../../domain/pincodes.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import { clusterOf, isSpecial, metroOf } from '../../../domain/rates/zones.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { checkShape, printRecord } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'

const view = plainView<Readonly<Record<string, unknown>>>(
  ['pincode', 'pincodes'],
  (place) => String(place['pincode']),
  ['pincode', 'city', 'district', 'state', 'cluster', 'metro', 'special'],
)

async function pincode(context: Context): Promise<number> {
  const given = context.args[0]
  const code = readPincode(given ?? '')
  const fault = given === undefined ? 'is required: six digits' : pincodeFault(code)
  refuse(context, fault === undefined ? [] : [{ field: '<pincode>', message: fault }])
  checkShape(context, view)
  const place = placeOf(code)!
  const found = { ...place, cluster: clusterOf(code) ?? null, metro: metroOf(code) ?? null, special: isSpecial(place) }
  await printRecord(context, view, found)
  return 0
}

export const verbs = { pincode }
