// Where messages are sent, as people type it: the rules of such addresses. It resolves no name and sends nothing.

/** A destination that passed the rules, or why it did not. */
export type Destination<T> = { readonly value: T } | { readonly fault: string }

const url = (text: string): URL | undefined =>
  /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text)

/**
 * The address of a gateway or a webhook: https, any port, optionally a query. A user name is refused, since logs on the
 * way would show it and receivers know us by the signature. A fragment is refused, since it would not be sent. http is
 * allowed only with private addresses.
 */
export function readHook(typed: string, allowPrivate: boolean): Destination<URL> {
  const found = url(typed.trim())
  if (found === undefined || !/^https?:$/.test(found.protocol))
    return { fault: 'must be a URL such as https://example.com/messages' }
  if (found.username !== '' || found.password !== '' || /^https?:\/\/[^/?#]*@/i.test(typed.trim()))
    return { fault: 'must not contain a user name or password' }
  if (found.hash !== '' || typed.includes('#')) return { fault: 'must not contain a fragment' }
  if (found.protocol === 'http:' && !allowPrivate)
    return { fault: 'must be https://; http:// is for private networks (--allow-private)' }
  return { value: found }
}

/** A mail server: `smtp://` starts unencrypted and then encrypts, `smtps://` is encrypted from the start. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string | undefined
  readonly password: string | undefined
}

/** Reads a mail server as `smtp://user:password@host:587`. The faults never repeat what was typed. */
export function readMailServer(typed: string): Destination<MailServer> {
  const found = /^smtps?:\/\//i.test(typed.trim()) ? url(typed.trim()) : undefined
  const fault = { fault: 'must be smtp://user:password@host:587, or smtps://… with TLS from the start' }
  if (
    found === undefined ||
    found.hostname === '' ||
    !['', '/'].includes(found.pathname) ||
    found.search !== '' ||
    found.hash !== ''
  )
    return fault
  const secure = found.protocol === 'smtps:'
  try {
    const part = (text: string): string | undefined => (text === '' ? undefined : decodeURIComponent(text))
    // Read the host like a web address: a number in another notation becomes the address that it means.
    const { hostname } = new URL(`http://${found.host}`)
    return {
      value: {
        host: hostname.replace(/^\[|\]$/g, ''),
        port: found.port === '' ? (secure ? 465 : 587) : Number(found.port),
        secure,
        user: part(found.username),
        password: part(found.password),
      },
    }
  } catch {
    return fault
  }
}

/** The sender of e-mails, as `Acme <orders@acme.example>` or the address alone. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Whether text is exactly one e-mail address; text that could be read as more is refused. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}-]{2,63}$/u.test(
    text,
  )

/** Reads a sender as people type it. */
export function readSender(typed: string): Destination<Sender> {
  const whole = typed.trim()
  const open = whole.indexOf('<')
  const [name, address] =
    open === -1 || !whole.endsWith('>') ? ['', whole] : [whole.slice(0, open).trim(), whole.slice(open + 1, -1)]
  if (/\p{Cc}/u.test(typed) || name.length > 100 || name.includes('>') || !isMailAddress(address))
    return { fault: 'must be an e-mail address, or "Acme <orders@acme.example>"' }
  return { value: { name: name.replace(/^"(.*)"$/, '$1'), address } }
}

/** An address that is safe to show: without the query, which may contain a token, and without a user. */
export function shownUrl(text: string): string {
  const found = url(text)
  if (found === undefined) return '(not an address)'
  const path = found.pathname === '/' ? '' : found.pathname
  return `${found.protocol}//${found.host}${path}${found.search === '' ? '' : '?…'}`
}
