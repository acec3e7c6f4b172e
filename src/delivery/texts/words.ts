// The types of the words that the messages of a language consist of.
import type { Language } from '../../domain/messages/templates.ts'

/** What a template can name, apart from `content`, which only a page has. */
export type Words = {
  readonly step: string
  readonly language: Language
  readonly brand: string | null
  readonly order: string | null
  readonly return: string | null
  readonly tracking_number: string | null
  readonly courier: string | null
  readonly customer: {
    readonly name: string | null
    readonly first_name: string | null
    readonly city: string | null
    readonly pincode: string | null
  }
  readonly items: readonly { readonly name: string | null; readonly quantity: number }[]
  readonly more_items: number
  readonly total: string | null
  readonly cod: string | null
  readonly attempt: number | null
  readonly reason: string | null
  readonly retry: boolean
  readonly date: string
  readonly time: string
}

/** The labels of the details in a language. */
export interface Labels {
  readonly return: string
  readonly order: string
  readonly courier: string
  readonly tracking_number: string
  readonly cod: string
  readonly items: string
  readonly more: (count: number) => string
}
