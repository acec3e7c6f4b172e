// R28: hostile brands and customers in messages: a page has the elements and addresses of its template and no others, nothing of
// it is run as a template, and a short text or a subject is one that nobody can mistake.
import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap } from 'parse5'
import { builtIn, renderMessage } from '../../src/delivery/render.ts'
import type { Brand } from '../../src/domain/messages/messages.ts'
import { sampleFacts } from '../../src/delivery/sample.ts'
import { customerSteps } from '../../src/domain/parcels/journeys.ts'
import { languages } from '../../src/domain/messages/templates.ts'
import { chanceOf } from '../support/chance.ts'
import { png } from '../support/pictures.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** What a template could be made to tell. */
const secret = 'ZQX7719'

// prettier-ignore
const payloads = [
  '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><img src=//evil.example/x>', "'><svg onload=alert(1)>", '</td></tr></table><h1>Win</h1>',
  '<a href="https://evil.example">click</a>', '<style>*{display:none}</style>', '<!--', '-->', '<![CDATA[', ']]>', '</title><script>1</script>', '<base href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">', '" onmouseover="alert(1)', "' style='background:url(//evil.example)", '<iframe srcdoc="<b>x</b>">', '&lt;b&gt;', '&#60;b&#62;',
  '&amp;', '&', '<', '>', '"', "'", '`', '=', '\\', '/', '%3Cscript%3E', '\uff1cscript\uff1e',
  '{{ customer.city }}', '{{ city }}', '{%assign x=customer.city%}{{x}}', '{% if true %}1{% endif %}', '{{', '}}', '{%', '%}', '{{ content }}', '{{ brand | raw }}', '{% include "/etc/passwd" %}', '{{ "x" | append: customer.city }}', '${customer.city}', '#{customer.city}', '<%= customer.city %>',
  'http://evil.example/a', 'https://evil.example', 'HTTPS://EVIL.EXAMPLE', 'www.evil.example', 'evil.example', 'evil.com/login', 'javascript:alert(1)', 'data:text/html,<b>', '//evil.example', 'hxxp://evil.example', 'win@evil.example', 'http://1.2.3.4/x', 'evil\u3002example', 'evil\uff0eexample', 'https\uff1a//evil.example', 'ht\u200btp://evil.example', 'evil.\u200bcom',
  '\r\nBcc: all@example.com', '\nSubject: Win', '\r', '\u0000', '\u0007', '\u001b[31m', '\u0085', '\u2028', '\u2029', '\u009b31m', '\u202e', '\u202d\u202c', '\u2066x\u2069', '\u200f', '\u061c', '\ufeff', '\u00ad', '\u200b', '\u200d', '\u{e0041}', '\ud800', '\udc00', '\u3164', '\ufffd', '\uffff',
  'a\u0301'.repeat(80), '\u0301'.repeat(300), 'न'.repeat(300), 'क्ष'.repeat(100), 'W'.repeat(300), '😀'.repeat(150), '👨‍👩‍👧‍👦'.repeat(40), ' '.repeat(300), '.'.repeat(300), 'x'.repeat(5000), '‮مرحبا', 'שלום', 'José', '“Best”', '₹', '__proto__', 'constructor', 'toString', 'null', '',
]
const ordinary = ['Asha', 'Acme Kids', 'रिया', '9', ' ', '-', 'O’Neil', 'R.Kumar']

/** So many hostile strings: every payload alone and inside of a name, then mixtures. */
export function hostileNames(count: number): readonly string[] {
  const chance = chanceOf(28)
  const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!
  const names = payloads.flatMap((text) => [text, `Asha ${text}`, `${text}Acme`])
  while (names.length < count)
    names.push(
      Array.from({ length: 2 + Math.floor(chance() * 4) }, () =>
        one(chance() < 0.7 ? payloads : ordinary).slice(0, 60),
      ).join(one(['', ' ', '\n'])),
    )
  return names.slice(0, count)
}

