// `shipx skus …`: the weights and sizes of the merchant's SKUs.
import { ShipxError } from '../../../domain/errors.ts'
import { guessText, nearestName } from '../../../domain/nearest.ts'
import { listSkus, removeSku, type Sku } from '../../../engine/accounts/skus.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { importFile } from '../../imports/run.ts'
import { shownSku, skuImporter, skusOf, type ShownSku } from '../../imports/skus.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'

const view = plainView<ShownSku>(['SKU', 'SKUs'], ({ sku }) => sku, ['sku', 'weight', 'length', 'width', 'height'])

const importSkus = (context: Context): Promise<number> => importFile(context, skuImporter(context))

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  const skus = await skusOf(context)
  await printList(context, view, skus.map(shownSku), 'No SKUs yet. A file to start with: shipx skus import --template')
  return 0
}

/** The SKU of a name. Throws `not_found` with the nearest name. */
function named(skus: readonly Sku[], name: string): Sku {
  const found = skus.find(({ sku }) => sku === name)
  if (found !== undefined) return found
  const near = nearestName(
    name,
    skus.map(({ sku }) => sku),
  )
  throw new ShipxError('not_found', `there is no SKU ${safe(name.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: 'shipx skus list',
  })
}

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [name] = context.args
  refuse(context, name === undefined ? [missingArgument(context, 'sku')] : [])
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      const skus = (await place?.database.read(() => listSkus(place.account))) ?? []
      const sku = shownSku(named(skus, name!))
      if (dry) return await wouldDo(context, `remove SKU ${safe(name!, 'id')}`, { remove: sku })
      await place!.database.write(() => removeSku(place!.account, name!))
      return await answer(context, `Removed SKU ${safe(name!, 'id')}`, sku)
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'skus import': importSkus, 'skus list': list, 'skus remove': remove }
