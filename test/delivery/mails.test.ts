// Defends e-mails to customers: who they are from and to, that no text becomes a header, the logo inside, the same id each time.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { rows } from '../../src/engine/database/port.ts'
import { openEngine, type TestEngine } from '../support/engine.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { png } from '../support/pictures.ts'
import { messagesIn, movedHost, shipped, work } from '../support/deliveries.ts'

let moved: ReturnType<typeof movedHost>
let engine: TestEngine
let mailbox: Mailbox
beforeEach(async () => {
  moved = movedHost()
  engine = await openEngine(':memory:', moved.host)
  mailbox = await startMailbox()
})
afterEach(async () => {
  await mailbox.close()
  await engine.close()
})

/** Messages that go by e-mail to these addresses. */
async function mailsTo(...addresses: readonly string[]): Promise<void> {
  await shipped(engine, addresses.length)
  for (const [n, email] of addresses.entries()) {
    const text = 'update messages set channel = ?, email = ? where account_id = ? and record_id = ?'
    await engine.database.write(() => rows({ sql: text, text, values: ['email', email, engine.account, `p${n}`] }))
  }
}

const go = (url = `smtp://127.0.0.1:${mailbox.port}`, sender = 'Orders <orders@acme.example>', more: object = {}) =>
  work(engine, { over: { smtp: url, sender }, ...more })

const header = (n: number, name: string): readonly string[] =>
  mailbox.mails[n]!.headers.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))

test('an e-mail is in the brand of the store, with its logo inside', async () => {
  await engine.service.createStore(
    parseInput('createStore', {
      store_name: 'acme',
      brand_name: 'Acme "Kids", बच्चे',
      logo: { bytes: png(), name: 'logo.png' },
    }),
  )
  await mailsTo('asha@example.com')
  expect(await go()).toMatchObject({ sent: 1 })
  const [mail] = mailbox.mails
  const [message] = await messagesIn(engine)
  expect(mail).toMatchObject({ from: 'orders@acme.example', to: ['asha@example.com'] })
  expect(header(0, 'from')[0]).toContain('<orders@acme.example>')
  expect(header(0, 'to')).toEqual(['To: asha@example.com'])
  expect(header(0, 'subject')).toEqual(['Subject: ORDER-p0 is shipped'])
  expect(header(0, 'message-id')).toEqual([`Message-ID: <${message!.id}@acme.example>`])
  expect(header(0, 'auto-submitted')).toEqual(['Auto-Submitted: auto-generated'])
  expect(mail!.text).toContain('Content-ID: <logo@shipx>')
  expect(mail!.text).toContain('cid:logo@shipx')
  expect(mail!.text.replaceAll('\r\n', '')).toContain(Buffer.from(png()).toString('base64').slice(0, 60))
  expect(mail!.text).toContain('text/plain')
})

test('no brand, customer or address can add a header or a recipient', async () => {
  await engine.service.createStore(parseInput('createStore', { store_name: 'acme', brand_name: 'Acme' }))
  await mailsTo(
    'a@example.com',
    'b@example.com, c@example.com',
    'd@example.com\r\nBcc: e@example.com',
    '"x" <f@example.com>',
    'g@example.com> RCPT TO:<h@example.com',
  )
  const nasty = 'Acme\r\nBcc: evil@example.com\r\n\r\n<b>'
  const text = 'update brands set brand_name = ? where account_id = ?'
  await engine.database.write(() => rows({ sql: text, text, values: [nasty, engine.account] }))
  const doc = JSON.stringify({
    ...JSON.parse((await messagesIn(engine))[0]!.doc),
    order: 'O\r\nBcc: evil@example.com\u2028x',
  })
  const other = 'update messages set doc = ? where account_id = ?'
  await engine.database.write(() => rows({ sql: other, text: other, values: [doc, engine.account] }))
  expect(await go()).toMatchObject({ sent: 1, parked: 4 })
  expect(mailbox.mails.map(({ to }) => to)).toEqual([['a@example.com']])
  expect(mailbox.mails[0]!.headers.filter((line) => /^(bcc|cc):/i.test(line))).toEqual([])
  expect(header(0, 'from')).toHaveLength(1)
  expect((await messagesIn(engine, { statuses: ['parked'] })).map(({ error }) => error)).toEqual(
    Array.from({ length: 4 }, () => 'its e-mail address is not valid'),
  )
})

test(
  'a server that refuses is a failure that repeats nothing, and the mail has the same id when it goes',
  { tags: ['full'] },
  async () => {
    await mailsTo('asha@example.com')
    await mailbox.close()
    let refuse = true
    const seen: string[] = []
    const other = await startMailbox({
      onRcptTo: ({ address }, _session, callback) => {
        seen.push(address)
        callback(refuse ? Object.assign(new Error('450 try asha@example.com later'), { responseCode: 450 }) : undefined)
      },
    })
    expect(await go(`smtp://127.0.0.1:${other.port}`)).toMatchObject({ failed: 1 })
    expect((await messagesIn(engine))[0]!.error).toBe('the mail server answered 450')
    moved.now += 60_000
    await go(`smtp://user:wrong@127.0.0.1:${other.port}`)
    expect((await messagesIn(engine))[0]!.error).toBe('the mail server refused the user or the password')
    moved.now += 60_000
    await go('smtp://127.0.0.1:1')
    expect((await messagesIn(engine))[0]!.error).toBe('no connection')
    refuse = false
    moved.now += 60_000
    expect(await go(`smtp://user:right@127.0.0.1:${other.port}`)).toMatchObject({ sent: 1 })
    expect(other.mails).toHaveLength(1)
    expect(other.mails[0]!.user).toBe('user')
    await other.close()
  },
)

test('a mail server inside the network is not asked unless it is allowed, nor one without a sender', async () => {
  await mailsTo('asha@example.com')
  expect(await go(undefined, undefined, { allowPrivate: false })).toMatchObject({ failed: 1 })
  expect((await messagesIn(engine))[0]!.error).toMatch(/^127\.0\.0\.1 is not a public address/)
  const faults: string[] = []
  await work(engine, { over: { smtp: `smtp://127.0.0.1:${mailbox.port}` }, faults })
  expect(faults).toEqual(['e-mails have no sender: use --from, or shipx messages set --from'])
  expect(mailbox.mails).toEqual([])
})
