// Makes the texts of an account's messages from its current templates.
import { renderMessage } from './render.ts'
import type { Render } from './attempt.ts'
import type { Template } from '../domain/messages/templates.ts'
import type { Database } from '../engine/database/port.ts'
import { templateFor } from '../engine/messages/templates.ts'

/** Makes the texts of messages; reads the templates of each store once. */
export const renderFor =
  (database: Database) =>
  async (account: number): Promise<Render> => {
    const templates = new Map<string | null, Promise<Template>>()
    return async (facts, brand, { store_id }, logo) => {
      const template = templates.get(store_id) ?? database.read(() => templateFor(account, store_id), 'single')
      templates.set(store_id, template)
      return renderMessage(facts, brand, await template, logo)
    }
  }
