// The answer of a tool: what its command printed, with phone numbers masked, or its error.
import type { ShipxError } from '../../../domain/errors.ts'
import { maskPhone } from '../../output/display.ts'
import { failureOf, failureJson } from '../../output/failure.ts'
import type { Ended } from './toolrun.ts'

/** An answer as the protocol has it. */
export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
  readonly [other: string]: unknown
}

/** A field of a record that holds a phone number, as JSON text; quoted JSON has `\"` there. */
const phoneField = /"((?:\w+_)?phone)":(\s*)("(?:[^"\\]|\\.)*"|\d{8,})/g

/** A text that quotes an object or a list of JSON, and speaks of a phone. */
const quotedRecord = /(?<!\\)"\s*[[{](?:[^"\\]|\\.)*phone(?:[^"\\]|\\.)*"/g

const withMaskedFields = (json: string): string =>
  json.replace(phoneField, (_, key: string, blank: string, sent: string) => {
    const masked = maskPhone(String(JSON.parse(sent)))
    return `"${key}":${blank}${JSON.stringify(masked)}`
  })

/**
 * JSON with its phone numbers masked, as tables mask them, also in records that a text quotes (the column `record` of
 * SQL).
 */
export const withMaskedPhones = (json: string): string =>
  withMaskedFields(json).replace(quotedRecord, (quoted) => {
    const text = JSON.parse(quoted) as string
    const masked = withMaskedPhones(text)
    return masked === text ? quoted : JSON.stringify(masked)
  })

const text = (said: string) => ({ type: 'text' as const, text: said })

/** The object in some JSON text, or undefined. */
function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** What a command printed. Warnings come with it; with an exit code, its error comes first. */
export function answerOf({ exit, stdout, stderr }: Ended, pii: boolean): ToolAnswer {
  const printed = (pii ? stdout : withMaskedPhones(stdout)).trimEnd()
  const lines = stderr.split('\n').filter((line) => line !== '')
  const failed = exit === 0 ? undefined : lines.findLast((line) => objectIn(line)?.['error'] !== undefined)
  const warnings = lines.filter((line) => line !== failed).join('\n')
  const content = [failed, printed, warnings]
    .filter((said) => said !== undefined && said !== '')
    .map((said) => text(said!))
  const structured = objectIn(failed ?? printed)
  return {
    content: content.length === 0 ? [text(exit === 0 ? 'done' : `shipx ended with exit code ${exit}`)] : content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(exit === 0 ? {} : { isError: true }),
  }
}

/** A failure of the call itself, in the form of every other error. */
export function refusalOf(error: ShipxError | unknown): ToolAnswer {
  const json = failureJson(failureOf(error)).trimEnd()
  const structured = objectIn(json)
  return {
    content: [text(json)],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    isError: true,
  }
}
