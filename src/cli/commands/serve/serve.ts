// `shipx serve`: runs the embedded engine as the service over HTTP until it is stopped; only connects its parts.
import { serviceApp, usualConnections } from '../../../server/app.ts'
import { logLine, type LogEntry } from '../../../server/log.ts'
import { startReaders, usualReaders } from '../../../server/readers.ts'
import { storageOf } from '../../../server/storage.ts'
import { turnsOf } from '../../../server/turns.ts'
import { isLoopback } from '../../../client/baseurl.ts'
import { listKeys } from '../../../engine/accounts/keys.ts'
import { done } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import { delivering } from '../messages/workers.ts'
import { flag, number, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databaseUrl } from '../../config/paths.ts'
import { installed } from '../../source/packagefiles.ts'
import { listenError } from '../../command/listenerror.ts'
import { openFilesLimit } from './openfiles.ts'
import { inlineMore } from '../../terminal/inlining.ts'
import { jsonText } from '../../terminal/safe.ts'

/** Time for open requests to end after a stop, ms. */
const drain = 10_000

/**
 * How many of the 20 connections to a database server go to accounts. The others look up keys, before the account is
 * known.
 */
const serverPlaces = { places: 16, each: 8 }

/** Files and pipes that the process itself needs, and that each reading thread needs. */
const ownFiles = { process: 60, reader: 10 }

const serveOptions = {
  host: word,
  port: number(8787, 65_535),
  rate_limit: number(100, 1_000_000),
  readers: number(undefined, 64),
  deliver: flag,
  allow_private: flag,
  quiet: flag,
}

const serve = verb(serveOptions, async (context, options) => {
  const misplaced = { field: '--allow-private', message: 'goes with --deliver' }
  refuse(context, options.allow_private && !options.deliver ? [misplaced] : [])
  return withEngine(context, 'serve', (engine) => serveUntilStopped(context, options, engine))
})

async function serveUntilStopped(
  context: Context,
  options: OptionsOf<typeof serveOptions>,
  { database: opened, path }: Engine,
): Promise<number> {
  inlineMore()
  const { io } = context
  const { host = '127.0.0.1', port, rate_limit: rateLimit, readers: count = usualReaders() } = options
  const { version, thread, file } = installed()
  const quiet = options.quiet
  // A server's driver is asynchronous: it needs no threads, and requests share its connections in turn.
  const remote = databaseUrl(context) !== undefined
  const readers = count === 0 || remote ? undefined : startReaders(thread('reader'), { path }, count)
  // Requests that end in one turn of the event loop are logged in one write.
  let lines: string[] = []
  const flush = (): void => {
    const text = lines.join('')
    lines = []
    if (text !== '') io.stderr.write(text).catch(() => undefined)
  }
  const log = (entry: LogEntry): void => {
    if (entry.level === 'error' || !quiet) lines.push(logLine(entry, Date.now()))
    if (lines.length === 1) setImmediate(flush)
  }
  const { database, check } = storageOf(opened, remote ? undefined : path, (message) =>
    log({ level: 'error', id: 'storage', message }),
  )
  const app = await serviceApp({
    database,
    checkStorage: check,
    host: io.host,
    ...(readers === undefined ? {} : { readers }),
    ...(remote ? { turns: turnsOf(serverPlaces) } : {}),
    version,
    asset: (name) => file(`docs/${name}`),
    rateLimit,
    mostConnections: connectionsLimit(readers === undefined ? 0 : count),
    log,
  })
  let stopped: () => void = () => undefined
  const stop = new Promise<void>((resolve) => {
    stopped = resolve
  })
  let signals = 0
  const quieten = io.onInterrupt(() => {
    stopped()
    // A second signal closes the connections without waiting for their answers.
    if (++signals > 1) app.server.closeAllConnections()
  })
  const unhang = io.onHangup(stopped)
  const messages = options.deliver ? await delivering(context, database) : undefined
  try {
    const url = await listen(app, host, port)
    if ((await database.read(() => listKeys())).length === 0)
      await context.note('there is no key yet: shipx keys create default')
    if (!isLoopback(host))
      await context.warn(`${host} can be reached by others, without TLS: put a proxy with a certificate in front`)
    if (context.format === 'plain')
      await done(context, `shipx ${version} serves ${path} at ${url} (API page: ${url}/docs)`)
    else await io.stdout.write(`${jsonText({ url, database: path, pid: io.pid, version })}\n`)
    await stop
    await context.note('stopping')
    const late = setTimeout(() => app.server.closeAllConnections(), drain)
    await Promise.all([app.close(), messages?.end()])
    clearTimeout(late)
    return 0
  } finally {
    quieten()
    unhang()
    await messages?.end()
    await app.close()
    flush()
    await readers?.close()
  }
}

/** The number of connections that the limit of open files allows. */
function connectionsLimit(readers: number): number {
  const left = (openFilesLimit() ?? Infinity) - ownFiles.process - ownFiles.reader * readers
  return Math.max(16, Math.min(usualConnections, left))
}

async function listen(app: Awaited<ReturnType<typeof serviceApp>>, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, host, port)
  }
}

export const verbs = { serve }
