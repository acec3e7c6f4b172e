// Message templates in the database, and the language of messages. Templates belong to an account or to a store by its
// id, so that a renamed store keeps them.
import sql, { join } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { languages, type Language, type Template, type TemplateDocument } from '../../domain/messages/templates.ts'
import { row, rows, type Work } from '../database/port.ts'

/** A store's id, or null for the account's own. */
type Owner = string | null

/** The name of a document: `default/hi`, `store/<id>/hi`. Without a language, it names the language setting. */
const ownerName = (owner: Owner): string => (owner === null ? 'default' : `store/${owner}`)
const documentName = (owner: Owner, language: Language): string => `${ownerName(owner)}/${language}`

/**
 * What a message of a store, or of none, is written with: the store's document, then the account's. The language is the
 * one asked for, else the store's, else the account's, else English.
 */
export function* templateFor(account: number, store: Owner, asked?: Language): Work<Template> {
  const owners = store === null ? [null] : [store, null]
  const names = owners.flatMap((owner) => [
    ownerName(owner),
    ...languages.map((language) => documentName(owner, language)),
  ])
  const found = yield* rows<{ name: string; doc: string }>(
    sql`select name, doc from templates where account_id = ${account} and name in (${join(names)})`,
  )
  const docs = new Map(found.map(({ name, doc }) => [name, doc]))
  const setting = owners.map((owner) => docs.get(ownerName(owner))).find((doc) => doc !== undefined)
  const language =
    asked ?? (setting === undefined ? 'en' : (JSON.parse(setting) as { readonly language: Language }).language)
  const documents = owners.map((owner) => docs.get(documentName(owner, language))).filter((doc) => doc !== undefined)
  return { language, documents: documents.map((doc) => JSON.parse(doc) as TemplateDocument) }
}

/** Saves a checked document. */
export function* saveTemplate(account: number, owner: Owner, document: TemplateDocument, now: number): Work<void> {
  yield* saveDoc(account, documentName(owner, document.language), document, now)
}

/** Makes new messages use a language. */
export function* useLanguage(account: number, owner: Owner, language: Language, now: number): Work<void> {
  yield* saveDoc(account, ownerName(owner), { language }, now)
}

function* saveDoc(account: number, name: string, doc: object, now: number): Work<void> {
  yield* rows(
    sql`insert into templates (account_id, name, doc, updated_at)
      values (${account}, ${name}, ${JSON.stringify(doc)}, ${now})
      on conflict (account_id, name) do update set doc = excluded.doc, updated_at = excluded.updated_at`,
  )
}

/** Removes a document; throws `not_found`. */
export function* removeTemplate(account: number, owner: Owner, language: Language): Work<void> {
  const gone = yield* row(
    sql`delete from templates where account_id = ${account} and name = ${documentName(owner, language)} returning name`,
  )
  if (gone === undefined)
    throw new ShipxError('not_found', 'there is no such template', { hint: 'shipx messages template list' })
}

/** A document or a language setting of an account, as a list shows it. */
export interface TemplateEntry {
  readonly owner: Owner
  /** The store's current name; null for the account's own, and for a deleted store. */
  readonly store_name: string | null
  readonly document: TemplateDocument | undefined
  readonly language: Language
  readonly updated_at: number
}

/** The account's documents and language settings, sorted by name. */
export function* listTemplates(account: number): Work<readonly TemplateEntry[]> {
  const stores = new Map<string, string>()
  const named = yield* rows<{ id: string; store_name: string }>(
    sql`select id, store_name from stores where account_id = ${account}`,
  )
  for (const { id, store_name } of named) stores.set(id, store_name)
  const found = yield* rows<{ name: string; doc: string; updated_at: number }>(
    sql`select name, doc, updated_at from templates where account_id = ${account} order by name`,
  )
  return found.map(({ name, doc, updated_at }) => {
    const parsed = JSON.parse(doc) as TemplateDocument | { readonly language: Language }
    const document = 'steps' in parsed ? parsed : undefined
    const whole = document === undefined ? name : name.slice(0, -document.language.length - 1)
    const owner = whole === 'default' ? null : whole.slice('store/'.length)
    return {
      owner,
      store_name: owner === null ? null : (stores.get(owner) ?? null),
      document,
      language: parsed.language,
      updated_at,
    }
  })
}
