// R12: every form of Retry-After against storms of 429 and 503: no client comes back earlier than it was asked to, and
// none tries more than four times. Time is the test's own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { clientOf } from './clients.ts'
import { sample, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf } from './serving.ts'

/** A form of Retry-After at an instant of the service's clock: its text, and what it asks for, ms (undefined: nothing). */
interface Form {
  readonly name: string
  readonly text: (at: number) => string
  readonly asks: number | undefined
  /** The `Date` of the answer, ms from the instant; undefined for none. */
  readonly date?: number
}

const second = 1000
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const longDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const imf = (at: number): string => new Date(at).toUTCString()
const rfc850 = (at: number): string => {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) \d\d(\d\d) (.*) GMT$/.exec(imf(at))!
  return `${longDays[new Date(at).getUTCDay()]!}, ${day!}-${month!}-${year!} ${time!} GMT`
}
const asctime = (at: number): string => {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (.*) GMT$/.exec(imf(at))!
  return `${days[new Date(at).getUTCDay()]!} ${month!} ${String(Number(day)).padStart(2)} ${time!} ${year!}`
}

/** The forms. The virtual clock stands at whole seconds when a request arrives, as dates do. */
// prettier-ignore
const forms: readonly Form[] = [
  { name: 'seconds', text: () => '2', asks: 2 * second },
  { name: 'zero', text: () => '0', asks: 0 },
  { name: 'seconds with spaces', text: () => '  7 ', asks: 7 * second },
  { name: 'a fraction of seconds', text: () => '1.5', asks: 1.5 * second },
  { name: 'two minutes', text: () => '120', asks: 120 * second },
  { name: 'more than two minutes', text: () => '121', asks: 121 * second },
  { name: 'a year', text: () => '31536000', asks: 31_536_000 * second },
  { name: 'twenty digits', text: () => '99999999999999999999', asks: Number.MAX_SAFE_INTEGER },
  { name: 'a date', text: (at) => imf(at + 4 * second), asks: 4 * second, date: 0 },
  { name: 'a date without Date', text: (at) => imf(at + 5 * second), asks: 5 * second },
  { name: 'a date of RFC 850', text: (at) => rfc850(at + 4 * second), asks: 4 * second, date: 0 },
  { name: 'a date of asctime', text: (at) => asctime(at + 4 * second), asks: 4 * second, date: 0 },
  { name: 'a date by a clock an hour ahead', text: (at) => imf(at + 3_603 * second), asks: 3 * second, date: 3_600 * second },
  { name: 'a date by a clock an hour behind', text: (at) => imf(at - 3_595 * second), asks: 5 * second, date: -3_600 * second },
  { name: 'a date in the past', text: (at) => imf(at - 60 * second), asks: 0, date: 0 },
  { name: 'a negative number', text: () => '-5', asks: undefined },
  { name: 'words', text: () => 'soon', asks: undefined },
  { name: 'an exponent', text: () => '1e9', asks: undefined },
  { name: 'nothing', text: () => '', asks: undefined },
]

/** What the n-th request (from 1) is answered with; undefined is success. */
const storms: readonly (readonly [name: string, status: (n: number) => number | undefined])[] = [
  ['429 for ever', () => 429],
  ['503 for ever', () => 503],
  ['429 once', (n) => (n === 1 ? 429 : undefined)],
  ['503, 429, 503', (n) => [503, 429, 503][n - 1]],
  ['429 three times', (n) => (n <= 3 ? 429 : undefined)],
]

/** Tries that one call may make. */
const most = 4
const start = Date.parse('2026-10-02T06:00:00Z')

