// Sends messages as e-mails through a mail server: nodemailer over a checked address; the mail includes the brand's
// logo.
import { rootCertificates } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Message } from '../engine/messages/queue.ts'
import { isMailAddress, type MailServer, type Sender } from './destination.ts'
import { reasonOf } from './post.ts'
import { checkedAddresses, isPublic, type Resolve } from './publicaddress.ts'
import { logoCid } from './render.ts'
import type { ReadyMessage, Send, SendResult } from './attempt.ts'

/** What sending e-mails needs. */
export interface MailOptions {
  readonly server: MailServer
  readonly sender: Sender
  readonly resolve: Resolve
  readonly allowPrivate: boolean
  readonly connections: number
  /** Additional certificate authorities, as PEM. */
  readonly ca: string | undefined
  readonly ready: (message: Message) => Promise<ReadyMessage>
  /** A clock that never runs backwards, ms. */
  readonly ticks: () => number
}

/** How long until a name is looked up again, ms. */
const lookedUpFor = 300_000

/** Limits of one mail, ms: to connect, to be greeted, and of silence. */
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000, dnsTimeout: 10_000 }

const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Sends through a mail server; `close` closes its connections. */
export function bySmtp(options: MailOptions): { readonly send: Send; readonly close: () => void } {
  const { server, sender, ready, ticks } = options
  let current: { readonly transport: ReturnType<typeof transportTo>; readonly until: number } | undefined
  const transport = async (): Promise<ReturnType<typeof transportTo>> => {
    if (current !== undefined && ticks() < current.until) return current.transport
    const [found] = await checkedAddresses(server.host, options.resolve, options.allowPrivate)
    if (current !== undefined && ticks() < current.until) return current.transport
    current?.transport.close()
    current = { transport: transportTo(options, found!.address), until: ticks() + lookedUpFor }
    return current.transport
  }
  return {
    send: async (message) => {
      const to = message.email ?? ''
      if (!isMailAddress(to)) return { ok: false, error: 'its e-mail address is not valid', final: true }
      try {
        const { rendered, brand } = await ready(message)
        const logo = brand?.logo ?? null
        await (
          await transport()
        ).sendMail({
          // As separate parts, so that no text can become an address or a header of its own.
          from: { name: oneLine(brand?.brand_name ?? sender.name), address: sender.address },
          to: { name: '', address: to },
          subject: oneLine(rendered.subject),
          text: rendered.text,
          html: rendered.html,
          messageId: `<${message.id}@${sender.address.split('@')[1]!}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments:
            logo === null
              ? []
              : [
                  {
                    filename: `logo.${extensions[brand?.logo_type ?? ''] ?? 'png'}`,
                    contentType: brand?.logo_type ?? 'image/png',
                    content: Buffer.from(logo),
                    cid: logoCid,
                    contentDisposition: 'inline',
                  },
                ],
        })
        return { ok: true }
      } catch (error) {
        return failedBy(error)
      }
    },
    close: () => current?.transport.close(),
  }
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()

function transportTo({ server, allowPrivate, connections, ca }: MailOptions, address: string) {
  const { host, port, secure, user, password } = server
  const inside = allowPrivate && !isPublic(address)
  return createTransport({
    pool: true,
    maxConnections: connections,
    maxMessages: 100,
    host: address,
    port,
    secure,
    // The certificate must be for the name, not for the address. Inside a private network mail may travel unencrypted,
    // so an untrusted certificate is no worse.
    tls: {
      servername: host,
      rejectUnauthorized: !inside || secure,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    },
    requireTLS: !secure && !inside,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...limits,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The reason, without the server's own text: that may repeat addresses. */
function failedBy(error: unknown): SendResult {
  const { responseCode, code } = error as { readonly responseCode?: unknown; readonly code?: unknown }
  if (code === 'EAUTH') return { ok: false, error: 'the mail server refused the user or the password' }
  if (typeof responseCode === 'number') return { ok: false, error: `the mail server answered ${responseCode}` }
  const words: Readonly<Record<string, string>> = {
    ETLS: 'the mail server does not encrypt, or its certificate is not trusted',
    ECONNECTION: 'the connection was closed',
    ESOCKET: 'no connection',
    EDNS: 'there is no such host',
    EENVELOPE: 'the mail server refused the address',
  }
  return { ok: false, error: words[String(code)] ?? reasonOf(error) }
}
