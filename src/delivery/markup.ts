// Checks that markup with values is sound. Elements must close. Values may be only in the text of elements and in
// quoted attributes, never in an address, a style or a name. parse5 reads the HTML, liquidjs the Liquid.
import { readHtml, type AttributePlace } from './html.ts'
import { marksOf, type LiquidMark, type SourceFault } from './liquid.ts'

/** Markup that shipx makes and a layout names. */
const made = ['content', 'details']

const empty: ReadonlySet<string> = new Set(['area', 'br', 'col', 'hr', 'img', 'meta', 'wbr'])
const refused: ReadonlySet<string> = new Set([
  'script',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'base',
  'link',
  'svg',
  'math',
  'noscript',
  'template',
  'video',
  'audio',
  'source',
  'portal',
  // Elements whose content is not markup.
  'xmp',
  'noembed',
  'noframes',
  'plaintext',
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
  'lowsrc',
  'dynsrc',
  'profile',
  'manifest',
  'xml:base',
])
/** Addresses that a mail may contain: the template itself must write the host. */
const address = /^(?:https?:\/\/[^\s/{"']+(?:[/?#]|$)|mailto:|tel:|cid:|data:image\/(?:png|jpeg|gif|webp)[;,]|#)/i
const logo = /^\{\{-?\s*logo\s*-?\}\}$/

interface HtmlError {
  readonly message: string
  /** The place of the fault: the sign < before it, the start of the token, or the character itself. */
  readonly at: 'sign' | 'token' | 'here'
}

const sign: HtmlError = { message: 'write a < in text as &lt;', at: 'sign' }
const comment: HtmlError = { message: 'write a comment as <!-- … -->', at: 'token' }

/** Errors that make a browser read something other than the author wrote, by their names in the HTML standard. */
const errors: Readonly<Record<string, HtmlError>> = {
  'invalid-first-character-of-tag-name': sign,
  'unexpected-question-mark-instead-of-tag-name': sign,
  'missing-end-tag-name': sign,
  'eof-before-tag-name': sign,
  'incorrectly-opened-comment': sign,
  'cdata-in-html-content': sign,
  'abrupt-closing-of-empty-comment': comment,
  'incorrectly-closed-comment': comment,
  'nested-comment': comment,
  'eof-in-comment': { message: 'a comment does not end', at: 'token' },
  'eof-in-doctype': { message: 'the doctype does not end', at: 'token' },
  'eof-in-tag': { message: 'the tag or one of its attributes does not end', at: 'token' },
  'end-tag-with-attributes': { message: 'an end tag has no attributes', at: 'sign' },
  'missing-attribute-value': { message: 'an attribute has no value after "="', at: 'here' },
  'unexpected-character-in-attribute-name': { message: 'a quote or a < is not expected in a tag', at: 'here' },
  'unexpected-equals-sign-before-attribute-name': { message: '"=" is not expected in a tag', at: 'here' },
  'unexpected-character-in-unquoted-attribute-value': {
    message: 'this value of an attribute needs quotes',
    at: 'here',
  },
  'unexpected-null-character': { message: 'a character is not allowed here', at: 'here' },
}

/** No more faults than this are reported: finding the place of each counts from the start. */
const mostFaults = 100

// Private letters that replace Liquid while parse5 reads the HTML. A tag becomes one letter and blanks: it separates
// attributes, and shows if it touches a name. A value becomes only letters.
const [tagLetter, valueLetter] = ['\ue000', '\ue001']
const letters = /[\ue000\ue001]/

const apart = 'put a space between {% … %} and a name in a tag'

/** The source with its Liquid replaced; every other character stays at its place. */
function covered(source: string, marks: readonly LiquidMark[]): string {
  const plain = source.replace(/[\ue000\ue001\r]/g, ' ')
  let [text, at] = ['', 0]
  for (const { from, to, tag } of marks) {
    const start = Math.max(at, from)
    const cover = tag === undefined ? valueLetter.repeat(to - start) : tagLetter.padEnd(to - start)
    text += plain.slice(at, start) + cover.slice(0, to - start)
    at = Math.max(at, to)
  }
  return text + plain.slice(at)
}

/** An element that is still open: where its tag is, and where its content starts. */
interface Open {
  readonly name: string
  readonly at: number
  readonly content: number
}

/** The state of a check, and the faults so far. */
interface Check {
  readonly source: string
  readonly html: string
  readonly marks: readonly LiquidMark[]
  readonly faults: SourceFault[]
  readonly open: Open[]
  /** Ranges where Liquid is not in text, from and to, in the order of the source. */
  readonly taken: (readonly [from: number, to: number])[]
}

function addFault({ source, faults }: Check, at: number, message: string): void {
  if (faults.length >= mostFaults) return
  const before = source.slice(0, at)
  faults.push({ line: before.split('\n').length, column: at - before.lastIndexOf('\n'), message })
}

/** The marks inside a range, by binary search: a page may have thousands. */
function marksIn({ marks }: Check, from: number, to: number): readonly LiquidMark[] {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (marks[middle]!.to <= from) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < marks.length && marks[end]!.from < to) end++
  return marks.slice(low, end)
}

const blocks: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for', 'comment'])

/** Checks that no Liquid block crosses the border of a range: a condition then changes only what is inside. */
function takeWhole(check: Check, from: number, to: number, what: string): void {
  let depth = 0
  let wrong: LiquidMark | undefined
  for (const mark of marksIn(check, from, to)) {
    const { tag = '' } = mark
    if (blocks.has(tag)) depth++
    else if (tag.startsWith('end') && depth-- === 0) wrong ??= mark
    else if (/^(?:else|elsif|when)$/.test(tag) && depth === 0) wrong ??= mark
  }
  if (wrong !== undefined || depth > 0)
    addFault(check, wrong?.from ?? from, `a block of Liquid must start and end inside ${what}, or outside it`)
}

/** Checks a part whose text is not shown: it may contain no values. */
function takeVerbatim(check: Check, from: number, to: number, what: string): void {
  check.taken.push([from, to])
  const value = marksIn(check, from, to).find(({ tag }) => tag === undefined)
  if (value !== undefined) addFault(check, value.from, `a value may not be in ${what}`)
  takeWhole(check, from, to, what)
}

/** Which of the made markup a mark names, if any. */
const madeIn = ({ inside }: LiquidMark): string | undefined =>
  made.find((name) => new RegExp(`(?<![\\w.'"])${name}\\b`).test(inside))

/** Whether the value of an attribute is quoted, and the value as written. */
function valueOf(attribute: string): readonly [quoted: boolean, written: string] {
  const equals = attribute.indexOf('=')
  const value = equals === -1 ? '' : attribute.slice(equals + 1).trim()
  const quoted = value.startsWith('"') || value.startsWith("'")
  return [quoted, quoted ? value.slice(1, -1).trim() : value]
}

function checkAttribute(check: Check, element: string, { name, from, to }: AttributePlace): void {
  if (name === tagLetter && to - from === 1) return
  if (letters.test(name))
    return addFault(
      check,
      from,
      name.includes(valueLetter) ? 'a value in a tag must be in the quotes of an attribute' : apart,
    )
  const [quoted, written] = valueOf(check.source.slice(from, to))
  const marks = marksIn(check, from, to)
  const values = marks.filter(({ tag }) => tag === undefined)
  if (!quoted && marks.length > 0) addFault(check, marks[0]!.from, 'a value in an attribute must be in quotes')
  else if (name.startsWith('on') || name === 'srcdoc') addFault(check, from, `${name} is not allowed in mails`)
  else if (element === 'meta' && name === 'http-equiv')
    addFault(check, from, '<meta http-equiv> is not allowed in mails')
  else if (name === 'style' && values.length > 0) addFault(check, from, 'a value may not be in a style')
  else if (values.some((mark) => madeIn(mark) !== undefined))
    addFault(check, from, 'content and details may not be in an attribute')
  else if (addresses.has(name) && !isAddress(name, written, values.length > 0))
    addFault(check, from, 'an address must start with https:// and a host, mailto: or tel:, and never with a value')
  takeWhole(check, from, to, 'an attribute')
}

// A srcset has several addresses and the pattern checks only the first, so it may contain no value.
const isAddress = (key: string, text: string, value: boolean): boolean =>
  logo.test(text) || (address.test(text) && !(value && key === 'srcset'))

/** Every attribute of a start tag that repeats some in different branches, with the place of each. */
function everyAttribute(check: Check, from: number, to: number): readonly AttributePlace[] {
  const all: AttributePlace[] = []
  let text = check.html.slice(from, to)
  for (let [twice, round] = [true, 0]; twice; round++) {
    if (round === mostRounds) {
      addFault(check, from, 'this tag repeats an attribute too often')
      break
    }
    let places: readonly AttributePlace[] = []
    twice = false
    readHtml(text, {
      startTag: (_name, _from, _to, attributes) => void (places = attributes),
      error: (code, _here, _token, attribute) => void (twice ||= isTwice(code, attribute)),
    })
    for (const { name, from: start, to: end } of places) {
      all.push({ name, from: from + start, to: from + end })
      text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
    }
  }
  return all
}

// To HTML, each Liquid tag is an attribute, always of the same name.
const isTwice = (code: string, attribute: string): boolean => code === 'duplicate-attribute' && attribute !== tagLetter

/** How often one attribute may occur in a tag. */
const mostRounds = 50

/** A tag's name up to the Liquid that touches it. */
function withoutLiquid(tag: string): string {
  const at = tag.search(letters)
  return at === -1 ? tag : tag.slice(0, at)
}

function closeElement(check: Check, name: string, at: number): void {
  const { open } = check
  if (!open.some((one) => one.name === name)) return addFault(check, at, `</${name}> closes nothing`)
  for (let last = open.pop()!; last.name !== name; last = open.pop()!)
    addFault(check, last.at, `<${last.name}> is not closed`)
}

/** Reads the tags, comments and attributes of a source. */
function readTags(check: Check): void {
  const { source, html, faults, open, taken } = check
  let twice = false
  readHtml(html, {
    comment: (from, to) => takeVerbatim(check, from, to, 'a comment'),
    doctype: (from, to) => takeVerbatim(check, from, to, 'the doctype'),
    startTag: (tag, from, to, attributes) => {
      const all = twice ? everyAttribute(check, from, to) : attributes
      twice = false
      if (faults.length >= mostFaults) return
      taken.push([from, to])
      const name = withoutLiquid(tag)
      if (name !== tag) addFault(check, from, apart)
      if (refused.has(name)) addFault(check, from, `<${name}> is not allowed in mails`)
      for (const attribute of all) checkAttribute(check, name, attribute)
      takeWhole(check, from, to, 'a tag')
      if (!empty.has(name)) open.push({ name, at: from, content: to })
    },
    endTag: (tag, from, to) => {
      if (faults.length >= mostFaults) return
      const last = open.at(-1)
      if (last?.name === 'style') takeVerbatim(check, last.content, from, '<style>')
      if (last?.name === 'title') takeWhole(check, last.content, from, '<title>')
      takeWhole(check, from, to, 'a tag')
      closeElement(check, withoutLiquid(tag), from)
    },
    error: (code, here, token, attribute) => {
      twice ||= isTwice(code, attribute)
      const found = errors[code]
      if (found === undefined || faults.length >= mostFaults) return
      const places = { here, token, sign: source.lastIndexOf('<', here) }
      addFault(check, places[found.at], found.message)
    },
  })
}

/** The faults in the markup of a page (`layout`) or of a part of it. */
export function markupFaults(source: string, layout: boolean): readonly SourceFault[] {
  const marks = marksOf(source)
  const html = covered(source, marks)
  const check: Check = { source, html, marks, faults: [], open: [], taken: [] }
  readTags(check)
  for (const { name, at } of check.open) addFault(check, at, `<${name}> is not closed`)
  const counts = new Map(made.map((name) => [name, 0]))
  let next = 0
  for (const mark of marks) {
    while (next < check.taken.length && check.taken[next]![1] <= mark.from) next++
    const name = madeIn(mark)
    if (name === undefined || (check.taken[next]?.[0] ?? Infinity) <= mark.from) continue
    if (!layout) addFault(check, mark.from, `${name} belongs in the layout`)
    else if (mark.inside !== name) addFault(check, mark.from, `${name} must stand alone: {{ ${name} }}`)
    else counts.set(name, counts.get(name)! + 1)
  }
  if (layout && counts.get('content') !== 1) addFault(check, 0, 'a layout must have {{ content }} once')
  if (layout && counts.get('details')! > 1) addFault(check, 0, 'a layout may have {{ details }} at most once')
  return check.faults
}
