// Defends what messages say: every step in both languages, with and without a brand; templates that are checked with line and
// column, that win over the defaults and stay with their store; hostile names; the page in a real browser.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { SegmentedMessage } from 'sms-segments-calculator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtIn, logoCid, renderMessage } from '../../src/delivery/render.ts'
import type { Brand } from '../../src/domain/messages/messages.ts'
import { bareFacts, sampleFacts } from '../../src/delivery/sample.ts'
import { readTemplate } from '../../src/delivery/templatecheck.ts'
import { fileOf } from '../../src/delivery/templatefile.ts'
import { customerSteps, type CustomerStep } from '../../src/domain/parcels/journeys.ts'
import { plainText, typewritten } from '../../src/domain/messages/plaintext.ts'
import { partsOf } from '../../src/domain/messages/sms.ts'
import { failureReasons } from '../../src/domain/parcels/statuses.ts'
import { languages, type Language, type TemplateDocument } from '../../src/domain/messages/templates.ts'
import { saveTemplate, templateFor, useLanguage } from '../../src/engine/messages/templates.ts'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { openEngine, openPostgresEngine } from '../support/engine.ts'
import { png } from '../support/pictures.ts'
import { benchOf, type Bench } from '../support/bench.ts'
import { orderRequest } from '../support/requests.ts'
import { root } from '../support/checkout.ts'

const at = '2026-09-29T08:30:00Z'
const acme: Brand = { brand_name: 'Acme Kids', logo_type: 'image/png', logo: png(120, 40) }
const told = (
  step: CustomerStep,
  language: Language,
  brand: Brand | undefined,
  ...documents: readonly TemplateDocument[]
) => renderMessage(sampleFacts(step, at), brand, { language, documents }, 'cid')

describe('the built-in messages', () => {
  test('say every step in both languages, with a brand and without', () => {
    const lines = languages.flatMap((language) =>
      customerSteps.flatMap((step) => [
        `\n${step}, ${language}`,
        ...[acme, undefined].flatMap((brand) => {
          const { text, subject, parts } = told(step, language, brand)
          return [`  ${parts.count} ${text}`, ...(brand === undefined ? [`    ${subject}`] : [])]
        }),
        `  ${renderMessage(bareFacts(step, at), undefined, { language, documents: [] }, 'none').text}`,
      ]),
    )
    const path = join(root, 'test/delivery/messages.txt')
    const written = `${lines.join('\n').trim()}\n`
    if (process.env['UPDATE'] === '1') writeFileSync(path, written)
    expect(written).toBe(readFileSync(path, 'utf8'))
  })

  test('are one part in English and at most three in Hindi, begin with the brand and name no other', () => {
    for (const step of customerSteps)
      for (const [language, brand] of [
        ['en', acme],
        ['en', undefined],
        ['hi', acme],
        ['hi', undefined],
      ] as const) {
        // prettier-ignore
        const { text, parts, html, subject } = told(step, language, brand)
        expect([step, language, parts.encoding, parts.count <= (language === 'en' ? 1 : 3)]).toEqual([
          step,
          language,
          language === 'en' ? 'GSM-7' : 'UCS-2',
          true,
        ])
        expect([step, text.startsWith('Acme Kids: ')]).toEqual([step, brand !== undefined])
        if (brand === undefined) expect(`${text}${subject}${html}`).not.toContain('Acme')
        expect(html.startsWith(`<!doctype html>\n<html lang="${language}">`)).toBe(true)
        expect(Buffer.byteLength(html)).toBeLessThan(102_400)
        expect(`${text}${subject}`).not.toMatch(/null|undefined|true|false|\{|\}|:\/\/|\s{2}|\s[.,।]/)
      }
  })

  test('say why a parcel was not delivered, and only promise to come again where somebody will', () => {
    const said = failureReasons.map(
      (reason) =>
        renderMessage(
          { ...sampleFacts('attempt_failed', at), reason },
          undefined,
          { language: 'en', documents: [] },
          'none',
        ).text,
    )
    expect(said.map((text) => text.replace('Sorry, your order 1497 could not be delivered', '')))
      .toMatchInlineSnapshot(`
      [
        ": you were not available. We will try again soon. Please keep your phone at hand.",
        ": the address was incomplete.",
        ": it was not accepted at the door.",
        ": the premises were closed. We will try again soon. Please keep your phone at hand.",
        ": we could not reach you. We will try again soon. Please keep your phone at hand.",
        ": the payment was not ready. We will try again soon. Please keep your phone at hand.",
        ": a later date was asked for. We will try again soon. Please keep your phone at hand.",
        ": it is to be collected from the courier.",
        ": the address is outside the courier's area.",
        ": the parcel was damaged on its way.",
        ". We will try again soon. Please keep your phone at hand.",
        ". We will try again soon. Please keep your phone at hand.",
      ]
    `)
    for (const reason of failureReasons) expect(told('attempt_failed', 'hi', undefined).text).not.toContain(reason)
  })

  test('ask for money at the door only, in Indian figures', () => {
    const cod = (amount: number | null, language: Language) =>
      renderMessage(
        { ...sampleFacts('out_for_delivery', at), cod: amount },
        undefined,
        { language, documents: [] },
        'none',
      )
    expect(cod(1_01_499.5, 'en').text).toContain('Rs 1,01,499.50')
    expect(cod(1_01_499.5, 'en').html).toContain('₹1,01,499.50')
    expect(cod(12_34_56_789, 'hi').text).toContain('₹12,34,56,789 ')
    expect(cod(99, 'en').text).toContain('Rs 99 ')
    expect(cod(null, 'en').text).not.toMatch(/Rs|ready/)
  })

  test('carry the logo in the page, in an attachment or not at all, with the brand as its description', () => {
    const logo = (how: 'inline' | 'cid' | 'none', brand: Brand | undefined = acme) =>
      /<img src="([^"]*)" alt="([^"]*)"/
        .exec(renderMessage(sampleFacts('shipped', at), brand, { language: 'en', documents: [] }, how).html)
        ?.slice(1)
    expect(logo('inline')).toEqual([`data:image/png;base64,${Buffer.from(acme.logo!).toString('base64')}`, 'Acme Kids'])
    expect(logo('cid')).toEqual([`cid:${logoCid}`, 'Acme Kids'])
    expect(logo('none')).toBeUndefined()
    expect(logo('cid', { ...acme, brand_name: null })).toEqual([`cid:${logoCid}`, 'Logo'])
    expect(logo('cid', { ...acme, logo: null })).toBeUndefined()
    expect(told('shipped', 'en', undefined).html).not.toContain('<img')
  })
})

