// One shipment or return by what people call it, and how it is printed; asks a source and opens none.
import { ShipxError } from '../../domain/errors.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import type { Context } from '../command/context.ts'
import type { Kind } from './listing.ts'
import { lookUp } from './lookup.ts'
import { printer } from '../output/printer.ts'
import { quoted, safe } from '../terminal/safe.ts'
import type { Source } from '../source/source.ts'
import { timelineOf } from '../output/timeline.ts'

/** The reference that was given, '' where none was. */
export const referenceFrom = ({ args }: Pick<Context, 'args'>): string => (args[0] ?? '').trim().replace(/^#$/, '')

/** The record that a reference names, as JSON text. Throws `not_found` for none and for several. */
export async function oneRecord<R>(
  context: Context,
  source: Source,
  kind: Kind<R>,
  reference: string,
): Promise<string> {
  const found = await lookUp(source, kind, reference)
  if (found.length > 1) {
    const ids = found.map((record) => kind.view.id(kind.read(record))).join(', ')
    throw new ShipxError(
      'not_found',
      `${safe(reference)} names ${found.length} ${kind.view.noun[1]}; use one of their ids`,
      { details: [{ field: null, message: ids }] },
    )
  }
  const record = found[0]
  if (record !== undefined) return record
  throw new ShipxError('not_found', `there is no ${kind.view.noun[0]} ${safe(reference)}`, {
    hint: `shipx ${context.command.path[0]!} list --search ${quoted(reference)}`,
  })
}

/** Prints a record: its journey on a terminal, else as the format says. */
export async function printRecord<R>(context: Context, kind: Kind<R>, record: string): Promise<void> {
  const { io, screen, format } = context
  if (format === 'plain' && screen.tty)
    return io.stdout.write(timelineOf(kind.read(record, context.missed) as Shipment | Return, screen))
  const out = printer(context, kind.view, true)
  await out.batch([record])
  await out.end()
}
