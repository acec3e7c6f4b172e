// Redirects: where an answer sends a request on to, and the refusal of one that must not be followed.
import type { BaseUrl } from './baseurl.ts'
import { badAnswer, failedTry, type FailedTry } from './networkerrors.ts'

/** The most redirects of one try. */
export const mostRedirects = 3

/** A path of the same origin, or another place, which must not get the key. */
export type Redirect = string | { readonly elsewhere: string }

/** Where an answer sends on to; undefined when it is not a redirect. */
export function redirectIn(
  status: number,
  location: string | undefined,
  baseUrl: BaseUrl,
  path: string,
): Redirect | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const base = `${baseUrl.origin}${path}`
  if (!URL.canParse(location, base)) return { elsewhere: 'something that is not an address' }
  const target = new URL(location, base)
  const plain = target.username === '' && target.password === ''
  if (target.origin === baseUrl.origin && plain) return target.pathname + target.search
  return { elsewhere: target.host === '' ? `a ${target.protocol} address` : `${target.protocol}//${target.host}` }
}

/** The failure of a redirect that is not followed: to elsewhere, of a write, or one too many. */
export function refusedRedirect(
  origin: string,
  status: number,
  target: Redirect,
  tooMany: boolean,
  clean: (text: string) => string,
): FailedTry {
  const flags = { effect: status === 303 ? 'unknown' : 'none' } as const
  if (typeof target === 'object') {
    const message = `redirects to ${target.elsewhere}, and your key is not for that address; nothing was sent there`
    return failedTry(badAnswer(origin, message), flags)
  }
  const message = tooMany
    ? `redirected the request more than ${mostRedirects} times`
    : `redirects a write to ${clean(target).slice(0, 200)}; it was not sent again`
  return failedTry(badAnswer(origin, message), flags)
}
