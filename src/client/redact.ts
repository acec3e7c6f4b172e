// Takes secrets out of any text, and customers' data out of bodies that are shown for debugging.

import { withoutEnd } from '../domain/textends.ts'

const hidden = '<redacted>'

/** Shorter secrets are not searched for: they would occur in every text. */
const shortest = 4

/**
 * Returns a function that replaces secrets in a text with <redacted>. It finds a secret as it is, in base64 at any
 * offset, encoded for URLs and inside JSON. It also hides Authorization values and the userinfo of URLs. It ignores
 * secrets under 4 characters.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf))]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length)
  const known = forms.length === 0 ? undefined : new RegExp(forms.map(literal).join('|'), 'g')
  return (text) => {
    const without = known === undefined ? text : text.replace(known, hidden)
    return without
      .replace(quotedHeader, (_, head: string, _quote: string, value: string) => head + schemeOf(value) + hidden)
      .replace(knownScheme, `$1${hidden}`)
      .replace(otherScheme, `$1${hidden}`)
      .replace(/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"'<>]{1,1024}@/gi, `$1${hidden}@`)
  }
}

/** A header with a credential in quotes, as in JSON, up to its closing quote. */
const quotedHeader = /\b(authorization\\?["']?\s{0,4}[:=]\s{0,4}\[?(\\?["']))((?:(?!\2)\\{0,64}[^\\\r\n]){1,4096})/gi

/** The scheme of a credential with the space after it, or nothing. */
const schemeOf = (value: string): string => /^(?:bearer|basic|token)\s{1,4}/i.exec(value)?.[0] ?? ''

/** A header without quotes: a known scheme has one credential. */
const knownScheme =
  /\b(authorization[ \t]{0,9}[:=][ \t]{0,9}(?:bearer|basic|token)[ \t]{1,9})(?:"[^"\n]{1,4096}"?|[^\s"',;]{1,4096})/gi

/** Of any other scheme, the rest of the line is the credential. */
const otherScheme =
  /\b(authorization[ \t]{0,9}[:=][ \t]{0,9})(?!(?:bearer|basic|token)[ \t]|[\s\\"'[<])[^\r\n]{1,4096}/gi

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
 * Base64 packs 3 bytes into 4 characters, so a secret has 3 forms. Each form here leaves out characters that neighbours
 * share.
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

/** Beginnings of keys that say whose data it is. */
const people = 'billing|shipping|pickup|rto|customer|buyer|contact|recipient'

/** Keys whose values are about a person: names, phones, mail and street addresses, and what was searched for. */
const personalKeys =
  'customer|buyer|recipient|contact|first_name|last_name|full_name|name|(?:phone|mobile)(?:_number)?s?|' +
  'alternate_phone|emails?|address|address_?[12]|address_line_?[12]|street|landmark|search'

/** A string (perhaps cut off) or a number. */
const scalar = /(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*)/.source

/** Such a key and its value: one string or number, or a list of them. */
const personal = new RegExp(
  `("(?:(?:${people})_){0,2}(?:${personalKeys})"\\s{0,8}:\\s{0,8})` +
    `(?:${scalar}|\\[\\s{0,8}${scalar}(?:\\s{0,8},\\s{0,8}${scalar})*\\s{0,8}\\]?)`,
  'gi',
)

/**
 * A JSON text, whole or only its beginning, with the values that are about a person masked; for showing, not for
 * parsing.
 */
export function maskBody(text: string): string {
  return text.replace(personal, '$1"<masked>"')
}
