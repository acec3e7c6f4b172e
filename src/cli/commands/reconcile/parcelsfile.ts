// The file of --parcels: what was shipped, where the database does not have it. Its columns are those of
// `shipx rates --file`, with the AWB as the reference.
import { counted } from '../../../domain/count.ts'
import { invalid, type Fault } from '../../../domain/errors.ts'
import { awbIn, severalAwbs } from '../../../domain/money/awbs.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { paiseOf } from '../../../domain/money.ts'
import { roundWeight } from '../../../domain/rates/measures.ts'
import { readTime } from '../../../domain/read/day.ts'
import { readRupees } from '../../../domain/read/money.ts'
import { readPayment } from '../../../domain/read/payment.ts'
import { readPincode } from '../../../domain/read/pincode.ts'
import { readSide, readSize } from '../../../domain/read/sides.ts'
import { readGrams } from '../../../domain/read/weight.ts'
import { bareWeight } from '../../args/kinds.ts'
import type { Context } from '../../command/context.ts'
import { openSheet } from '../../files/opensheet.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { parcelColumns } from '../rates/many/parcelfile.ts'
import { safe } from '../../terminal/safe.ts'
import { hasSizes } from '../../files/sidecolumns.ts'

const columns = [...parcelColumns, { name: 'courier', aliases: ['courier_name', 'carrier', 'carrier_name'] }] as const

/** Reads the parcels of a file by their AWB. Throws `invalid_input` with every line that cannot be read, up to 50. */
async function readParcels(context: Context, path: string): Promise<ReadonlyMap<string, KnownParcel>> {
  const sheet = await openSheet(context.io, { path, field: '--parcels', columns })
  const parcels = new Map<string, KnownParcel>()
  const faults: Fault[] = []
  let nameless = 0
  const bare = sheet.weights.get('weight') ?? bareWeight
  const sized = hasSizes(sheet)
  const at = (name: string): number => sheet.places.get(name) ?? -1
  const read = ({ cells, line, fault }: SheetRow): void => {
    const cell = (name: string): string => (at(name) === -1 ? '' : cells[at(name)]!.trim())
    const refuse = (message: string): void =>
      void faults.push({ field: '--parcels', message, row: line, counts: sheet.counts })
    if (fault !== undefined) return refuse(fault)
    const awb = awbIn(cell('ref'))
    if (awb === '') return void nameless++
    if (severalAwbs(cell('ref'))) return refuse('several AWBs stand in one cell: write a line for each parcel')
    if (parcels.has(awb)) return refuse(`AWB ${safe(awb)} stands in the file twice`)
    const weight = cell('weight') === '' ? undefined : readGrams(cell('weight'), bare)
    if (weight !== undefined && 'fault' in weight) return refuse(weight.fault)
    const value = cell('value') === '' ? undefined : readRupees(cell('value'))
    if (value !== undefined && 'fault' in value) return refuse(value.fault)
    const payment = cell('payment') === '' ? undefined : readPayment(cell('payment'))
    if (payment !== undefined && 'fault' in payment) return refuse(payment.fault)
    const size = sized && cell('size') !== '' ? readSize(cell('size'), sheet.sizeUnit) : undefined
    if (size !== undefined && 'fault' in size) return refuse(size.fault)
    const each = ['length', 'width', 'height'].map((name) => (cell(name) === '' ? 0 : sideOf(cell(name))))
    if (size === undefined && each.some(Number.isNaN)) return refuse('a side cannot be read')
    const [length, width, height] = size?.value ?? (each as [number, number, number])
    const returned = ['return', 'reverse'].includes(cell('journey').toLowerCase())
    const [from, to] = [cell('from'), cell('to')].map((text) => (text === '' ? null : readPincode(text)))
    const worth = value === undefined ? undefined : paiseOf(value.rupees)
    parcels.set(awb, {
      awb,
      order: null,
      carrier_id: null,
      carrier_name: cell('courier') === '' ? null : cell('courier'),
      journey: returned ? 'return' : 'forward',
      merchant: (returned ? to : from) ?? null,
      customer: (returned ? from : to) ?? null,
      zone: cell('zone') === '' ? null : cell('zone'),
      day_at: cell('date') === '' ? null : (readTime(cell('date')) ?? null),
      status: null,
      shipped: true,
      back: undefined,
      delivered_at: null,
      cod_amount: null,
      cod: payment === undefined ? undefined : payment.value === 'COD',
      collected: worth,
      worth,
      dead: weight === undefined ? undefined : roundWeight(weight.grams),
      length,
      width,
      height,
      weight_by: 'parcels',
    })
  }
  for await (const batch of sheet.rows) for (const row of batch) read(row)
  if (faults.length > 0) throw invalid(faults.slice(0, 50))
  for (const note of sheet.notes()) await context.note(note)
  if (nameless > 0) await context.note(`--parcels: left out ${counted(nameless, ['row', 'rows'])} without an AWB`)
  return parcels
}

function sideOf(text: string): number {
  const read = readSide(text)
  return 'fault' in read ? NaN : read.value
}

/** The parcels of --parcels; none without the flag. */
export const givenParcels = async (
  context: Context,
  path: string | undefined,
): Promise<ReadonlyMap<string, KnownParcel>> => (path === undefined ? new Map() : readParcels(context, path))
