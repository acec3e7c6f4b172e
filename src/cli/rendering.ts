// The texts of an account's messages, as its templates are when it is asked.
import { phrase } from './display.ts'
import type { Render } from '../delivery/tried.ts'

/** Makes the texts of messages. */
export const renderFor = async (): Promise<Render> => (facts, brand, message) => {
  const whose = brand?.brand_name ?? message.store_name
  const text = `${whose === null ? '' : `${whose}: `}order ${facts.order ?? facts.return ?? ''} ${phrase(facts.step)}${facts.tracking_number === null ? '' : ` (${facts.tracking_number})`}`
  return { language: 'en', subject: text, text, parts: { encoding: 'gsm', parts: 1 }, html: '', dlt: null }
}
