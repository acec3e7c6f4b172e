// `shipx messages preview`: a message as its customer would read it, or a step of an invented order. Sends nothing.
import { counted } from '../../../domain/count.ts'
import { invalid, type Fault } from '../../../domain/errors.ts'
import { customerSteps, type CustomerStep } from '../../../domain/parcels/journeys.ts'
import { isoOf } from '../../../domain/time.ts'
import type { Language } from '../../../domain/messages/templates.ts'
import { renderMessage, type RenderedMessage } from '../../../delivery/render.ts'
import { sampleFacts } from '../../../delivery/sample.ts'
import { brandedStore } from '../../../engine/messages/brands.ts'
import type { Work } from '../../../engine/database/port.ts'
import { messageIds } from '../../../engine/messages/ids.ts'
import { getMessage } from '../../../engine/messages/queue.ts'
import { templateFor } from '../../../engine/messages/templates.ts'
import { done } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import { flag, oneOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databaseThere } from '../../config/paths.ts'
import { wholeLater } from '../../files/userfiles.ts'
import { checkShape, printRecord } from '../../output/printer.ts'
import { safe, safeText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { keptMessage, type Shown } from './keptmessage.ts'
import { languageNames, languageOption } from './templates.ts'

interface Preview extends Record<string, unknown> {
  readonly step: CustomerStep
  readonly language: Language
  readonly subject: string
  readonly text: string
  readonly parts: RenderedMessage['parts']
  readonly html: string
  readonly brand_name: string | null
  readonly dlt: RenderedMessage['dlt']
}

const view = (() => {
  const plain = plainView<Preview>(['message', 'messages'], ({ step }) => step, [
    'step',
    'language',
    'brand_name',
    'text',
    'parts',
    'subject',
  ])
  const columns = plain.columns.map((column) =>
    column.key === 'parts' ? { ...column, raw: ({ parts }: Preview) => parts.count } : column,
  )
  return {
    ...plain,
    columns,
    names: [
      'step',
      'language',
      'subject',
      'text',
      'parts.encoding',
      'parts.count',
      'html',
      'brand_name',
      'dlt.entity_id',
      'dlt.header',
      'dlt.template_id',
    ],
  }
})()

const previewOptions = {
  force: flag,
  text: flag,
  step: oneOf(customerSteps, 'step'),
  language: languageOption,
  out: word,
  store: word,
  account: word,
}

const preview = verb(previewOptions, async (context, options) => {
  const { args, flags } = context
  const [id] = args
  const { step, language, store } = options
  const faults: Fault[] = []
  if (id === undefined && !flags.has('step'))
    faults.push({ field: '<message>', message: 'is required: the id of a message; or --step for an invented order' })
  if (id !== undefined)
    for (const name of ['step', 'store'])
      if (flags.has(name)) faults.push({ field: `--${name}`, message: 'goes without <message>, which has its own' })
  refuse(context, faults)
  checkShape(context, view)
  // With nothing to look up, no database is opened.
  if (id === undefined && store === undefined && options.account === undefined && !databaseThere(context))
    return show(context, options, async () => unbranded(context, step!, language))
  return withEngine(context, 'read', (engine) =>
    show(context, options, () =>
      engine.database.read(() =>
        id === undefined ? invented(context, engine, store, step!, language) : kept(engine, id, language),
      ),
    ),
  )
})

/** Prints a message, and writes its e-mail to `--out`: to no file when the message cannot be found. */
async function show(
  context: Context,
  options: OptionsOf<typeof previewOptions>,
  find: () => Promise<Shown>,
): Promise<number> {
  const { io } = context
  const { out } = options
  const write = out === undefined ? undefined : wholeLater(context, out, options.force, '--out')
  const shown = await find()
  const rendered = renderMessage(shown.facts, shown.brand, shown.template, 'inline')
  if (options.text) await io.stdout.write(`${safeText(rendered.text)}\n`)
  else await print(context, { step: shown.facts.step, ...rendered, brand_name: shown.brand?.brand_name ?? null })
  write?.(rendered.html)
  if (out !== undefined) await done(context, `Wrote the e-mail to ${safe(out)}`)
  return 0
}

const unbranded = ({ io }: Context, step: CustomerStep, language: Language = 'en'): Shown => ({
  facts: sampleFacts(step, isoOf(io.host.now())),
  brand: undefined,
  template: { language, documents: [] },
})

function* invented(
  { io }: Context,
  { account }: Engine,
  name: string | undefined,
  step: CustomerStep,
  language?: Language,
): Work<Shown> {
  const store = name === undefined ? undefined : yield* brandedStore(account, name)
  const template = yield* templateFor(account, store?.id ?? null, language)
  return { facts: sampleFacts(step, isoOf(io.host.now())), brand: store?.brand, template }
}

function* kept({ account }: Engine, written: string, language?: Language): Work<Shown> {
  const [id] = yield* messageIds(account, [written])
  const message = yield* getMessage(account, id!)
  if (message.channel === 'webhook')
    throw invalid([
      { field: '<message>', message: 'is for your own systems and has no text; shipx messages show prints it' },
    ])
  return yield* keptMessage(account, message, language)
}

async function print(context: Context, shown: Preview): Promise<void> {
  const { format, screen, io } = context
  if (format !== 'plain' || !screen.tty) {
    await printRecord(context, view, shown)
    return
  }
  const { paint } = screen
  const { count, encoding } = shown.parts
  const about = [
    shown.step.replaceAll('_', ' '),
    languageNames[shown.language],
    `${counted(count, ['part', 'parts'])} (${encoding}, ${shown.text.length} characters)`,
    shown.dlt === null ? 'no DLT id' : `DLT ${shown.dlt.template_id}`,
  ]
  const facts = about.map((part) => safe(part)).join(screen.ascii ? ' - ' : ' · ')
  const subject = `${paint.dim('Subject:')} ${safe(shown.subject)}`
  await io.stdout.write(`${safeText(shown.text)}\n\n${paint.dim(facts)}\n${subject}\n`)
}

export const verbs = { 'messages preview': preview }
