// What may come back instead of an answer, byte by byte: broken, lying, hostile and endless answers, played on a raw socket
// by a server on loopback. Knows no HTTP library, because none would send these.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'

/** A bad answer. */
export interface BadAnswer {
  readonly name: string
  /**
   * What a reader of a listing must make of it: `error`, or `either` where a tolerant reader may find its page in it.
   * `ends` is false where nothing but a time limit ends it.
   */
  readonly reads: 'error' | 'either'
  readonly ends: boolean
  /** What a message must say of it, where that is more than that something went wrong. */
  readonly says?: RegExp
  readonly play: (line: Line) => void | Promise<void>
}

/** A connection whose request has been read. */
interface Line {
  readonly socket: Socket
  /** The origin of the server. */
  readonly origin: string
  /** Sends, and waits until there is room for more; false when the other side has gone. */
  readonly send: (bytes: string | Buffer) => Promise<boolean>
  /** Waits; false when the other side has gone meanwhile. */
  readonly pause: (ms: number) => Promise<boolean>
}

/** A server that plays one answer to every request. */
export interface BadServer {
  readonly url: string
  /** What the next requests are answered with. */
  play: BadAnswer['play']
  readonly hits: () => number
  readonly close: () => Promise<void>
}

/** Nothing here goes on for longer, whatever the other side does. */
const longestMs = 30_000

/** Starts a server that plays bad answers. */
export async function startBadServer(play: BadAnswer['play'] = answers(200, '{}')): Promise<BadServer> {
  const sockets = new Set<Socket>()
  let hits = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let waiting: Buffer = Buffer.alloc(0)
    let playing = false
    socket.on('data', (bytes: Buffer) => {
      if (playing) return
      waiting = Buffer.concat([waiting, bytes])
      const length = wholeLength(waiting)
      if (length === undefined || waiting.length < length) return
      waiting = waiting.subarray(length)
      playing = true
      hits++
      void Promise.resolve(bad.play(lineOf(socket, bad.url))).finally(() => (playing = false))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bad: BadServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play,
    hits: () => hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return bad
}

/** The length of the request that the bytes begin with, or undefined while that cannot be told. */
function wholeLength(bytes: Buffer): number | undefined {
  const gap = bytes.indexOf('\r\n\r\n')
  if (gap < 0) return undefined
  const head = bytes.subarray(0, gap).toString('latin1')
  if (/^transfer-encoding:.*chunked/im.test(head)) {
    const end = bytes.indexOf('0\r\n\r\n', gap + 4)
    return end < 0 ? undefined : end + 5
  }
  return gap + 4 + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0)
}

function lineOf(socket: Socket, origin: string): Line {
  const began = performance.now()
  const gone = (): boolean => socket.destroyed || performance.now() - began > longestMs
  const until = (event: string | number): Promise<boolean> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        socket.off('close', done)
        if (typeof event === 'string') socket.off(event, done)
        resolve(!gone())
      }
      const timer = setTimeout(done, typeof event === 'number' ? event : longestMs)
      socket.once('close', done)
      if (typeof event === 'string') socket.once(event, done)
    })
  return {
    socket,
    origin,
    send: async (bytes) => (gone() ? false : socket.write(bytes) || (await until('drain'))),
    pause: (ms) => (gone() ? Promise.resolve(false) : until(ms)),
  }
}

/* ---- Pieces ---- */

type Headers = Readonly<Record<string, string>>

/** A status line and headers, with the empty line. */
function head(status: number, headers: Headers = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Said So\r\n${lines.join('')}\r\n`
}

/** Plays a whole answer with a length, and closes. */
function answers(status: number, body: string | Buffer, headers: Headers = {}): BadAnswer['play'] {
  return async ({ socket, send }) => {
    const length = String(Buffer.byteLength(body))
    await send(
      head(status, { 'content-type': 'application/json', 'content-length': length, connection: 'close', ...headers }),
    )
    if (await send(body)) socket.end()
  }
}

/** Plays bytes as they are, and closes. */
function raw(bytes: string | Buffer): BadAnswer['play'] {
  return async ({ socket, send }) => {
    if (await send(bytes)) socket.end()
  }
}

const html = (title: string): string =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n<p>cloud edge</p>\n</body>\n</html>\n`
const asHtml: Headers = { 'content-type': 'text/html; charset=utf-8' }

const record = (n: number, more: object = {}): object => ({
  id: `SHI${String(n).padStart(10, '0')}`,
  type: 'shipment',
  attributes: {
    tracking_number: `3481201${String(n).padStart(7, '0')}`,
    status: 'in_transit',
    created_at: '2026-09-20T10:11:12.000+05:30',
    zone: 'C',
    total_price: 1249.5,
    carrier: { id: 'CAR0EPDPJXXL4', name: 'Roadrunner Standard' },
    order: { id: `ORD${n}`, display_id: `A-${n}` },
    ...more,
  },
})
const envelope = (data: unknown, meta: unknown = { current_page: 1, per_page: 20, total: 3 }): string =>
  JSON.stringify(meta === undefined ? { data } : { data, meta })
const whole = envelope([record(1), record(2), record(3)])

/** A page of about 4 KB, as the body of a listing. */
export const page4k = envelope(
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => record(n)),
  { current_page: 1, per_page: 20, total: 12 },
)

