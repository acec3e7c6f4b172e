// Takes secrets out of any text, and customers' data out of bodies that are shown for debugging.

import { withoutEnd } from '../domain/textends.ts'

const hidden = '<redacted>'

/** Shorter secrets are not searched for: they would occur in every text. */
const shortest = 4

/**
 * A function that takes secrets out of a text: as they are, in base64 (wherever in the encoded bytes they lie), encoded
 * for URLs and inside JSON; and also every `Authorization` value and the userinfo of every URL.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf))]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length)
  const known = forms.length === 0 ? undefined : new RegExp(forms.map(literal).join('|'), 'g')
  return (text) => {
    const without = known === undefined ? text : text.replace(known, hidden)
    return without
      .replace(authorization, (_, head: string, scheme?: string) =>
        scheme === undefined ? head + hidden : `${head}${scheme} ${hidden}`,
      )
      .replace(/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@"'<>]{1,1024}@/gi, `$1${hidden}@`)
  }
}

/** A header with a credential, in a request or as JSON. */
const authorization =
  /\b((?:proxy-)?authorization"?\s{0,4}[:=]\s{0,4}"?)(?:(bearer|basic|token)\s{1,4})?[^\s",;]{1,4096}/gi

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function formsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret.toWellFormed())
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    ...base64Of(secret),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replace(/%20/g, '+'),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
  ]
}

/**
 * The characters of base64 that hold the secret and nothing else, for each place where it can start among the bytes.
 */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const text = withoutEnd(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'), '=')
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    const url = whole.replaceAll('+', '-').replaceAll('/', '_')
    return before === 0 ? [whole, url, text] : [whole, url]
  })
}

/** Keys whose values are about a person: names, phones, mail and street addresses, and what was searched for. */
const personalKeys =
  'customer_name|customer|first_name|last_name|full_name|name|contact|phone|phone_number|mobile|alternate_phone|' +
  'email|address|address_?[12]|address_line_?[12]|street|landmark|search'

/** Such a key and its value, a string (perhaps cut off) or a number. */
const personal = new RegExp(
  `("(?:(?:billing|shipping|pickup|rto)_)?(?:${personalKeys})"\\s{0,8}:\\s{0,8})` +
    /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*)/.source,
  'gi',
)

/**
 * A JSON text, whole or only its beginning, with the values that are about a person masked; for showing, not for
 * parsing.
 */
export function maskBody(text: string): string {
  return text.replace(personal, '$1"<masked>"')
}
