// `shipx cod get`: a kept remittance as it was judged, with what kept bank statements say of its transfers, or as a
// mail to the COD desk of the courier.
import { ShipxError } from '../../../domain/errors.ts'
import { optionsOf, verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { checkShape } from '../../output/printer.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { reconcileCod } from '../reconcile/cod.ts'
import { asKept } from '../reconcile/codgiven.ts'
import { codMailFaults, codOptions } from '../reconcile/codoptions.ts'
import { codView } from '../reconcile/codrecords.ts'
import { documentNamed } from '../reconcile/keptdocument.ts'

const { courier, only, mail } = codOptions

const get = verb({ courier, only, mail }, async (context, given) => {
  const [number] = context.args
  // It is judged as it was read: what else `reconcile cod` takes is not given.
  const options = { ...optionsOf(context, codOptions).value, ...given, dry_run: true }
  refuse(context, [
    ...(number === undefined ? [missingArgument(context, 'number')] : []),
    ...codMailFaults(options, context.format),
  ])
  checkShape(context, codView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const known = await documentNamed(place, number!, {
        courier: options.courier,
        kinds: ['remittance'],
        list: 'shipx cod list',
      })
      if (known.superseded_at !== null)
        throw new ShipxError('not_found', `remittance ${safe(number!, 'id')} was replaced`, { hint: 'shipx cod list' })
      return await reconcileCod(context, await asKept(place!, known), options, place, known)
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'cod get': get }
