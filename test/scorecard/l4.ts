// L4: forms whose boundary is too long, too short or of odd letters, and bodies that do not fit it: 400 or a success, never 500.
import { askerOf } from './asking.ts'
import { atOnce, share, summed, timed, type Finding, type Size } from './row.ts'
import { startServing } from './serving.ts'

const boundaries = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => {
    const letter = 'x-_\'()+,./:=?" ;\\é%'[n % 19]!
    return letter.repeat(n % 3 === 0 ? n : (n * 37) % 2000)
  })

/** L4: so many of 2,000 boundaries, each with three bodies. */
export const l4 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const tries = boundaries(share(size, 2000, 300))
    const faults: string[] = []
    const statuses: Record<string, number> = {}
    const serving = await startServing(['--quiet', '--rate-limit', '0'])
    const asker = askerOf(serving.url, 8)
    try {
      const { key } = await serving.keyOf('default')
      await atOnce(8, tries, async (boundary, n) => {
        const part = 'content-disposition: form-data; name="store_name"\r\n\r\nl4'
        for (const body of [`--${boundary}\r\n${part}-${n}\r\n--${boundary}--\r\n`, `--${boundary}\r\n${part}`, '']) {
          const type = Buffer.from(`multipart/form-data; boundary=${boundary}`).toString('latin1')
          const { status, text } = await asker.ask('POST', '/client-stores', key, body, { 'content-type': type })
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status >= 500) faults.push(`${status} for a boundary of ${boundary.length}: ${text.slice(0, 200)}`)
        }
      })
    } finally {
      asker.close()
      await serving.close()
    }
    const tried = Object.values(statuses).reduce((sum, n) => sum + n, 0)
    return {
      row: 'L4',
      what: 'forms with boundaries of 0 to 2,000 odd letters, whole, broken off and empty',
      tried,
      result: Object.entries(statuses)
        .map(([status, n]) => `${n} x ${status}`)
        .join(', '),
      target: '0 answers of 500',
      faults: summed(faults),
    }
  })
