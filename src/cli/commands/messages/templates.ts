// `shipx messages template`: the texts of messages to customers, by store and language (docs/guides/messages.md).
import { count, counted } from '../../../domain/count.ts'
import { invalid } from '../../../domain/errors.ts'
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { isoOf } from '../../../domain/time.ts'
import {
  dltOf,
  languages,
  type Language,
  type Template,
  type TemplateDocument,
} from '../../../domain/messages/templates.ts'
import { notOneOf } from '../../../domain/values.ts'
import { builtIn } from '../../../delivery/render.ts'
import { readTemplate } from '../../../delivery/templatecheck.ts'
import { fileOf } from '../../../delivery/templatefile.ts'
import { brandedStore } from '../../../engine/messages/brands.ts'
import type { Work } from '../../../engine/database/port.ts'
import {
  listTemplates,
  removeTemplate,
  saveTemplate,
  templateFor,
  useLanguage,
} from '../../../engine/messages/templates.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse, type Engine } from '../../source/engine.ts'
import { flag, oneOf, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { readText, writeWhole } from '../../files/userfiles.ts'
import { checkShape, printList, printOne } from '../../output/printer.ts'
import { jsonText, safe, safeText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

/** The largest file of templates, bytes. */
const mostBytes = 1_048_576
/** More faults than anyone reads at once. */
const mostFaults = 50

/** The language of a flag. */
export const languageOption = oneOf(languages, 'language')

/** The id of the store that owns a template; null for the default templates. */
function* ownerOf({ account }: Engine, store: string | undefined): Work<string | null> {
  return store === undefined ? null : (yield* brandedStore(account, store)).id
}

/** Does a write and reports it; under --dry-run rolls it back. */
async function change(
  context: Context,
  dry: boolean,
  work: (engine: Engine) => Work<void>,
  doing: string,
  would: Readonly<Record<string, unknown>>,
  said: string,
  record: Readonly<Record<string, unknown>>,
): Promise<number> {
  if (dry) {
    await rehearse(context, work)
    return wouldDo(context, `${doing} ${here(context)}`, would)
  }
  await withEngine(context, 'write', (engine) => engine.database.write(() => work(engine)))
  await done(context, `${said} ${here(context)}`)
  await printOne(context, record, String(record['name']))
  return 0
}

interface Listed extends Record<string, unknown> {
  readonly name: string
  readonly store_name: string | null
  readonly language: Language
  readonly in_use: boolean
  readonly steps: readonly string[]
  readonly layout: boolean
  readonly dlt: string | null
  readonly updated_at: string | null
}

const listView = (() => {
  const view = plainView<Listed>(['template', 'templates'], ({ name }) => name, [
    'name',
    'language',
    'in_use',
    'steps',
    'layout',
    'dlt',
    'updated_at',
  ])
  const columns = view.columns.map((column) =>
    column.key === 'steps'
      ? {
          ...column,
          raw: ({ steps }: Listed) => steps.length,
          show: ({ steps }: Listed) => (steps.length === customerSteps.length ? 'all' : steps.join(', ') || '-'),
        }
      : column,
  )
  return { ...view, columns }
})()

function listed(
  name: string,
  store_name: string | null,
  language: Language,
  in_use: boolean,
  document: TemplateDocument | undefined,
  updated: number | null,
): Listed {
  return {
    name,
    store_name,
    language,
    in_use,
    steps: Object.keys(document?.steps ?? {}),
    layout: document?.layout !== undefined,
    dlt: document?.dlt?.header ?? null,
    updated_at: updated === null ? null : isoOf(updated),
  }
}

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, listView)
  return withEngine(context, 'read', async (engine) => {
    const entries = await engine.database.read(() => listTemplates(engine.account))
    const setting = new Map(
      entries.filter(({ document }) => document === undefined).map(({ owner, language }) => [owner, language]),
    )
    const usual = setting.get(null) ?? 'en'
    const rows = languages.map((language) =>
      listed(`built-in/${language}`, null, language, language === usual, builtIn[language], null),
    )
    for (const { owner, store_name, document, language, updated_at } of entries) {
      const used = setting.get(owner) ?? usual
      // A setting has a row of its own only where no document shows it.
      if (document === undefined && entries.some((one) => one.owner === owner && one.document?.language === language))
        continue
      rows.push(
        listed(
          `${owner === null ? 'default' : (store_name ?? owner)}/${language}`,
          store_name,
          language,
          language === used,
          document,
          updated_at,
        ),
      )
    }
    await printList(context, listView, rows)
    return 0
  })
}

/** A whole template as one document, defaults included. */
function whole(template: Template): TemplateDocument {
  const { language } = template
  const documents = [...template.documents, builtIn[language]]
  const steps = Object.fromEntries(
    customerSteps.map((step) => [
      step,
      Object.assign({}, ...documents.map((document) => document.steps[step] ?? {}).toReversed()),
    ]),
  )
  const dlt = documents.find((document) => document.dlt !== undefined)?.dlt
  const ids = customerSteps.flatMap((step) => {
    const found = dltOf(template, step)
    return found === null || found.header !== dlt?.header || found.entity_id !== dlt.entity_id
      ? []
      : [[step, found.template_id] as const]
  })
  return {
    language,
    ...(dlt === undefined ? {} : { dlt: { ...dlt, template_ids: Object.fromEntries(ids) } }),
    steps: steps as TemplateDocument['steps'],
    layout: documents.find(({ layout }) => layout !== undefined)!.layout!,
  }
}

