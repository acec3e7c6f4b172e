// A mail server for tests: a real one on loopback that keeps what it is given.
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as it came. */
export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  /** Header lines, unfolded. */
  readonly headers: readonly string[]
  readonly text: string
  readonly user: string | undefined
}

/** A running mail server. */
export interface Mailbox {
  readonly port: number
  readonly mails: readonly Mail[]
  readonly close: () => Promise<void>
}

/** Starts a mail server. */
export async function startMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      if (password === 'right') callback(null, { user: username })
      else callback(new Error('no'))
    },
    onData: (stream, { envelope, user }, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const head = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
        const { mailFrom, rcptTo } = envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          headers: head.split('\r\n'),
          text,
          user: user as string | undefined,
        })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
