// `shipx messages set`: how an account's messages are sent. The database keeps these settings, so every replica reads
// them.
import { invalid, type Fault } from '../../../domain/errors.ts'
import { readHook, readMailServer, readSender, shownUrl } from '../../../delivery/destination.ts'
import { isSecret, newSecret } from '../../../delivery/signature.ts'
import { listGateways, saveGateway, type Gateway } from '../../../engine/messages/gateways.ts'
import { counted } from '../../../domain/count.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import { refuse } from '../../command/faults.ts'
import { ending, secretFault } from './options.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { secretLine } from '../../ask/secret.ts'
import { here } from '../../source/place.ts'

/** The address of a mail server without its password. */
function shownServer(url: string | null): string | null {
  const server = url === null ? undefined : readMailServer(url)
  if (server === undefined || 'fault' in server) return null
  const { host, port, secure, user } = server.value
  return `${secure ? 'smtps' : 'smtp'}://${user === undefined ? '' : `${user}@`}${host}:${port}`
}

const shown = (gateways: readonly Gateway[]) => {
  const [gateway, smtp] = (['gateway', 'smtp'] as const).map((name) => gateways.find((one) => one.name === name))
  return {
    gateway: gateway?.url == null ? null : shownUrl(gateway.url),
    secret: gateway?.secret == null ? null : ending(gateway.secret),
    smtp: shownServer(smtp?.url ?? null),
    from: smtp?.sender ?? null,
  }
}

const setOptions = {
  gateway: word,
  from: word,
  smtp: word,
  secret_stdin: flag,
  new_secret: flag,
  smtp_stdin: flag,
  allow_private: flag,
  dry_run: flag,
}

const set = verb(setOptions, async (context, options) => {
  const { io } = context
  const { gateway, from, smtp: server, secret_stdin: secretGiven, new_secret: fresh, smtp_stdin: smtpGiven } = options
  const faults: Fault[] = []
  const target = gateway === undefined || gateway === 'none' ? undefined : readHook(gateway, options.allow_private)
  if (target !== undefined && 'fault' in target) faults.push({ field: '--gateway', message: target.fault })
  const sender = from === undefined || from === 'none' ? undefined : readSender(from)
  if (sender !== undefined && 'fault' in sender) faults.push({ field: '--from', message: sender.fault })
  const read = server === undefined || server === 'none' ? undefined : readMailServer(server)
  if (read !== undefined && 'fault' in read) faults.push({ field: '--smtp', message: read.fault })
  else if (read?.value.password !== undefined)
    faults.push({
      field: '--smtp',
      message: 'holds a password, which others on this machine could see; use --smtp-stdin',
    })
  refuse(context, faults)
  const changes =
    gateway !== undefined || from !== undefined || server !== undefined || secretGiven || fresh || smtpGiven
  const typed = secretGiven ? await secretLine(context, '--secret-stdin') : undefined
  if (typed !== undefined && !isSecret(typed)) throw invalid([{ field: '--secret-stdin', message: secretFault }])
  const mail = smtpGiven ? await secretLine(context, '--smtp-stdin') : server
  const mailRead = smtpGiven ? readMailServer(mail!) : undefined
  if (mailRead !== undefined && 'fault' in mailRead) throw invalid([{ field: '--smtp-stdin', message: mailRead.fault }])
  if (options.dry_run)
    return wouldDo(context, `change how messages are sent ${here(context)}`, {
      set: { gateway, from, smtp: mail === undefined ? undefined : shownServer(mail) },
    })
  return withEngine(context, changes ? 'write' : 'read', async ({ database, account }) => {
    const none = (value: string | undefined): string | null | undefined => (value === 'none' ? null : value)
    const { all, made, dropped } = await database.write(function* () {
      const before = (yield* listGateways(account)).find(({ name }) => name === 'gateway')
      const first = gateway !== undefined && gateway !== 'none' && typed === undefined && before?.secret == null
      const secret = fresh || first ? newSecret() : undefined
      const url = none(gateway)
      const own = {
        ...(url === undefined ? {} : { url }),
        ...(typed === undefined && secret === undefined ? {} : { secret: typed ?? secret! }),
      }
      let dropped = Object.keys(own).length > 0 ? yield* saveGateway(account, 'gateway', own, io.host.now()) : 0
      const [server, by] = [none(mail), none(from)]
      const mails = { ...(server === undefined ? {} : { url: server }), ...(by === undefined ? {} : { sender: by }) }
      if (Object.keys(mails).length > 0) dropped += yield* saveGateway(account, 'smtp', mails, io.host.now())
      return { all: yield* listGateways(account), made: secret, dropped }
    })
    const now = shown(all)
    if (context.format === 'plain') {
      const lines = Object.entries(now).map(
        ([name, value]) => `  ${name.padEnd(8)} ${value === null ? '-' : safe(value)}`,
      )
      await done(context, `${changes ? 'Set' : 'Current settings'} ${here(context)}\n${lines.join('\n')}`)
      if (dropped > 0)
        await context.note(
          `${counted(dropped, ['message', 'messages'])} from before delivery was set up will not be sent; ` +
            'shipx messages list --failed shows them',
        )
      if (made !== undefined) await context.note('The signing secret is shown this once:')
      if (made !== undefined) await io.stdout.write(`${made}\n`)
    } else
      await io.stdout.write(
        `${jsonText({ data: { ...now, ...(made === undefined ? {} : { signing_secret: made }) } })}\n`,
      )
    return 0
  })
})

export const verbs = { 'messages set': set }