const exportTemplate = verb(
  { force: flag, language: languageOption, out: word, store: word },
  async (context, options) => {
    const { io, format } = context
    const { language, store, out } = options
    refuse(context, [])
    const document = await withEngine(context, 'read', async (engine) =>
      whole(
        await engine.database.read(function* () {
          return yield* templateFor(engine.account, yield* ownerOf(engine, store), language)
        }),
      ),
    )
    const content = format === 'json' ? `${jsonText({ data: document })}\n` : fileOf(document)
    if (out === undefined) await io.stdout.write(io.stdout.tty ? safeText(content) : content)
    else {
      writeWhole(out, content, options.force, '--out')
      await done(context, `Wrote ${store ?? 'default'}/${document.language} to ${safe(out)}`)
    }
    return 0
  },
)

/**
 * The document in the file of an argument; prints its warnings. Throws `invalid_input` with the place of every fault.
 */
async function readFile(
  context: Context,
  language: Language | undefined,
): Promise<{ readonly document: TemplateDocument; readonly warnings: readonly string[] }> {
  const { args, io } = context
  const [path] = args
  refuse(context, path === undefined ? [missingArgument(context, 'file')] : [])
  const content = await readText(io, path!, mostBytes, '<file>')
  const { document, faults, warnings } = readTemplate(content, isoOf(io.host.now()), language)
  const place = ({ line, column }: { readonly line: number; readonly column: number }): string =>
    `${safe(path!)}:${line}:${column}`
  const rest = faults.length - mostFaults
  if (document === undefined)
    throw invalid([
      ...faults.slice(0, mostFaults).map((fault) => ({ field: place(fault), message: safe(fault.message) })),
      ...(rest > 0 ? [{ field: safe(path!), message: `has ${count(rest)} more faults` }] : []),
    ])
  const told = warnings.map((warning) => `${place(warning)} ${safe(warning.message)}`)
  for (const one of told) await context.warn(one)
  return { document, warnings: told }
}

const check = verb({ language: languageOption }, async (context, options) => {
  const { document, warnings } = await readFile(context, options.language)
  const steps = Object.keys(document.steps)
  const held = `${counted(steps.length, ['step', 'steps'])} in ${languageNames[document.language]}`
  await done(context, `${safe(context.args[0]!)} is sound: ${held}`)
  await printOne(context, { language: document.language, steps, faults: [], warnings }, context.args[0]!)
  return 0
})

/** The names of the languages for people. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', hi: 'Hindi' }

const importOptions = { use: flag, language: languageOption, store: word, dry_run: flag }

const importTemplate = verb(importOptions, async (context, { use, store, dry_run: dry, ...options }) => {
  const { document } = await readFile(context, options.language)
  const { io } = context
  const { language } = document
  const name = `${store ?? 'default'}/${language}`
  const steps = Object.keys(document.steps)
  const work = function* (engine: Engine): Work<void> {
    const owner = yield* ownerOf(engine, store)
    yield* saveTemplate(engine.account, owner, document, io.host.now())
    if (use) yield* useLanguage(engine.account, owner, language, io.host.now())
  }
  const said = `Imported ${safe(name)}${use ? `; from now on, messages are in ${languageNames[language]}` : ''}`
  return change(context, dry, work, `import template ${name}`, { import: name, steps, use }, said, {
    name,
    language,
    steps,
    in_use: use,
  })
})

const removeOptions = { dry_run: flag, language: languageOption, store: word }

const remove = verb(removeOptions, async (context, { dry_run: dry, language, store }) => {
  const missing = { field: '--language', message: `is required: ${languages.join(' or ')}` }
  refuse(context, language === undefined ? [missing] : [])
  const name = `${store ?? 'default'}/${language!}`
  const work = function* (engine: Engine): Work<void> {
    yield* removeTemplate(engine.account, yield* ownerOf(engine, store), language!)
  }
  if (!dry) await confirm(context, `Remove the template ${safe(name)}`)
  const said = `Removed template ${safe(name)}; its defaults are used`
  return change(context, dry, work, `remove template ${name}`, { remove: name }, said, { name })
})

const use = verb({ store: word, dry_run: flag }, async (context, { store, dry_run: dry }) => {
  const [given] = context.args
  const language = languages.find((one) => one === given)
  const unknown = { field: '<language>', message: notOneOf(given ?? '', languages, 'language') }
  const wrong = given === undefined ? missingArgument(context, 'language') : unknown
  refuse(context, language === undefined ? [wrong] : [])
  const name = store ?? 'default'
  const work = function* (engine: Engine): Work<void> {
    yield* useLanguage(engine.account, yield* ownerOf(engine, store), language!, context.io.host.now())
  }
  const whose = name === 'default' ? '' : ` of ${safe(name)}`
  const said = `From now on, messages${whose} are in ${languageNames[language!]}`
  return change(context, dry, work, `send messages in ${languageNames[language!]}`, { use: language, name }, said, {
    name,
    language,
  })
})

export const verbs = {
  'messages template list': list,
  'messages template export': exportTemplate,
  'messages template check': check,
  'messages template import': importTemplate,
  'messages template remove': remove,
  'messages template use': use,
}