/** R12: every form with every storm, reads and writes, one call and ten at once; the size takes some of them. */
export const r12 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    let tried = 0
    let clock = start
    let form: Form = forms[0]!
    let storm = storms[0]![1]
    /** When each request arrived, and what it was asked. */
    let arrivals: { readonly at: number; readonly asked: number | undefined; readonly url: string }[] = []
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const status = storm(arrivals.length + 1)
        arrivals.push({
          at: clock,
          asked: status === undefined ? undefined : (form.asks ?? 0),
          url: `${request.method} ${request.url}`,
        })
        response.sendDate = false
        if (form.date !== undefined) response.setHeader('date', imf(clock + form.date))
        response.setHeader('content-type', 'application/json')
        if (status !== undefined) response.setHeader('retry-after', form.text(clock))
        response.statusCode = status ?? 200
        response.end(
          status === undefined
            ? '{"data":[],"meta":{"total":0,"current_page":1,"per_page":20},"status":1,"id":"1","store_name":"r12","payload":{"order_created":1,"order_id":"ORD1","shipment_id":"SHI1"}}'
            : '{"message":"Too Many Attempts."}',
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const slept: number[] = []
    const client = () =>
      clientOf({
        base_url,
        key: 'a-key-of-R12',
        now: () => clock,
        sleep: async (ms) => {
          slept.push(ms)
          // On to the next whole second after the wait.
          clock = Math.ceil((clock + ms) / second) * second
        },
      })
    for (const [stormName, statusOf] of storms) {
      for (const one of sample(forms, size, 12)) {
        for (const call of [
          'listShipments',
          'listStores',
          'createForwardOrder',
          'createStore',
          'ten at once',
        ] as const) {
          ;[form, storm, arrivals] = [one, statusOf, []]
          slept.splice(0)
          const shown = `${call}, ${stormName}, Retry-After ${one.name}`
          const service = client()
          const ask = async (): Promise<void> => {
            try {
              if (call === 'listStores') await service.listStores({})
              else if (call === 'createStore') await service.createStore({ store_name: 'r12' })
              else if (call === 'createForwardOrder')
                await service.createForwardOrder(parseInput('createForwardOrder', orderOf('R12-1')))
              else await service.listShipments({})
            } catch (error) {
              if (!(error instanceof ShipxError)) faults.push(`${shown}: ${String(error)}`)
              else if (!['rate_limited', 'unavailable', 'unknown_outcome'].includes(error.code))
                faults.push(`${shown}: ${error.code} ${error.message}`)
            }
          }
          if (call === 'ten at once') {
            await Promise.all(Array.from({ length: 10 }, ask))
            tried++
            if (arrivals.length > 10 * most) faults.push(`${shown}: ${arrivals.length} requests of ten calls`)
            // They share a clock, so what counts is what each one waits.
            const wanted = one.asks ?? 0
            const byClock = one.name === 'a date without Date'
            if (!byClock && slept.some((ms) => ms < wanted)) faults.push(`${shown}: waits ${Math.min(...slept)} ms`)
            await service.close()
            continue
          }
          await ask()
          await service.close()
          tried++
          // After a write in doubt the client may ask with a read what the service can do, which is a call of its own.
          const own = arrivals.filter(({ url }) => url === arrivals[0]?.url)
          if (own.length > most || arrivals.length > 2 * most) faults.push(`${shown}: ${arrivals.length} tries`)
          if (arrivals.length === 0) faults.push(`${shown}: never asked`)
          for (const [n, { at }] of arrivals.entries()) {
            const before = arrivals[n - 1]
            if (before?.asked !== undefined && at - before.at < before.asked)
              faults.push(`${shown}: back after ${at - before.at} ms, asked for ${before.asked}`)
          }
          // A read that may come back does: a form that cannot be read is no reason to give up.
          const short = (one.asks ?? 0) <= 30 * second
          if (stormName === '429 once' && short && arrivals.length !== 2)
            faults.push(`${shown}: gave up after ${arrivals.length}`)
          if (call === 'createForwardOrder' && statusOf(1) === 503 && own.length > 1)
            faults.push(`${shown}: an order was sent again after 503`)
        }
      }
    }
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return {
      row: 'R12',
      what: `${sample(forms, size, 12).length} forms of Retry-After in ${storms.length} storms`,
      tried,
      result: `${tried} storms, ${faults.length} faults`,
      target: 'never earlier than asked, never more than 4 tries',
      faults: summed(faults),
    }
  })
