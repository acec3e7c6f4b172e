// `shipx messages optout add|remove|list`: phones whose owners want no messages.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { phoneOf } from '../../../domain/messages/messages.ts'
import { isoOf } from '../../../domain/time.ts'
import { addOptout, listOptouts, removeOptout } from '../../../engine/messages/optouts.ts'
import type { Column, View } from '../../output/columns.ts'
import { done, wouldDo } from '../../ask/confirm.ts'
import { connect } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { maskPhone } from '../../output/display.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { jsonText } from '../../terminal/safe.ts'

interface Shown extends Readonly<Record<string, unknown>> {
  readonly phone: string
  readonly created_at: string
}

const columns: readonly Column<Shown>[] = [
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

const view: View<Shown> = { columns, id: (one) => one.phone, names: ['phone', 'created_at'], noun: ['phone', 'phones'] }

function phoneFrom(context: Context): string {
  const [typed] = context.args
  const faults: Fault[] = []
  if (typed === undefined || typed === '') faults.push(missingArgument(context, 'phone'))
  else if (!/^\+?\d{8,15}$/.test(phoneOf(typed)))
    faults.push({ field: '<phone>', message: 'is not a phone number: 8 to 15 digits, for example 9876543210' })
  refuse(context, faults)
  return phoneOf(typed!)
}

async function add(context: Context): Promise<number> {
  const phone = phoneFrom(context)
  if (context.flags.has('dry-run')) return wouldDo(context, { optout: phone })
  const { database, account } = await connect(context, 'write')
  try {
    const stopped = await database.write(() => addOptout(account, phone, context.io.host.now()))
    await done(
      context,
      `${maskPhone(phone, context.screen)} is told nothing any more${stopped === 0 ? '' : `; ${stopped.toLocaleString('en-IN')} that waited ${stopped === 1 ? 'is' : 'are'} not sent`}`,
    )
    if (context.format !== 'plain') await context.io.stdout.write(`${jsonText({ data: { phone, stopped } })}\n`)
    return 0
  } finally {
    await database.close()
  }
}

async function remove(context: Context): Promise<number> {
  const phone = phoneFrom(context)
  if (context.flags.has('dry-run')) return wouldDo(context, { remove: phone })
  const { database, account } = await connect(context, 'write')
  try {
    if (!(await database.write(() => removeOptout(account, phone))))
      throw new ShipxError('not_found', 'this phone has not opted out', { hint: 'shipx messages optout list' })
    await done(context, `${maskPhone(phone, context.screen)} is told again what happens from now on`)
    if (context.format !== 'plain') await context.io.stdout.write(`${jsonText({ data: { phone } })}\n`)
    return 0
  } finally {
    await database.close()
  }
}

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  const { database, account } = await connect(context, 'read')
  try {
    const found = await database.read(() => listOptouts(account), 'single')
    if (found.length === 0) await context.note('Nobody has opted out.')
    const out = printer(context, view)
    if (found.length > 0)
      await out.batch(
        found.map(({ phone, created_at }) => JSON.stringify({ phone, created_at: isoOf(Number(created_at)) })),
      )
    await out.end()
    return 0
  } finally {
    await database.close()
  }
}

export const verbs = { 'messages optout add': add, 'messages optout remove': remove, 'messages optout list': list }
