// The ways of one account to its customers and its own systems, as its settings say now: which channels have one, and the
// function that sends by it.
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
import type { Logo } from './render.ts'
import type { Ready, Render, Send } from './attempt.ts'
import type { Ways } from './worker.ts'

/** What a run says instead of the settings. */
export interface Over {
  readonly gateway?: string | undefined
  readonly secret?: string | undefined
  readonly smtp?: string | undefined
  readonly sender?: string | undefined
}

/** What every account's ways are made with. */
export interface WayOptions {
  readonly database: Database
  readonly poster: Poster
  readonly resolve: Resolve
  readonly allowPrivate: boolean
  readonly connections: number
  readonly ca: string | undefined
  /** The clock of receivers, ms UTC. */
  readonly clock: () => number
  readonly ticks: () => number
  /** Makes the texts of an account, as its templates are now. */
  readonly render: (account: number) => Promise<Render>
  /** What goes before the settings of the account. */
  readonly over?: Over
  /** Told once of a setting that cannot be used. */
  readonly fault: (message: string) => void
}

/** The ways of an account: `now` reads its settings anew, `close` lets connections to its mail server go. */
export interface AccountWays {
  readonly now: () => Promise<Ways>
  readonly close: () => void
}

/** Brands that are kept in memory, of which the cache holds twice as many at most: one may have a logo of 2 MB. */
const keptBrands = 10

/** Makes the ways of an account. */
export function waysOf(options: WayOptions, account: number): AccountWays {
  const { database, poster, allowPrivate, clock, over = {} } = options
  const brands = new QuickLRU<string, Brand | undefined>({ maxSize: keptBrands })
  const brandOf = async (id: string | null): Promise<Brand | undefined> => {
    if (id === null) return undefined
    if (brands.has(id)) return brands.get(id)
    const brand = await database.read(() => findBrand(account, id), 'single')
    brands.set(id, brand)
    return brand
  }
  const readyBy =
    (render: Render) =>
    async (message: Message, logo: Logo): Promise<Ready> => {
      const brand = await brandOf(message.brand)
      return { rendered: await render(JSON.parse(message.doc) as Facts, brand, message, logo), brand }
    }
  let mail: { readonly key: string; readonly sender: { readonly send: Send; readonly close: () => void } } | undefined
  let ready: ReturnType<typeof readyBy> | undefined
  const said = new Set<string>()
  const fault = (message: string): undefined => {
    if (!said.has(message)) options.fault(message)
    said.add(message)
    return undefined
  }

  const mailWay = async (smtp: Gateway | undefined): Promise<Send | undefined> => {
    const url = over.smtp ?? smtp?.url ?? undefined
    if (url === undefined) return undefined
    const from = over.sender ?? smtp?.sender ?? undefined
    if (from === undefined) return fault('nobody is named whom e-mails are from: --from, or shipx messages set --from')
    const [server, sender] = [readMailServer(url), readSender(from)]
    if ('fault' in server) return fault(`the mail server ${server.fault}`)
    if ('fault' in sender) return fault(`whom e-mails are from ${sender.fault}`)
    const key = JSON.stringify([server.value, sender.value])
    if (mail?.key !== key) {
      mail?.sender.close()
      mail = { key, sender: await mailer(server.value, sender.value) }
    }
    return mail.sender.send
  }
  const mailer = async (server: MailServer, sender: Sender) => {
    // Who sends no e-mails does not load what sends them.
    const { bySmtp } = await import('./smtp.ts')
    const { resolve, connections, ca, ticks } = options
    return bySmtp({
      server,
      sender,
      resolve,
      allowPrivate,
      connections,
      ca,
      ticks,
      ready: (message) => ready!(message, 'cid'),
    })
  }

  return {
    now: async () => {
      const { gateways, webhooks } = await database.read(function* () {
        return { gateways: yield* listGateways(account), webhooks: yield* listWebhooks(account) }
      })
      const gateway = gateways.find(({ name }) => name === 'gateway')
      const url = over.gateway ?? gateway?.url ?? undefined
      const target = url === undefined ? undefined : readHook(url, allowPrivate)
      if (target !== undefined && 'fault' in target) fault(`the gateway ${target.fault}`)
      const secret = over.secret ?? gateway?.secret ?? undefined
      if (url !== undefined && secret === undefined) fault('there is no secret to sign messages to the gateway with')
      const by = readyBy(await options.render(account))
      ready = by
      const gate =
        target !== undefined && 'value' in target && secret !== undefined
          ? byGateway({ poster, url: target.value, secret, clock, ready: by })
          : undefined
      const smtp = await mailWay(gateways.find(({ name }) => name === 'smtp'))
      const hooks = webhooks.length === 0 ? undefined : toWebhooks({ poster, webhooks, allowPrivate, clock })
      // Without a mail server of its own, a gateway takes e-mails as well.
      const ways: Partial<Record<MessageChannel, Send>> = {
        ...(gate === undefined ? {} : { text: gate }),
        ...(smtp === undefined && gate === undefined ? {} : { email: smtp ?? gate! }),
        ...(hooks === undefined ? {} : { webhook: hooks }),
      }
      return { channels: Object.keys(ways) as MessageChannel[], send: (message) => ways[message.channel]!(message) }
    },
    close: () => mail?.sender.close(),
  }
}
