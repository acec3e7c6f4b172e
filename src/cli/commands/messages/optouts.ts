// `shipx messages optout add|remove|list`: phones of customers who want no messages.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { phoneOf } from '../../../domain/messages/messages.ts'
import { isoOf } from '../../../domain/time.ts'
import { addOptout, listOptouts, removeOptout } from '../../../engine/messages/optouts.ts'
import type { Column, View } from '../../output/columns.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { maskPhone } from '../../output/display.ts'
import { counted } from '../../../domain/count.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { here } from '../../source/place.ts'

interface Optout extends Readonly<Record<string, unknown>> {
  readonly phone: string
  readonly created_at: string
}

const columns: readonly Column<Optout>[] = [
  {
    key: 'phone',
    header: 'phone',
    rank: 1,
    whole: true,
    raw: (one) => one.phone,
    show: (one, screen) => maskPhone(one.phone, screen),
  },
  { key: 'created_at', header: 'since', rank: 2, whole: true, raw: (one) => one.created_at },
]

const view: View<Optout> = {
  columns,
  id: (one) => one.phone,
  names: ['phone', 'created_at'],
  noun: ['phone', 'phones'],
}

function phoneFrom(context: Context): string {
  const [typed] = context.args
  const faults: Fault[] = []
  if (typed === undefined || typed === '') faults.push(missingArgument(context, 'phone'))
  else if (!/^\+?\d{8,15}$/.test(phoneOf(typed)))
    faults.push({ field: '<phone>', message: 'is not a phone number: 8 to 15 digits, for example 9876543210' })
  refuse(context, faults)
  return phoneOf(typed!)
}

const add = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const phone = phoneFrom(context)
  if (dry) return wouldDo(context, `stop the messages to ${maskPhone(phone, context.screen)}`, { optout: phone })
  return withEngine(context, 'write', async ({ database, account }) => {
    const stopped = await database.write(() => addOptout(account, phone, context.io.host.now()))
    const cancelled = `${counted(stopped, ['waiting message was', 'waiting messages were'])} cancelled`
    const who = maskPhone(phone, context.screen)
    return answer(
      context,
      `${who} gets no more messages from the account ${here(context)}${stopped === 0 ? '' : `; ${cancelled}`}`,
      { phone, stopped },
    )
  })
})

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const phone = phoneFrom(context)
  if (dry) return wouldDo(context, `allow messages to ${maskPhone(phone, context.screen)} again`, { remove: phone })
  return withEngine(context, 'write', async ({ database, account }) => {
    if (!(await database.write(() => removeOptout(account, phone))))
      throw new ShipxError('not_found', 'this phone has not opted out', { hint: 'shipx messages optout list' })
    return answer(
      context,
      `${maskPhone(phone, context.screen)} gets messages from the account ${here(context)} again`,
      { phone },
    )
  })
})

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  return withEngine(context, 'read', async ({ database, account }) => {
    const found = await database.read(() => listOptouts(account), 'single')
    const records = found.map(({ phone, created_at }) => ({ phone, created_at: isoOf(Number(created_at)) }))
    await printList(context, view, records, 'No phone has opted out.')
    return 0
  })
}

export const verbs = { 'messages optout add': add, 'messages optout remove': remove, 'messages optout list': list }