describe('parts of a short text', () => {
  test('are those of the standard at every edge', () => {
    const parts = (text: string) => `${partsOf(text).encoding} ${partsOf(text).count}`
    expect([
      parts(''),
      parts('a'.repeat(160)),
      parts('a'.repeat(161)),
      parts('a'.repeat(306)),
      parts('a'.repeat(307)),
    ]).toEqual(['GSM-7 1', 'GSM-7 1', 'GSM-7 2', 'GSM-7 2', 'GSM-7 3'])
    expect([
      parts('€'.repeat(80)),
      parts('€'.repeat(81)),
      parts('न'.repeat(70)),
      parts('न'.repeat(71)),
      parts('न'.repeat(134)),
      parts('न'.repeat(135)),
    ]).toEqual(['GSM-7 1', 'GSM-7 2', 'UCS-2 1', 'UCS-2 2', 'UCS-2 2', 'UCS-2 3'])
    // What takes two places is not cut in two.
    expect(parts(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe('GSM-7 3')
    expect(parts(`${'a'.repeat(66)}😀${'a'.repeat(65)}`)).toBe('UCS-2 2')
    expect(parts(`${'a'.repeat(66)}😀${'a'.repeat(66)}`)).toBe('UCS-2 3')
  })

  test('are as many as a second program counts', () => {
    const signs = fc.constantFrom(...'abcXYZ 019.,:;!?\'"@£$_Δ€{}[]~^|\\', 'न', 'क', 'é', '₹', '“')
    fc.assert(
      fc.property(fc.array(signs, { minLength: 1, maxLength: 420 }), (list) => {
        const text = list.join('')
        const { encodingName, segmentsCount } = new SegmentedMessage(text)
        expect(partsOf(text)).toEqual({ encoding: encodingName, count: segmentsCount })
      }),
      { numRuns: 150 },
    )
  })
})

describe('what outsiders wrote', () => {
  test.each([
    ['Asha  Rao\r\nBcc: x', 'Asha Rao Bcc: x'],
    ['\u202eevil\u0000\u200b\u00ad', 'evil'],
    ['कृष्\u200dण', 'कृष्\u200dण'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['a\u200db\u200d', 'ab'],
    ['Win at https://evil.example/x now', 'Win at evil. example/x now'],
    ['www.evil.com', 'evil. com'],
    ['R.Kumar, 2.5 m', 'R. Kumar, 2.5 m'],
    ['\ud800x', 'x'],
    [' ', ''],
  ])('%j is %j', (given, wanted) => expect(plainText(given, 100)).toBe(wanted))

  test('is cut between characters', () => {
    expect(plainText('W'.repeat(300), 30)).toBe(`${'W'.repeat(29)}…`)
    expect(plainText('नि'.repeat(300), 30)).toBe(`${'नि'.repeat(14)}…`)
    expect(plainText('😀'.repeat(300), 30)).toBe(`${'😀'.repeat(14)}…`)
    expect(plainText('Pepper.in', 30, 'own')).toBe('Pepper.in')
    expect(typewritten('“O’Neil” – ₹5…')).toBe('"O\'Neil" - Rs 5...')
  })

  test('is no template, no markup, no header and not long', () => {
    const hostile = {
      ...sampleFacts('shipped', at),
      customer: { name: '{{ order }}<b>\r\nBcc: all', city: null, pincode: null },
      courier: '"><img src=x>',
      order: 'W'.repeat(300),
    }
    const { text, subject, html } = renderMessage(
      hostile,
      { brand_name: '</title><script>', logo_type: null, logo: null },
      { language: 'en', documents: [] },
      'cid',
    )
    expect(text).toMatchInlineSnapshot(
      `"</title><script>: Good news, {{! Your order WWWWWWWWWWWWWWWWWWWWWWWWWWWWW... has been shipped with "><img src=x>. Tracking number: 14344940012345."`,
    )
    expect(subject).toMatch(/^Your order W{99}… is on its way$/)
    expect(html).toContain('{{ order }}&lt;b&gt; Bcc: all')
    expect(html).not.toMatch(/<script|<img|<b>/)
  })
})

const document: TemplateDocument = {
  language: 'en',
  dlt: { entity_id: '1101234567890123456', header: 'ACMEKD', template_ids: { shipped: '1107160000000000001' } },
  steps: {
    shipped: { text: 'Off it goes: {{ order }}' },
    delivered: { subject: 'There! {{ order }}', html: '<p>Here, {{ customer.name }}</p>' },
  },
}

describe('a template', () => {
  test('says what it has, and leaves the rest to its defaults, part by part', () => {
    const account: TemplateDocument = {
      language: 'en',
      steps: { shipped: { text: 'Gone', subject: 'Gone' }, refund: { text: 'Money' } },
      layout: '<html><body>{{ content }}</body></html>',
    }
    const [shipped, delivered, refund] = (['shipped', 'delivered', 'refund'] as const).map((step) =>
      told(step, 'en', acme, document, account),
    )
    expect([shipped!.text, shipped!.subject, refund!.text, delivered!.subject]).toEqual([
      'Off it goes: 1497',
      'Gone',
      'Money',
      'There! 1497',
    ])
    expect(delivered!.html).toBe('<html><body><p>Here, Asha Rao</p></body></html>')
    expect(delivered!.text).toBe(told('delivered', 'en', acme).text)
  })

  test('has an id of DLT for its own wording only', () => {
    expect(told('shipped', 'en', acme, document).dlt).toEqual({
      entity_id: '1101234567890123456',
      header: 'ACMEKD',
      template_id: '1107160000000000001',
    })
    expect(
      told('shipped', 'en', acme, { language: 'en', steps: { shipped: { text: 'Other' } } }, document).dlt,
    ).toBeNull()
    expect(told('delivered', 'en', acme, document).dlt).toBeNull()
  })

  test.each(languages)('that is written as a file is read as it was: built-in %s', (language) => {
    const first = readTemplate(fileOf(builtIn[language]), at)
    expect([first.faults, first.warnings]).toEqual([[], []])
    const again = readTemplate(`\ufeff${fileOf(first.document!).replaceAll('\n', '\r\n')}`, at)
    expect(again.document).toEqual(first.document)
    expect(told('shipped', language, acme, first.document!).text).toBe(told('shipped', language, acme).text)
  })

  const faults = (file: string) =>
    readTemplate(file, at).faults.map(({ line, column, message }) => `${line}:${column} ${message}`)

  test('is refused with the line and column of every fault', () => {
    const file = [
      '# what we say',
      'langage: en',
      'language: fr',
      '',
      '=== shiped text',
      'hello',
      '=== shipped txt',
      'x',
      '=== shipped text',
      '',
      'Hi {{ custmer.name }}',
      '  and {{ order | upcse }}{{ customer.__proto__ }}',
      '=== shipped text',
      'y',
      '=== delivered subject',
      'a',
      'b',
      '=== delivered text',
      '{% if order %} {{ order }}',
      '=== delivered html',
      '   ',
      '=== refund text',
      "{% include 'x' %}",
      '=== refund subject',
      'Items: {% for item in items %}{{ item.naem }}{% endfor %}',
      '=== dlt',
      'entity_id: 12',
      'heder: ACME',
      'shipped: 1',
      'nonsense',
      '=== coming_back text',
      '{% for i in (1..100000000) %}{{ i }}{% endfor %}',
      '=== return_received text',
      '{{ order }}',
    ].join('\n')
    expect(faults(file)).toMatchInlineSnapshot(`
      [
        "2:1 "langage" is not known here; the file begins with language: en, or hi",
        "3:1 "fr" is no language that messages are written in: en, hi",
        "5:1 "shiped text" is no step. Did you mean shipped?",
        "7:1 "shipped txt" is no part of shipped: text, subject or html",
        "11:7 "custmer.name" is nothing that a message knows. Did you mean customer.name?",
        "12:7 there is no filter "upcse". Did you mean upcase?",
        "12:29 "customer.__proto__" is nothing that a message knows. Did you mean customer?",
        "13:1 shipped text is there twice",
        "17:1 a subject is one line",
        "19:1 tag {% if order %} not closed",
        "20:1 delivered html is empty; without the section it is the default's",
        "23:1 there is no tag "include". One of: if, unless, case, for, break, continue, assign, comment",
        "25:34 "item.naem" is nothing that a message knows",
        "26:1 header is missing",
        "27:1 entity_id: "12" is not an id of 19 digits",
        "28:1 "heder" is no step. Did you mean header?",
        "29:1 shipped: "1" is not an id of 19 digits",
        "30:1 a line here is name: value, or a comment with # before it",
        "32:1 memory alloc limit exceeded",
        "34:1 the text is empty where little is known of an order",
      ]
    `)
  })

  test('takes values where they are text only, and elements that close', () => {
    const page = (body: string) => faults(`language: en\n=== shipped html\n${body}`)
    for (const good of [
      '<p>{{ order }}</p>',
      '<p title="{{ order | default: \'"\' }}">x</p>',
      '<a href="https://acme.example/t/{{ tracking_number | url_encode }}">x</a>',
      '<img src="{{ logo }}" alt="">',
      '<td {% if order %}class="x"{% endif %}>{{ order }}</td>',
      '<a href="mailto:help@acme.example">x</a>',
      '<br><br/>1 &lt; 2',
      '<p title=x dir=ltr>y</p>',
      '<td {% if order %}class="x"{% else %}class="y"{% endif %}>x</td>',
      '<!-- {% if order %}a{% endif %} --><title>{{ subject }}</title>',
    ])
      // prettier-ignore
      expect([good, page(good)]).toEqual([good, []])
    const bad = [
      '<p>',
      '</p>',
      '<b><i></b></i>',
      '<p title={{ order }}>x</p>',
      '<p {{ order }}>x</p>',
      '<{{ order }}>',
      '<p title="x>y</p>',
      '<p style="color: {{ order }}">x</p>',
      '<style>{{ order }}</style>',
      '<!-- {{ order }} -->',
      '<a href="{{ order }}">x</a>',
      '<a href="https://{{ order }}/">x</a>',
      '<a href="javascript:alert(1)">x</a>',
      '<a href=" JAVAscript:x">x</a>',
      '<a href="{% if order %}{{ order }}{% endif %}">x</a>',
      '<img src="//x/y">',
      '<p onclick="x">y</p>',
      '<script>1</script>',
      '<form></form>',
      '<meta http-equiv="refresh">',
      '{{ content }}',
      '<p>1 < 2</p>',
      // What a browser reads in another way than it looks.
      '<p title=a"b>y</p>',
      '<p =x>y</p>',
      '</p title="x">',
      '<!--><b title="-->">x</b>',
      '<!-- x --!><script>1</script>-->',
      '<![CDATA[<b>]]>',
      '<?xml version="1.0"?>',
      '<svg><style><img src=x></style></svg>',
      '<math><mi>x</mi></math>',
      '<template><b>x</b></template>',
      '<noscript><p title="</noscript><script>1</script>"></p></noscript>',
      '<xmp><p title="</xmp><script>1</script>"></p></xmp>',
      '<title><b title="</title><script>1</script>"></b></title>',
      '<img srcset="https://acme.example/ 1x, {{ order }} 2x">',
      // What is written depends on a condition.
      '<scr{% if order %}ipt{% endif %}>1</scr{% if order %}ipt{% endif %}>',
      '<scr{%- if order -%} {%- endif -%} ipt>1</scr>',
      '<p {% if order %}title="{% endif %} onclick=x y="">z</p>',
      '<a {% if order %}href="https://acme.example/"{% endif %} href="javascript:x">y</a>',
      '{% if order %}<style>{% endif %}<b onclick="x"></b></style>',
      '{% if order %}<!-- {% endif %}<b onclick="x"></b>-->',
      `<a ${'{% if order %}href="https://acme.example/"{% endif %} '.repeat(60)}href="javascript:x">y</a>`,
    ]
    expect(bad.map((one) => `${one.slice(0, 90)}  →  ${page(one).join(' | ')}`)).toMatchInlineSnapshot(`
      [
        "<p>  →  3:1 <p> is not closed",
        "</p>  →  3:1 </p> closes nothing",
        "<b><i></b></i>  →  3:4 <i> is not closed | 3:11 </i> closes nothing",
        "<p title={{ order }}>x</p>  →  3:10 a value in an attribute stands in quotes",
        "<p {{ order }}>x</p>  →  3:4 a value in a tag stands in the quotes of an attribute",
        "<{{ order }}>  →  3:1 a < that is text is written &lt;",
        "<p title="x>y</p>  →  3:1 the tag or one of its attributes does not end",
        "<p style="color: {{ order }}">x</p>  →  3:4 a value may not be in a style",
        "<style>{{ order }}</style>  →  3:8 a value may not be in <style>",
        "<!-- {{ order }} -->  →  3:6 a value may not be in a comment",
        "<a href="{{ order }}">x</a>  →  3:4 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="https://{{ order }}/">x</a>  →  3:4 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="javascript:alert(1)">x</a>  →  3:4 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<a href=" JAVAscript:x">x</a>  →  3:4 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="{% if order %}{{ order }}{% endif %}">x</a>  →  3:4 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<img src="//x/y">  →  3:6 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<p onclick="x">y</p>  →  3:4 onclick is not for mails",
        "<script>1</script>  →  3:1 <script> is not for mails",
        "<form></form>  →  3:1 <form> is not for mails",
        "<meta http-equiv="refresh">  →  3:7 <meta http-equiv> is not for mails",
        "{{ content }}  →  3:1 content is of the layout",
        "<p>1 < 2</p>  →  3:6 a < that is text is written &lt;",
        "<p title=a"b>y</p>  →  3:11 this value of an attribute needs quotes",
        "<p =x>y</p>  →  3:4 "=" is not expected in a tag",
        "</p title="x">  →  3:1 an end tag has no attributes | 3:1 </p> closes nothing",
        "<!--><b title="-->">x</b>  →  3:1 a comment is written <!-- … -->",
        "<!-- x --!><script>1</script>-->  →  3:1 a comment is written <!-- … --> | 3:12 <script> is not for mails",
        "<![CDATA[<b>]]>  →  3:1 a < that is text is written &lt;",
        "<?xml version="1.0"?>  →  3:1 a < that is text is written &lt;",
        "<svg><style><img src=x></style></svg>  →  3:1 <svg> is not for mails",
        "<math><mi>x</mi></math>  →  3:1 <math> is not for mails",
        "<template><b>x</b></template>  →  3:1 <template> is not for mails",
        "<noscript><p title="</noscript><script>1</script>"></p></noscript>  →  3:1 <noscript> is not for mails",
        "<xmp><p title="</xmp><script>1</script>"></p></xmp>  →  3:1 <xmp> is not for mails",
        "<title><b title="</title><script>1</script>"></b></title>  →  3:26 <script> is not for mails | 3:46 </b> closes nothing | 3:50 </title> closes nothing",
        "<img srcset="https://acme.example/ 1x, {{ order }} 2x">  →  3:6 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "<scr{% if order %}ipt{% endif %}>1</scr{% if order %}ipt{% endif %}>  →  3:1 a space separates {% … %} from a name in a tag | 3:19 a space separates {% … %} from a name in a tag | 3:35 an end tag has no attributes",
        "<scr{%- if order -%} {%- endif -%} ipt>1</scr>  →  3:1 a space separates {% … %} from a name in a tag",
        "<p {% if order %}title="{% endif %} onclick=x y="">z</p>  →  3:25 a block of Liquid begins and ends inside an attribute, or outside it | 3:50 a quote or a < is not expected in a tag",
        "<a {% if order %}href="https://acme.example/"{% endif %} href="javascript:x">y</a>  →  3:58 an address begins with https:// and a host, mailto: or tel:, and never with a value",
        "{% if order %}<style>{% endif %}<b onclick="x"></b></style>  →  3:22 a block of Liquid begins and ends inside <style>, or outside it",
        "{% if order %}<!-- {% endif %}<b onclick="x"></b>-->  →  3:20 a block of Liquid begins and ends inside a comment, or outside it",
        "<a {% if order %}href="https://acme.example/"{% endif %} {% if order %}href="https://acme.  →  3:1 an attribute stands in this tag too often",
      ]
    `)
    const layout = (body: string) => faults(`language: en\n=== layout\n${body}`)
    expect(layout('<html><body>{{ content }}{{ details }}</body></html>')).toEqual([])
    expect(
      [
        '<p>x</p>',
        '{{ content }}{{ content }}',
        '{{ content | upcase }}',
        '<p title="{{ content }}">{{ content }}</p>',
        '{% assign x = content %}{{ content }}',
      ].map((one) => layout(one).join(' | ')),
    ).toMatchInlineSnapshot(`
      [
        "3:1 a layout has {{ content }} once",
        "3:1 a layout has {{ content }} once",
        "3:1 content stands alone: {{ content }} | 3:1 a layout has {{ content }} once",
        "3:4 content and details may not be in an attribute",
        "3:1 content stands alone: {{ content }}",
      ]
    `)
  })

  test('is warned of where it is long, large or not registered', () => {
    const file = `language: hi\n=== dlt\nentity_id: 1101234567890123456\nheader: ACMEKD\n=== shipped text\n${'न'.repeat(700)}\n=== refund html\n<p>${'x'.repeat(110_000)}</p>`
    expect(
      readTemplate(file, at).warnings.map(
        ({ line, message }) => `${line} ${message.replace(/[\d,]+ bytes/, 'so many bytes')}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "6 shipped text is sent in 11 parts, each of which is paid",
        "6 shipped text has no template id of DLT",
        "8 refund html is a page of so many bytes; mail programs cut it at 1,02,400",
      ]
    `)
  })
})

describe.each([
  ['SQLite', openEngine],
  ['PostgreSQL', openPostgresEngine],
] as const)('on %s', (_, open) => {
  test("a store's template goes before the account's, and a language that is asked for before both settings", async () => {
    const engine = await open()
    const { database, account, host } = engine
    const own = (text: string, language: Language): TemplateDocument => ({ language, steps: { shipped: { text } } })
    await database.write(function* () {
      yield* saveTemplate(account, 's1', own('store en', 'en'), host.now())
      yield* saveTemplate(account, null, own('account en', 'en'), host.now())
      yield* saveTemplate(account, null, own('account hi', 'hi'), host.now())
    })
    const said = async (store: string | null, language?: Language) =>
      told('shipped', 'en', undefined, ...(await database.read(() => templateFor(account, store, language))).documents)
        .text
    expect([await said('s1'), await said('s2'), await said(null), await said('s1', 'hi')]).toEqual([
      'store en',
      'account en',
      'account en',
      'account hi',
    ])
    await database.write(() => useLanguage(account, 's1', 'hi', host.now()))
    expect([await said('s1'), await said(null), await said('s1', 'en')]).toEqual([
      'account hi',
      'account en',
      'store en',
    ])
    await database.write(() => useLanguage(account, null, 'hi', host.now()))
    expect([await said(null), await said('s2')]).toEqual(['account hi', 'account hi'])
    const other = await engine.as('other')
    expect((await database.read(() => templateFor(other.account, 's1'))).documents).toEqual([])
    await engine.close()
  })
})

describe('the commands', () => {
  let bench: Bench
  const shipx = (...args: readonly string[]) => bench.shipx(args)
  beforeAll(async () => {
    bench = benchOf()
    bench.file('logo.png', '')
    writeFileSync(join(bench.folder, 'logo.png'), png(120, 40))
    expect(
      (await shipx('stores', 'create', '--name', 'acme-kids', '--brand', 'Acme Kids', '--logo', 'logo.png', '--json'))
        .exit,
    ).toBe(0)
  })
  afterAll(() => bench.remove())

  test('export, check, import, list, use and remove; a store that is renamed keeps its template', async () => {
    const preview = async (store: string, ...more: readonly string[]) =>
      (await shipx('messages', 'preview', '--step', 'shipped', '--store', store, '--text', ...more)).stdout.trim()
    expect((await shipx('messages', 'template', 'export', '--out', 'en.txt')).exit).toBe(0)
    const text = readFileSync(join(bench.folder, 'en.txt'), 'utf8').replace('Good news', 'Hooray')
    bench.file('mine.txt', text)
    expect((await shipx('messages', 'template', 'check', 'mine.txt')).exit).toBe(0)
    const dry = await shipx('messages', 'template', 'import', 'mine.txt', '--store', 'acme-kids', '--dry-run')
    expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: { import: 'acme-kids/en' } })
    expect(await preview('acme-kids')).toMatch(/^Acme Kids: Good news, Asha!/)
    expect((await shipx('messages', 'template', 'import', 'mine.txt', '--store', 'acme-kids')).exit).toBe(0)
    expect(await preview('acme-kids')).toMatch(/^Acme Kids: Hooray, Asha!/)
    expect((await shipx('stores', 'update', 'acme-kids', '--name', 'acme-baby', '--yes')).exit).toBe(0)
    expect(await preview('acme-baby')).toMatch(/^Acme Kids: Hooray, Asha!/)
    const { data } = JSON.parse((await shipx('messages', 'template', 'list', '--json')).stdout) as {
      readonly data: readonly { readonly name: string }[]
    }
    expect(data.map(({ name }) => name)).toEqual(['built-in/en', 'built-in/hi', 'acme-baby/en'])
    expect((await shipx('messages', 'template', 'use', 'hi', '--store', 'acme-baby')).exit).toBe(0)
    expect(await preview('acme-baby')).toMatch(/^Acme Kids: खुशखबरी, Asha!/)
    expect(await preview('acme-baby', '--language', 'en')).toMatch(/Hooray/)
    const unasked = await shipx('messages', 'template', 'remove', '--store', 'acme-baby', '--language', 'en')
    expect(unasked.exit).toBe(8)
    expect(
      (await shipx('messages', 'template', 'remove', '--store', 'acme-baby', '--language', 'en', '--yes')).exit,
    ).toBe(0)
    expect(await preview('acme-baby', '--language', 'en')).toMatch(/Good news/)
    expect((await shipx('messages', 'template', 'remove', '--language', 'en', '--yes')).exit).toBe(3)
    expect((await shipx('messages', 'template', 'export', '--store', 'nobody')).exit).toBe(3)
  })

  test('name every fault of a file by file, line and column, and take nothing of it', async () => {
    bench.file('bad.txt', 'language: en\n=== shipped text\nHi {{ custmer.name }}\n=== shiped html\n<p>\n')
    const { exit, stderr } = await shipx('messages', 'template', 'import', 'bad.txt', '--json')
    const { error } = JSON.parse(stderr) as {
      readonly error: { readonly details: readonly { readonly field: string; readonly message: string }[] }
    }
    expect([exit, error.details.map(({ field, message }) => `${field} ${message}`)]).toMatchInlineSnapshot(`
      [
        2,
        [
          "bad.txt:3:7 "custmer.name" is nothing that a message knows. Did you mean customer.name?",
          "bad.txt:4:1 "shiped html" is no step. Did you mean shipped?",
        ],
      ]
    `)
    bench.file('bare.txt', '=== shipped text\nHi {{ order }}\n')
    expect((await shipx('messages', 'template', 'check', 'bare.txt')).exit).toBe(2)
    expect((await shipx('messages', 'template', 'check', 'bare.txt', '--language', 'hi')).exit).toBe(0)
  })

  test('preview a message that was made, in the brand that it was made with', async () => {
    const order = orderRequest({ order_id: 'A-7', order_date: '2026-09-29 13:00', store_name: 'acme-home' })
    bench.file('order.json', JSON.stringify(order))
    expect(
      (await shipx('stores', 'create', '--name', 'acme-home', '--brand', 'Acme Home', '--logo', 'logo.png')).exit,
    ).toBe(0)
    expect((await shipx('local', 'warehouse', 'set', 'WH1', '400001')).exit).toBe(0)
    const made = await shipx('orders', 'create', '--file', 'order.json', '--json')
    expect([made.exit, made.stderr]).toEqual([0, expect.any(String)])
    const { payload } = JSON.parse(made.stdout) as { readonly payload: { readonly awb_code: string } }
    expect((await shipx('local', 'track', payload.awb_code, 'picked_up', '--json')).exit).toBe(0)
    const database = (await import('better-sqlite3')).default(join(bench.folder, 'data', 'shipx.sqlite'), {
      readonly: true,
    })
    const messages = database.prepare('select id, step from messages order by id').all() as {
      id: string
      step: string
    }[]
    database.close()
    const { id } = messages.find(({ step }) => step === 'shipped')!
    expect((await shipx('stores', 'update', 'acme-home', '--brand', 'Other')).exit).toBe(0)
    const { stdout, exit } = await shipx('messages', 'preview', id, '--language', 'en', '--json', '--out', 'mail.html')
    const { data } = JSON.parse(stdout) as { readonly data: Readonly<Record<string, unknown>> }
    expect([exit, data]).toEqual([
      0,
      expect.objectContaining({
        step: 'shipped',
        language: 'en',
        brand_name: 'Acme Home',
        parts: { encoding: 'GSM-7', count: 1 },
        dlt: null,
      }),
    ])
    expect(data['text']).toMatch(/^Acme Home: Good news, Asha! Your order A-7 has been shipped with /)
    expect(readFileSync(join(bench.folder, 'mail.html'), 'utf8')).toBe(data['html'])
    expect((await shipx('messages', 'preview', id, '--out', 'mail.html')).exit).toBe(2)
    expect((await shipx('messages', 'preview', 'nope')).exit).toBe(3)
    expect((await shipx('messages', 'preview')).exit).toBe(2)
  })
})

// A browser is no package of ours: where the system has none, the rest of this file still holds.
describe.skipIf(!existsSync(chromiumPath))('in a browser', { tags: ['full'] }, () => {
  let browser: Browser
  let bench: Bench
  beforeAll(async () => {
    bench = benchOf()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    bench.remove()
  })

  const hostile = {
    ...acme,
    brand_name: '"><img src=//evil.example/x onerror=document.title="owned"><script>document.title="owned"</script>',
  }
  const pages = [
    ['branded', acme, 'en'],
    ['unbranded', undefined, 'en'],
    ['Hindi', acme, 'hi'],
    ['hostile', hostile, 'en'],
  ] as const
  const views = [
    ['a desk', 1000, 'light'],
    ['a phone in the dark', 320, 'dark'],
  ] as const
  test.each(pages.flatMap((page) => views.map((view) => [...page, ...view] as const)))(
    'a %s message for %4$s asks for nothing, says nothing and fits',
    async (name, brand, language, _, width, colorScheme) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const page = await context.newPage()
      const [said, requests]: [string[], string[]] = [[], []]
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(error.message))
      page.on('request', (request) => requests.push(request.url()))
      const { html, subject } = renderMessage(
        sampleFacts('out_for_delivery', at),
        brand,
        { language, documents: [] },
        'inline',
      )
      const url = pathToFileURL(bench.file(`${name}-${width}.html`, html)).href
      await page.goto(url)
      expect(await page.title()).toBe(subject)
      expect(await page.evaluate<boolean>('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
      const logos = brand === undefined ? 0 : 1
      expect(await page.evaluate('[...document.images].filter((one) => one.naturalWidth > 0).length')).toBe(logos)
      expect(await page.evaluate('document.images.length')).toBe(logos)
      // Ink and paper, however they are coloured, stand apart.
      const [ink, paper] = await page.evaluate<readonly number[]>(
        `[getComputedStyle(document.querySelector('.inside')).color, getComputedStyle(document.querySelector('.card')).backgroundColor].map((rgb) => rgb.match(/\\d+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0))`,
      )
      expect(colorScheme === 'light' ? paper! - ink! : ink! - paper!).toBeGreaterThan(400)
      expect([said, requests.filter((one) => !one.startsWith('data:'))]).toEqual([[], [url]])
      await context.close()
    },
  )
})