/** The page as a whole answer in one of the three framings. */
export function framed(framing: 'length' | 'chunked' | 'until close', body = page4k): Buffer {
  const type = { 'content-type': 'application/json' }
  if (framing === 'length')
    return Buffer.from(head(200, { ...type, 'content-length': String(Buffer.byteLength(body)) }) + body)
  if (framing === 'until close') return Buffer.from(head(200, { ...type, connection: 'close' }) + body)
  const pieces = body.match(/[^]{1,1000}/g) ?? []
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
  return Buffer.from(`${head(200, { ...type, 'transfer-encoding': 'chunked' })}${chunks.join('')}0\r\n\r\n`)
}

/** Plays the beginning of an answer and hangs up. */
export const cutAt = (answer: Buffer, at: number): BadAnswer['play'] => raw(answer.subarray(0, at))

/** 16 MB of one digit as a deflate block that others may follow; made when it is first asked for. */
let piece: Buffer | undefined
const bombPiece = (): Buffer =>
  (piece ??= deflateRawSync(Buffer.alloc(16 * 1024 * 1024, '0'), { finishFlush: constants.Z_FULL_FLUSH }))
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

const never = async ({ pause }: Line): Promise<void> => {
  while (await pause(1000));
}

/** Says something again and again. */
const endlessly =
  (first: string, again: string, ms: number): BadAnswer['play'] =>
  async ({ send, pause }) => {
    if (!(await send(first))) return
    while ((await send(again)) && (await pause(ms)));
  }

const depth = 1_000_000

