// The forms that shipx knows, and which of them a file has.
import { invalid } from '../../../domain/errors.ts'
import { folded } from '../../files/headers.ts'
import { shownHeaders } from '../../files/shownheaders.ts'
import { amazon } from './amazon.ts'
import type { Form } from './form.ts'
import { shiprocket } from './shiprocket.ts'
import { shopify } from './shopify.ts'
import { unicommerce } from './unicommerce.ts'
import { woocommerce } from './woocommerce.ts'

const forms: readonly Form[] = [shopify, woocommerce, amazon, unicommerce, shiprocket]

/** The values of --from (of `rates`: --form): the forms, and `sheet` for a file that is read by its own headers. */
export const formNames = ['shopify', 'woocommerce', 'amazon', 'unicommerce', 'shiprocket', 'sheet'] as const
export type FormName = (typeof formNames)[number]

/** What a file with these headers is the export of; undefined for any other file. */
export const exportIn = (headers: readonly string[]): string | undefined => formOf(headers, undefined)?.title

/**
 * The form of a file: the given one, or else the one whose signs are all among the headers. Throws `invalid_input` when
 * the file is not of the given form; `flag` named it.
 */
export function formOf(headers: readonly string[], from: FormName | undefined, flag = '--from'): Form | undefined {
  const there = new Set(headers.map(folded))
  const lacks = ({ signs }: Form): readonly string[] => signs.filter((sign) => !there.has(folded(sign)))
  if (from === undefined) return forms.find((form) => lacks(form).length === 0)
  const form = forms.find(({ name }) => name === from)
  if (form === undefined) return undefined
  const missing = lacks(form)
  if (missing.length > 0) {
    const lacks = `its header lacks ${missing.join(', ')}; it has: ${shownHeaders(headers)}`
    throw invalid([{ field: flag, message: `the file is not ${form.title}: ${lacks}` }])
  }
  return form
}
