// Templates: checked with line and column, they win over the defaults part by part, and a store's over the account's.
import { describe, expect, test } from 'vitest'
import { builtIn } from '../../src/delivery/render.ts'
import { readTemplate } from '../../src/delivery/templatecheck.ts'
import { fileOf } from '../../src/delivery/templatefile.ts'
import { languages, type Language, type TemplateDocument } from '../../src/domain/messages/templates.ts'
import { saveTemplate, templateFor, useLanguage } from '../../src/engine/messages/templates.ts'
import { openEngine, openPostgresEngine } from '../support/engine.ts'
import { at, acme, told } from './samples.ts'

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
        "2:1 "langage" is not known here; the file starts with language: en, or hi",
        "3:1 "fr" is not a language of messages; one of: en, hi",
        "5:1 "shiped text" is not a step. Did you mean shipped?",
        "7:1 "shipped txt" is not a part of shipped: text, subject or html",
        "11:7 "custmer.name" is not a value of messages. Did you mean customer.name?",
        "12:7 there is no filter "upcse". Did you mean upcase?",
        "12:29 "customer.__proto__" is not a value of messages. Did you mean customer?",
        "13:1 shipped text appears twice",
        "17:1 a subject is one line",
        "19:1 tag {% if order %} not closed",
        "20:1 delivered html is empty; leave the section out to use the default",
        "23:1 there is no tag "include". One of: if, unless, case, for, break, continue, assign, comment",
        "25:34 "item.naem" is not a value of messages",
        "26:1 header is missing",
        "27:1 entity_id: "12" is not an id of 19 digits",
        "28:1 "heder" is not a step. Did you mean header?",
        "29:1 shipped: "1" is not an id of 19 digits",
        "30:1 a line here must be name: value, or a comment that starts with #",
        "32:1 memory alloc limit exceeded",
        "34:1 the text is empty for an order with few details",
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
        "<p title={{ order }}>x</p>  →  3:10 a value in an attribute must be in quotes",
        "<p {{ order }}>x</p>  →  3:4 a value in a tag must be in the quotes of an attribute",
        "<{{ order }}>  →  3:1 write a < in text as &lt;",
        "<p title="x>y</p>  →  3:1 the tag or one of its attributes does not end",
        "<p style="color: {{ order }}">x</p>  →  3:4 a value may not be in a style",
        "<style>{{ order }}</style>  →  3:8 a value may not be in <style>",
        "<!-- {{ order }} -->  →  3:6 a value may not be in a comment",
        "<a href="{{ order }}">x</a>  →  3:4 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="https://{{ order }}/">x</a>  →  3:4 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="javascript:alert(1)">x</a>  →  3:4 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<a href=" JAVAscript:x">x</a>  →  3:4 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<a href="{% if order %}{{ order }}{% endif %}">x</a>  →  3:4 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<img src="//x/y">  →  3:6 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<p onclick="x">y</p>  →  3:4 onclick is not allowed in mails",
        "<script>1</script>  →  3:1 <script> is not allowed in mails",
        "<form></form>  →  3:1 <form> is not allowed in mails",
        "<meta http-equiv="refresh">  →  3:7 <meta http-equiv> is not allowed in mails",
        "{{ content }}  →  3:1 content belongs in the layout",
        "<p>1 < 2</p>  →  3:6 write a < in text as &lt;",
        "<p title=a"b>y</p>  →  3:11 this value of an attribute needs quotes",
        "<p =x>y</p>  →  3:4 "=" is not expected in a tag",
        "</p title="x">  →  3:1 an end tag has no attributes | 3:1 </p> closes nothing",
        "<!--><b title="-->">x</b>  →  3:1 write a comment as <!-- … -->",
        "<!-- x --!><script>1</script>-->  →  3:1 write a comment as <!-- … --> | 3:12 <script> is not allowed in mails",
        "<![CDATA[<b>]]>  →  3:1 write a < in text as &lt;",
        "<?xml version="1.0"?>  →  3:1 write a < in text as &lt;",
        "<svg><style><img src=x></style></svg>  →  3:1 <svg> is not allowed in mails",
        "<math><mi>x</mi></math>  →  3:1 <math> is not allowed in mails",
        "<template><b>x</b></template>  →  3:1 <template> is not allowed in mails",
        "<noscript><p title="</noscript><script>1</script>"></p></noscript>  →  3:1 <noscript> is not allowed in mails",
        "<xmp><p title="</xmp><script>1</script>"></p></xmp>  →  3:1 <xmp> is not allowed in mails",
        "<title><b title="</title><script>1</script>"></b></title>  →  3:26 <script> is not allowed in mails | 3:46 </b> closes nothing | 3:50 </title> closes nothing",
        "<img srcset="https://acme.example/ 1x, {{ order }} 2x">  →  3:6 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "<scr{% if order %}ipt{% endif %}>1</scr{% if order %}ipt{% endif %}>  →  3:1 put a space between {% … %} and a name in a tag | 3:19 put a space between {% … %} and a name in a tag | 3:35 an end tag has no attributes",
        "<scr{%- if order -%} {%- endif -%} ipt>1</scr>  →  3:1 put a space between {% … %} and a name in a tag",
        "<p {% if order %}title="{% endif %} onclick=x y="">z</p>  →  3:25 a block of Liquid must start and end inside an attribute, or outside it | 3:50 a quote or a < is not expected in a tag",
        "<a {% if order %}href="https://acme.example/"{% endif %} href="javascript:x">y</a>  →  3:58 an address must start with https:// and a host, mailto: or tel:, and never with a value",
        "{% if order %}<style>{% endif %}<b onclick="x"></b></style>  →  3:22 a block of Liquid must start and end inside <style>, or outside it",
        "{% if order %}<!-- {% endif %}<b onclick="x"></b>-->  →  3:20 a block of Liquid must start and end inside a comment, or outside it",
        "<a {% if order %}href="https://acme.example/"{% endif %} {% if order %}href="https://acme.  →  3:1 this tag repeats an attribute too often",
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
        "3:1 a layout must have {{ content }} once",
        "3:1 a layout must have {{ content }} once",
        "3:1 content must stand alone: {{ content }} | 3:1 a layout must have {{ content }} once",
        "3:4 content and details may not be in an attribute",
        "3:1 content must stand alone: {{ content }}",
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
        "6 shipped text is sent in 11 parts, and each part is charged",
        "6 shipped text has no DLT template id",
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
