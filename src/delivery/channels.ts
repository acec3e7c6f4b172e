// The ways of one account to its customers and its own systems, from its current settings: which channels have one, and
// the function that sends.
import QuickLRU from 'quick-lru'
import type { Brand, Facts, MessageChannel } from '../domain/messages/messages.ts'
import type { Database } from '../engine/database/port.ts'
import { findBrand } from '../engine/messages/brands.ts'
import type { Message } from '../engine/messages/queue.ts'
import { listGateways, type Gateway } from '../engine/messages/gateways.ts'
import { listWebhooks } from '../engine/messages/webhooks.ts'
import { readHook, readMailServer, readSender, type MailServer, type Sender } from './destination.ts'
import { byGateway } from './gateway.ts'
import type { Poster } from './post.ts'
import type { Resolve } from './publicaddress.ts'
import { toWebhooks } from './status.ts'
import type { LogoPlacement } from './render.ts'
import type { ReadyMessage, Render, Send } from './attempt.ts'
import type { OpenChannels } from './worker.ts'

/** Options of a run that replace the settings. */
export interface SettingOverrides {
  readonly gateway?: string | undefined
  readonly secret?: string | undefined
  readonly smtp?: string | undefined
  readonly sender?: string | undefined
}

/** What the ways of every account need. */
export interface ChannelOptions {
  readonly database: Database
  readonly poster: Poster
  readonly resolve: Resolve
  readonly allowPrivate: boolean
  readonly connections: number
  readonly ca: string | undefined
  /** The clock that receivers see, ms UTC. */
  readonly clock: () => number
  readonly ticks: () => number
  /** Makes the texts of an account from its current templates. */
  readonly render: (account: number) => Promise<Render>
  /** Replaces the settings of the account. */
  readonly over?: SettingOverrides
  /** Called once for each setting that cannot be used. */
  readonly fault: (message: string) => void
}

/** The ways of an account: `now` reads its settings again, `close` closes the connections to its mail server. */
export interface AccountChannels {
  readonly now: () => Promise<OpenChannels>
  readonly close: () => void
}

/** Brands in memory; the cache may hold twice as many for a time. One may have a logo of 2 MB. */
const keptBrands = 10

/** Makes the ways of an account. */
export function channelsOf(options: ChannelOptions, account: number): AccountChannels {
  const { database, poster, allowPrivate, clock } = options
  const brandOf = brandsOf(database, account)
  const fault = onceEach(options.fault)
  const mail = mailOf(options, fault)
  return {
    now: async () => {
      const { gateways, webhooks } = await database.read(function* () {
        return { gateways: yield* listGateways(account), webhooks: yield* listWebhooks(account) }
      })
      const render = await options.render(account)
      const ready: MakeReady = async (message, logo) => {
        const brand = await brandOf(message.brand)
        return { rendered: await render(JSON.parse(message.doc) as Facts, brand, message, logo), brand }
      }
      const named = (name: string): Gateway | undefined => gateways.find((gateway) => gateway.name === name)
      const gateway = gatewayWay(options, named('gateway'), ready, fault)
      const email = (await mail.way(named('smtp'), ready)) ?? gateway
      // Without a mail server, the gateway also takes e-mails.
      const ways: Partial<Record<MessageChannel, Send>> = {
        ...(gateway === undefined ? {} : { text: gateway }),
        ...(email === undefined ? {} : { email }),
        ...(webhooks.length === 0 ? {} : { webhook: toWebhooks({ poster, webhooks, allowPrivate, clock }) }),
      }
      return { channels: Object.keys(ways) as MessageChannel[], send: (message) => ways[message.channel]!(message) }
    },
    close: mail.close,
  }
}

/** Makes a message ready to be sent, from the current templates. */
type MakeReady = (message: Message, logo: LogoPlacement) => Promise<ReadyMessage>

type Fault = (message: string) => undefined

/** Reports each sentence once. */
function onceEach(report: (message: string) => void): Fault {
  const reported = new Set<string>()
  return (message) => {
    if (!reported.has(message)) report(message)
    reported.add(message)
    return undefined
  }
}

/** The brands of messages, each read once. */
function brandsOf(database: Database, account: number): (id: string | null) => Promise<Brand | undefined> {
  const brands = new QuickLRU<string, Brand | undefined>({ maxSize: keptBrands })
  return async (id) => {
    if (id === null) return undefined
    if (brands.has(id)) return brands.get(id)
    const brand = await database.read(() => findBrand(account, id), 'single')
    brands.set(id, brand)
    return brand
  }
}

function gatewayWay(
  { poster, clock, allowPrivate, over = {} }: ChannelOptions,
  gateway: Gateway | undefined,
  ready: MakeReady,
  fault: Fault,
): Send | undefined {
  const url = over.gateway ?? gateway?.url ?? undefined
  if (url === undefined) return undefined
  const target = readHook(url, allowPrivate)
  if ('fault' in target && 'value' in readHook(url, true))
    fault('the gateway is set, but it is http://, which needs --allow-private here')
  else if ('fault' in target) fault(`the gateway ${target.fault}`)
  const secret = over.secret ?? gateway?.secret ?? undefined
  if (secret === undefined) return fault('there is no secret to sign messages to the gateway')
  return 'fault' in target ? undefined : byGateway({ poster, url: target.value, secret, clock, ready })
}

interface MailSender {
  readonly send: Send
  readonly close: () => void
}

interface Mail {
  /**
   * The way through the mail server of the current settings. Its connections stay open while the settings name the same
   * server.
   */
  readonly way: (smtp: Gateway | undefined, ready: MakeReady) => Promise<Send | undefined>
  readonly close: () => void
}

function mailOf(options: ChannelOptions, fault: Fault): Mail {
  const { over = {} } = options
  let open: { readonly key: string; readonly sender: MailSender } | undefined
  // Read for each message: the sender stays the same when templates change.
  let makeReady: MakeReady | undefined
  const way: Mail['way'] = async (smtp, ready) => {
    makeReady = ready
    const url = over.smtp ?? smtp?.url ?? undefined
    if (url === undefined) return undefined
    const from = over.sender ?? smtp?.sender ?? undefined
    if (from === undefined) return fault('e-mails have no sender: use --from, or shipx messages set --from')
    const [server, sender] = [readMailServer(url), readSender(from)]
    if ('fault' in server) return fault(`the mail server ${server.fault}`)
    if ('fault' in sender) return fault(`the sender of e-mails ${sender.fault}`)
    const key = JSON.stringify([server.value, sender.value])
    if (open?.key !== key) {
      open?.sender.close()
      open = { key, sender: await openMail(options, server.value, sender.value, (...args) => makeReady!(...args)) }
    }
    return open.sender.send
  }
  return { way, close: () => open?.sender.close() }
}

async function openMail(
  { resolve, allowPrivate, connections, ca, ticks }: ChannelOptions,
  server: MailServer,
  sender: Sender,
  makeReady: MakeReady,
): Promise<MailSender> {
  // An account without e-mails does not load the mail sender.
  const { bySmtp } = await import('./smtp.ts')
  const ready = (message: Message): Promise<ReadyMessage> => makeReady(message, 'cid')
  return bySmtp({ server, sender, resolve, allowPrivate, connections, ca, ticks, ready })
}
