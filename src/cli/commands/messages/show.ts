// `shipx messages show`: what a message says, to whom, and what became of it.
import { readInstant } from '../../../domain/time.ts'
import { renderMessage } from '../../../delivery/render.ts'
import type { Work } from '../../../engine/database/port.ts'
import { messageIds } from '../../../engine/messages/ids.ts'
import { getMessage, type ShownMessage } from '../../../engine/messages/queue.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { showAgo, words } from '../../output/display.ts'
import { checkShape, printRecord } from '../../output/printer.ts'
import { withEngine } from '../../source/engine.ts'
import { safe, safeText } from '../../terminal/safe.ts'
import { keptMessage, type Shown } from './keptmessage.ts'
import { messageRecord, messageView, receiverText, type MessageRecord } from './views.ts'

/** What a message says: to a customer, its text and the facts behind it; to a webhook, the body that it gets. */
type MessageContent =
  { readonly text: string; readonly subject: string; readonly facts: Shown['facts'] } | { readonly payload: unknown }

async function show(context: Context): Promise<number> {
  const [id] = context.args
  refuse(context, id === undefined || id === '' ? [missingArgument(context, 'message')] : [])
  checkShape(context, messageView)
  return withEngine(context, 'read', async ({ database, account }) => {
    const { message, shown } = await database.read(() => whole(account, id!))
    const [record, content] = [messageRecord(message), contentOf(message, shown)]
    const { format, screen } = context
    if (format === 'plain' && screen.tty) await printMessage(context, record, content)
    else await printRecord(context, messageView, { ...record, ...content })
    if (message.status === 'sent' && shown !== undefined)
      await context.note('The text is in the words of the template as it is now; shipx keeps no copy of what it sent.')
    return 0
  })
}

/** A message by its id or the end of it; for a customer, with what its text is made from. */
function* whole(account: number, written: string): Work<{ message: ShownMessage; shown: Shown | undefined }> {
  const [id] = yield* messageIds(account, [written])
  const message = yield* getMessage(account, id!)
  return { message, shown: message.channel === 'webhook' ? undefined : yield* keptMessage(account, message) }
}

/** What a message says. */
function contentOf({ doc }: ShownMessage, shown: Shown | undefined): MessageContent {
  if (shown === undefined) return { payload: JSON.parse(doc) as unknown }
  const { text, subject } = renderMessage(shown.facts, shown.brand, shown.template, 'inline')
  return { text, subject, facts: shown.facts }
}

/** A message for people: what it says, then what became of it. */
async function printMessage(context: Context, record: MessageRecord, content: MessageContent): Promise<void> {
  const { io, screen } = context
  const { paint } = screen
  const parts = [
    words(record.step.replace(':', ' ')),
    `${words(record.channel).toLowerCase()} to ${receiverText(record, screen)}`,
    ...(record.order_id === null ? [] : [`order ${record.order_id}`]),
    ...(record.tracking_number === null ? [] : [`AWB ${record.tracking_number}`]),
    `made ${showAgo(readInstant(record.created_at)!, screen)}`,
    words(record.status).toLowerCase(),
  ]
  const says = 'text' in content ? content.text : JSON.stringify(content.payload, null, 2)
  const subject = record.channel === 'email' && 'subject' in content ? `Subject: ${content.subject}\n` : ''
  const about = parts.map((part) => safe(part)).join(screen.ascii ? ' - ' : ' · ')
  const error = record.error === null ? '' : `${paint.red(safe(record.error))}\n`
  const id = paint.dim(`Message ${safe(record.id)}`)
  await io.stdout.write(`${safeText(subject)}${safeText(says)}\n\n${paint.dim(about)}\n${error}${id}\n`)
}

export const verbs = { 'messages show': show }
