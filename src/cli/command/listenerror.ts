// Why an address cannot be listened on, for `shipx serve` and `shipx listen`.
import { ShipxError, invalid } from '../../domain/errors.ts'

/** The error of a socket that could not listen, by its flag where one is wrong. */
export function listenError(error: unknown, host: string, port: number): ShipxError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return invalid([{ field: '--port', message: `${port} is in use by another program` }])
  if (code === 'EACCES') return invalid([{ field: '--port', message: `${port} may not be used by this user` }])
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return invalid([{ field: '--host', message: `${host} is not an address of this machine` }])
  return new ShipxError('unavailable', `cannot listen on ${host}:${port}`, { cause: error })
}
