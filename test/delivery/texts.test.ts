// What messages say: every step in both languages, with and without a brand; parts of a short text; hostile names; the
// page in a real browser.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { SegmentedMessage } from 'sms-segments-calculator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logoCid, renderMessage } from '../../src/delivery/render.ts'
import type { Brand } from '../../src/domain/messages/messages.ts'
import { bareFacts, sampleFacts } from '../../src/delivery/sample.ts'
import { customerSteps } from '../../src/domain/parcels/journeys.ts'
import { plainText, plainMarks } from '../../src/domain/messages/plaintext.ts'
import { partsOf } from '../../src/domain/messages/sms.ts'
import { failureReasons } from '../../src/domain/parcels/statuses.ts'
import { languages, type Language } from '../../src/domain/messages/templates.ts'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { root } from '../support/checkout.ts'
import { at, acme, told } from './samples.ts'

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

  test('a customer was told that the courier comes again after its last attempt', () => {
    const said = (attempt: number): string =>
      renderMessage(
        { ...sampleFacts('attempt_failed', at), reason: 'customer_not_available', attempt },
        undefined,
        { language: 'en', documents: [] },
        'none',
      ).text
    expect([1, 2, 3, 4].map((attempt) => said(attempt).includes('We will try again'))).toEqual([
      true,
      true,
      false,
      false,
    ])
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
    expect(plainMarks('“O’Neil” – ₹5…')).toBe('"O\'Neil" - Rs 5...')
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

// A browser is no package of ours: where the system has none, the rest of this file still holds.
describe.skipIf(!existsSync(chromiumPath))('in a browser', { tags: ['full'] }, () => {
  let browser: Browser
  let bench: Sandbox
  beforeAll(async () => {
    bench = sandbox()
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