// prettier-ignore
/** The table. */
export const badAnswers: readonly BadAnswer[] = [
  // Something else answers.
  error('an HTML page with 200',                 answers(200, html('Welcome'), asHtml), /HTML page/),
  error('an HTML page with 502',                 answers(502, html('502 Bad Gateway'), asHtml), /502 with an HTML page/),
  error('an HTML page with 503 and Retry-After', answers(503, html('Maintenance'), { ...asHtml, 'retry-after': '1' })),
  error('HTML that is said to be JSON',          answers(200, html('Sign in to the hotel')), /HTML page/),
  either('JSON that is said to be text',         answers(200, whole, { 'content-type': 'text/plain' })),
  error('a picture',                             answers(200, Buffer.from('89504e470d0a1a0a0000000d', 'hex'), { 'content-type': 'image/png' }), /image.png|not UTF-8 text/),
  error('an XML error with 200',                 answers(200, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' }), /application.xml/),
  error('511 of a captive portal',               answers(511, html('Network Authentication Required'), asHtml)),
  error('407 of a proxy',                        answers(407, html('Proxy Authentication Required'), { ...asHtml, 'proxy-authenticate': 'Basic realm="x"' })),
  error('418',                                   answers(418, '')),
  error('401 without a body',                    answers(401, '')),
  error('429 again and again',                   answers(429, '{"message":"Too Many Attempts."}')),
  error('500 with a stack trace',                answers(500, 'TypeError: Cannot read properties of undefined\n    at Object.<anonymous> (/srv/app/index.js:10:5)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n', { 'content-type': 'text/plain' })),
  error('an error of 10 MB on one line',         answers(500, `{"message":"${'x'.repeat(10_000_000)}"}`)),
  error('an error with escape sequences',        answers(422, '{"message":"\\u001b[2J\\u001b]0;owned\\u0007Not\\r\\nall\\u202e right"}')),
  error('an error with a body that is a list',   answers(400, '[[],{},null,1]')),
  // Nothing, or not all of it.
  error('an empty body',                         answers(200, '')),
  error('204',                                   raw('HTTP/1.1 204 No Content\r\n\r\n')),
  error('304',                                   raw('HTTP/1.1 304 Not Modified\r\netag: "1"\r\n\r\n')),
  error('JSON that stops in the middle',         answers(200, whole.slice(0, whole.length >> 1)), /broke off/),
  error('a body shorter than its length',        raw(head(200, { 'content-type': 'application/json', 'content-length': String(whole.length + 500) }) + whole), /broke off/),
  error('a body longer than its length',         raw(head(200, { 'content-type': 'application/json', 'content-length': String(whole.length - 100) }) + whole)),
  error('chunks that are no chunks',             raw(`${head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })}zz\r\n{"data":[]}\r\nqq\r\n`)),
  error('a connection that closes at once',      ({ socket }) => void socket.destroy()),
  error('a connection that is reset',            ({ socket }) => void socket.resetAndDestroy()),
  // Compressed, or said to be.
  error('a gzip bomb of 1 GB',                   async ({ socket, send }) => {
    await send(`${head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', connection: 'close' })}`)
    await send(gzipHead)
    for (let n = 0; n < 64; n++) if (!(await send(bombPiece()))) return
    if (await send(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]))) socket.end()
  }, /more than 20 MB/),
  error('plain text that is said to be gzip',    answers(200, 'this is not compressed at all', { 'content-encoding': 'gzip' })),
  error('gzip that stops in the middle',         answers(200, gzipSync(whole).subarray(0, 60), { 'content-encoding': 'gzip' })),
  error('garbage that is said to be brotli',     answers(200, Buffer.from('ff'.repeat(64), 'hex'), { 'content-encoding': 'br' })),
  // Not quite JSON, or not text.
  error('NaN',                                   answers(200, '{"data":[],"meta":{"current_page":1,"per_page":20,"total":NaN}}')),
  error('Infinity',                              answers(200, '{"data":[],"meta":{"current_page":1,"per_page":20,"total":-Infinity}}')),
  either('the same key twice',                   answers(200, `{"data":null,"data":[],"meta":{"total":5,"total":0,"current_page":1,"per_page":20}}`)),
  either('a byte order mark',                    answers(200, `\ufeff${whole}`)),
  error('UTF-16',                                answers(200, Buffer.from(whole, 'utf16le'))),
  either('bytes that are not UTF-8',             answers(200, Buffer.concat([Buffer.from('{"data":[],"x":"'), Buffer.from([0xc3, 0x28, 0xff, 0xfe]), Buffer.from('","meta":{"current_page":1,"per_page":20,"total":0}}')]))),
  either('10 MB on one line',                    answers(200, envelope([record(1, { note: 'x'.repeat(10_000_000) })]))),
  error('30 MB of a listing',                    async ({ socket, send }) => {
    await send(`${head(200, { 'content-type': 'application/json', connection: 'close' })}{"data":[${JSON.stringify(record(1))}`)
    const more = `,${JSON.stringify(record(2, { note: 'y'.repeat(100_000) }))}`
    for (let n = 0; n < 300; n++) if (!(await send(more))) return
    if (await send('],"meta":{"current_page":1,"per_page":20,"total":301}}')) socket.end()
  }, /more than 20 MB/),
  error('lists in lists, a million deep',        answers(200, envelope([record(1, { deep: '@' })]).replace('"@"', `${'['.repeat(depth)}${']'.repeat(depth)}`)), /too deep/),
  error('a body that is a million lists deep',   answers(200, `${'['.repeat(depth)}${']'.repeat(depth)}`), /too deep/),
  // JSON that is no page.
  error('null',                                  answers(200, 'null')),
  error('data of the wrong type',                answers(200, envelope('none'))),
  error('data that is null',                     answers(200, envelope(null))),
  error('records that are not records',          answers(200, envelope([1, 'two', null, []]))),
  either('no meta',                              answers(200, JSON.stringify({ data: [record(1)] }))),
  either('records without ids',                  answers(200, envelope([{ type: 'shipment', attributes: { status: 'delivered' } }]))),
  either('numbers as text',                      answers(200, envelope([record(1, { total_price: '1249.50', attempt_count: '2' })], { current_page: '1', per_page: '20', total: '1' }))),
  either('keys named __proto__',                 answers(200, '{"__proto__":{"polluted":1},"data":[{"id":"a","__proto__":{"polluted":1},"attributes":{"created_at":"2026-09-20T10:11:12Z","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}],"meta":{"current_page":1,"per_page":20,"total":1,"__proto__":{"polluted":1}}}')),
  error('{status:0} with 200',                   answers(200, '{"status":0,"message":"Something went wrong"}'), /^Something went wrong$/),
  // Not quite HTTP.
  error('a status line of garbage',              raw('\u0000\u0001\u0002 hello there\r\n\r\n')),
  error('HTTP/0.9',                              raw(whole)),
  error('the banner of another protocol',        raw('SSH-2.0-OpenSSH_9.6\r\n')),
  error('two lengths that differ',               raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`)),
  error('a status of 99',                        raw('HTTP/1.1 99 Odd\r\ncontent-length: 0\r\n\r\n')),
  error('101 to another protocol',               raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\u0081\u0002hi')),
  error('redirects to itself',                   ({ origin, ...line }) => answers(307, '', { location: `${origin}/custom/api/v1/shipments` })({ origin, ...line })),
  error('headers that do not end',               endlessly('HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(1000)}\r\n`, 1)),
  // Nothing but a time limit ends these.
  endless('silence',                             never),
  endless('headers, and then silence',           async (line) => { await line.send(head(200, { 'content-type': 'application/json', 'content-length': '5000' })); await never(line) }),
  endless('a byte now and then',                 endlessly(`${head(200, { 'content-type': 'application/json', 'content-length': '100000' })}{"data":["`, 'x', 20)),
  endless('a header byte now and then',          endlessly('HTTP/1.1 200 OK\r\nx-slow: ', 'x', 20)),
  error('100 Continue for ever',                 endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n', 10)),
  error('103 Early Hints for ever',              endlessly('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 10)),
]

function error(name: string, play: BadAnswer['play'], says?: RegExp): BadAnswer {
  return { name, reads: 'error', ends: true, play, ...(says === undefined ? {} : { says }) }
}
function either(name: string, play: BadAnswer['play']): BadAnswer {
  return { name, reads: 'either', ends: true, play }
}
function endless(name: string, play: BadAnswer['play']): BadAnswer {
  return { name, reads: 'error', ends: false, play }
}