/** What a page is made of: elements with the names of their attributes, and what stands in those that could be addresses. */
function madeOf(page: string): readonly string[] {
  const found: string[] = []
  const visit = (node: DefaultTreeAdapterMap['node']): void => {
    if (defaultTreeAdapter.isElementNode(node)) {
      // The name of a brand stands where the logo is described.
      found.push(
        `${node.tagName} ${node.attrs.map(({ name, value }) => (name === 'alt' ? name : `${name}=${value}`)).join(' ')}`,
      )
      if (node.tagName === 'style')
        found.push(node.childNodes.map((child) => ('value' in child ? child.value : '')).join())
    }
    if (defaultTreeAdapter.isCommentNode(node)) found.push('comment')
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(page))
  return found
}

const logo = png()
const brandOf = (brand_name: string | null, marked: boolean): Brand | undefined =>
  brand_name === null ? undefined : { brand_name, logo_type: marked ? 'image/png' : null, logo: marked ? logo : null }

const unseen = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u
const address = /:\/\/|\bwww\.\w/i
/** What phones and mail programs make links of. */
const linked = /[\p{L}\p{M}\p{N}][.。．｡]\p{L}{2}/u

/** R28: so many of 5,000 strings as the brand and as the customer of a message. */
export const r28 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const names = hostileNames(share(size, 5000, payloads.length * 3))
    const faults: string[] = []
    /** The pages of people with no and with harmless names, which are the ones that there may be. */
    const usual = new Map<string, ReadonlySet<string>>()
    for (const [n, name] of names.entries()) {
      const [step, language, marked] = [customerSteps[n % customerSteps.length]!, languages[n % 2]!, n % 3 === 0]
      const template = { language, documents: n % 5 === 0 ? [builtIn[language]] : [] }
      const at = '2026-09-29T08:30:00Z'
      const rendered = (brand: string | null, customer: string | null) =>
        renderMessage(
          {
            ...sampleFacts(step, at),
            customer: { name: customer, city: secret, pincode: customer },
            order: customer === null ? null : '1497',
          },
          brandOf(brand, marked),
          template,
          n % 2 === 0 ? 'inline' : 'cid',
        )
      const key = `${step} ${language} ${marked} ${n % 2}`
      if (!usual.has(key))
        usual.set(
          key,
          new Set(
            [rendered('Acme', 'Asha'), rendered('', 'Asha'), rendered('Acme', ''), rendered('', '')].map(({ html }) =>
              JSON.stringify(madeOf(html)),
            ),
          ),
        )
      const shown = JSON.stringify(name.slice(0, 50))
      for (const [who, message] of [
        ['brand', rendered(name, 'Asha')],
        ['customer', rendered('Acme', name)],
      ] as const) {
        // prettier-ignore
        const { html, subject, text, parts } = message
        const fault = (what: string): void => void faults.push(`${who} ${shown}: ${what}`)
        if (!usual.get(key)!.has(JSON.stringify(madeOf(html)))) fault('another page')
        if (`${html}${subject}${text}`.includes(secret)) fault('run as a template')
        if (unseen.test(subject) || unseen.test(text.replaceAll('\n', ' '))) fault('something invisible')
        if (unseen.test(html.replaceAll('\n', ' '))) fault('something invisible in the page')
        if (/\n/.test(subject) || subject.length > 150) fault('no subject')
        if (address.test(subject) || address.test(text)) fault('an address')
        if (who === 'customer' && (linked.test(text) || linked.test(subject))) fault('something like an address')
        if (parts.count > 4) fault(`${parts.count} parts`)
        if (Buffer.byteLength(html) > 102_400) fault(`a page of ${html.length}`)
      }
    }
    return {
      row: 'R28',
      what: `${names.length.toLocaleString('en-IN')} hostile brands and customers in messages`,
      tried: names.length * 2,
      result: `${names.length * 2} messages, ${faults.length} faults`,
      target: '0 elements or addresses beyond the template',
      faults: summed(faults),
    }
  })
