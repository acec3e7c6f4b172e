// Whether markup with values in it is sound: elements that close, and values only where they are text: in elements and in quoted
// attributes, never as an address, a style or a name; knows no template but its marks.
import type { SourceFault } from './liquid.ts'

/** What a page has beside the values: markup that shipx made. */
const made = ['content', 'details']

const empty: ReadonlySet<string> = new Set(['area', 'br', 'col', 'hr', 'img', 'meta', 'wbr'])
// prettier-ignore
const refused: ReadonlySet<string> = new Set([
  'script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'form', 'input', 'button', 'select', 'textarea', 'base',
  'link', 'svg', 'math', 'noscript', 'template', 'video', 'audio', 'source', 'portal',
])
const addresses: ReadonlySet<string> = new Set([
  'href',
  'src',
  'background',
  'action',
  'formaction',
  'poster',
  'cite',
  'longdesc',
  'srcset',
  'data',
  'ping',
  'xlink:href',
])
/** Addresses that a mail may have: the host is the template's own. */
const address = /^(?:https?:\/\/[^\s/{"']+(?:[/?#]|$)|mailto:|tel:|cid:|data:image\/(?:png|jpeg|gif|webp)[;,]|#)/i

/** So many faults say enough; the place of each is counted from the beginning. */
const mostFaults = 100

interface Open {
  readonly name: string
  readonly at: number
}

/** What is wrong with the markup of a page (`layout`) or of a part of it. */
export function markupFaults(source: string, layout: boolean): readonly SourceFault[] {
  const faults: SourceFault[] = []
  const fault = (at: number, message: string): void => {
    if (faults.length >= mostFaults) return
    const before = source.slice(0, at)
    faults.push({ line: before.split('\n').length, column: at - before.lastIndexOf('\n'), message })
  }
  const open: Open[] = []
  const counts = new Map(made.map((name) => [name, 0]))
  let at = 0

  /** Goes past `{{ … }}` or `{% … %}`; gives what is in it. */
  const liquid = (): string => {
    const end = source.indexOf(source[at + 1] === '{' ? '}}' : '%}', at)
    const inside = source.slice(at + 2, end === -1 ? source.length : end)
    at = end === -1 ? source.length : end + 2
    return inside.replace(/^-|-$/g, '').trim()
  }
  const mentions = (inside: string): string | undefined =>
    made.find((name) => new RegExp(`(?<![\\w.'"])${name}\\b`).test(inside))

  const value = (): void => {
    const [from, output] = [at, source[at + 1] === '{']
    const inside = liquid()
    const name = mentions(inside)
    if (name === undefined) return
    if (!layout) fault(from, `${name} is of the layout`)
    else if (!output || inside !== name) fault(from, `${name} stands alone: {{ ${name} }}`)
    else counts.set(name, counts.get(name)! + 1)
  }

  /** Goes past what is no markup, up to `end`; values are refused in it. */
  const verbatim = (from: number, end: string, what: string): void => {
    const until = source.indexOf(end, at)
    const inside = source.slice(at, until === -1 ? source.length : until)
    if (until === -1) fault(from, `${what} does not end`)
    if (inside.includes('{{')) fault(at + inside.indexOf('{{'), `a value may not be in ${what}`)
    at = until === -1 ? source.length : until + end.length
  }

  const attribute = (): void => {
    const from = at
    const name = /^[^\s"'<>/={]+/.exec(source.slice(at, at + 100))?.[0]
    if (name === undefined) {
      fault(at, `"${source[at]!}" is not expected in a tag`)
      at++
      return
    }
    at += name.length
    const key = name.toLowerCase()
    const equals = /^\s*=\s*/.exec(source.slice(at, at + 100))?.[0]
    let text = ''
    if (equals !== undefined) {
      at += equals.length
      text = attributeValue()
    }
    const inside = text.includes('{{')
    if (key.startsWith('on') || key === 'srcdoc') fault(from, `${key} is not for mails`)
    else if (key === 'style' && inside) fault(from, 'a value may not be in a style')
    else if (inside && mentions(text.replace(/^[^{]*/, '')) !== undefined)
      fault(from, 'content and details may not be in an attribute')
    else if (addresses.has(key) && !/^\{\{-?\s*logo\s*-?\}\}$/.test(text.trim()) && !address.test(text.trim()))
      fault(from, `an address begins with https:// and a host, mailto: or tel:, and never with a value`)
  }

  const attributeValue = (): string => {
    const quote = source[at]
    if (quote !== '"' && quote !== "'") {
      const plain = /^[^\s>]*/.exec(source.slice(at, at + 500))![0]
      if (plain.includes('{{')) fault(at, 'a value in an attribute stands in quotes')
      at += plain.length
      return plain.includes('{{') ? '' : plain
    }
    const from = ++at
    while (at < source.length && source[at] !== quote) {
      if (/^\{[{%]/.test(source.slice(at, at + 2))) liquid()
      else at++
    }
    if (at >= source.length) fault(from - 1, 'the attribute does not end')
    return source.slice(from, at++)
  }

  const tag = (): void => {
    const from = at
    const name = /^<([a-z][\w:-]*)/i.exec(source.slice(at, at + 60))![1]!.toLowerCase()
    at += 1 + name.length
    if (refused.has(name)) fault(from, `<${name}> is not for mails`)
    while (at < source.length && source[at] !== '>') {
      if (source.startsWith('{{', at)) {
        fault(at, 'a value in a tag stands in the quotes of an attribute')
        liquid()
      } else if (source.startsWith('{%', at)) liquid()
      else if (source[at] === '<') break
      else if (/[\s/]/.test(source[at]!)) at++
      else attribute()
    }
    if (source[at] === '>') at++
    else fault(from, `<${name}> does not end with >`)
    if (name === 'meta' && /http-equiv/i.test(source.slice(from, at))) fault(from, '<meta http-equiv> is not for mails')
    if (empty.has(name)) return
    if (name === 'style') verbatim(from, '</style>', '<style>')
    else open.push({ name, at: from })
  }

  const closing = (): void => {
    const [whole, name] = /^<\/([a-z][\w:-]*)\s*>?/i.exec(source.slice(at, at + 60))!
    const last = open.at(-1)
    if (last?.name === name!.toLowerCase()) open.pop()
    else if (open.some((one) => one.name === name!.toLowerCase())) {
      while (open.at(-1)!.name !== name!.toLowerCase()) {
        const left = open.pop()!
        fault(left.at, `<${left.name}> is not closed`)
      }
      open.pop()
    } else fault(at, `</${name!}> closes nothing`)
    at += whole.length
  }

  while (at < source.length && faults.length < mostFaults) {
    const next = source.slice(at).search(/<|\{[{%]/)
    if (next === -1) break
    at += next
    const from = at
    if (source[at] === '{') value()
    else if (source.startsWith('<!--', at)) verbatim(from, '-->', 'a comment')
    else if (/^<!doctype/i.test(source.slice(at, at + 9))) verbatim(from, '>', 'the doctype')
    else if (/^<\/[a-z]/i.test(source.slice(at, at + 3))) closing()
    else if (/^<[a-z]/i.test(source.slice(at, at + 2))) tag()
    else {
      fault(at, 'a < that is text is written &lt;')
      at++
    }
  }
  for (const { name, at: left } of open) fault(left, `<${name}> is not closed`)
  if (layout && counts.get('content') !== 1) fault(0, 'a layout has {{ content }} once')
  if (layout && counts.get('details')! > 1) fault(0, 'a layout has {{ details }} at most once')
  return faults
}
