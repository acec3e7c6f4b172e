// `shipx rates --file`: prices every parcel of a file while reading it.
import { word } from '../../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import { refuse } from '../../command/faults.ts'
import { lackingText, openMapped, unusedText } from '../../files/mapped.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { isFlat, unusedHeaders } from '../../files/sidecolumns.ts'
import { exportIn } from '../../imports/forms/forms.ts'
import { otherKind } from '../../imports/kinds.ts'
import { flatWarning, listening, noteHeard } from './many/heard.ts'
import { endOptions, endsOf, oneParcelFaults } from './many/options.ts'
import { headerFaults, lineReader, parcelColumns, type ParcelLine } from './many/parcelfile.ts'
import { cardFaults, priceOptions, pricingOf, printPrices } from './many/prices.ts'

const manyOptions = { ...priceOptions, file: word, ...mapOptions, sheet: word, ...endOptions }

/** What a file of another kind is: an export has several lines for an order, so it is refused in any case. */
const otherwise = (headers: readonly string[], lacking: boolean): string | undefined => {
  if (!lacking && exportIn(headers) === undefined) return undefined
  return otherKind('rates --file', headers, 'rates --orders')
}

/** Prints the price of every parcel of a file, in the order of its lines. */
export const manyRates = verb(manyOptions, async (context, options) => {
  const { flags, io } = context
  const { file: path = '' } = options
  const message = 'is a CSV or an Excel workbook of parcels, or - for standard input'
  refuse(context, [
    ...oneParcelFaults(flags, '--file'),
    ...cardFaults(options),
    ...(path === '' ? [{ field: '--file', message }] : []),
    ...mapFaults(options),
  ])
  const ends = endsOf(context, options)
  const pricing = await pricingOf(context, options)
  const maps = mapsOf(context, options)
  const lacks = (places: Sheet['places']): readonly string[] => headerFaults(places, ends)
  const opening = { path, field: '--file', columns: parcelColumns, sheet: options.sheet, otherwise, lacks }
  const sheet = await openMapped(io, opening, maps)
  await keepMaps(context, options.save_map, maps)
  const heard = listening()
  const read = lineReader(sheet, ends, pricing.named, heard, io.host.now())
  const lines = function* (batch: readonly SheetRow[]): Generator<ParcelLine> {
    for (const row of batch) yield read(row)
  }
  const batches = async function* (): AsyncGenerator<Iterable<ParcelLine>> {
    for await (const batch of sheet.rows) yield lines(batch)
  }
  const note = async (): Promise<void> => {
    for (const text of lackingText(sheet)) await context.warn(text)
    for (const sentence of sheet.notes()) await context.note(sentence)
    for (const sentence of unusedText(unusedHeaders(sheet))) await context.note(sentence)
    if (isFlat(sheet)) await context.warn(flatWarning)
    if (pricing.asked && (sheet.places.has('date') || sheet.places.has('zone')))
      await context.note('The columns date and zone are not used: the service prices as of today')
    await noteHeard(context, heard, pricing.asked)
  }
  // The further lines of an order have no price of their own.
  const hint = otherKind('rates --file', sheet.headers, 'rates --orders')
  return printPrices(context, options, pricing, { sheet, path, lines: batches(), note, hint })
})
