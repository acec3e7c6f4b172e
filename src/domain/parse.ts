// The door for untrusted data: an endpoint's raw input becomes its checked input, with every fault named together.
import type * as z from 'zod/mini'
import { contract, type Input, type Name } from './contract.ts'
import { invalid, type Fault } from './errors.ts'
import { nearest } from './nearest.ts'

/**
 * The checked input of an endpoint. Array parameters may carry their brackets (`zone[]`). Throws `invalid_input` with a
 * fault for each thing that is wrong, unknown parameters with the nearest known one (docs/decisions.md, Errors).
 */
export function parseInput<N extends Name>(name: N, raw: unknown): Input<N> {
  const { rules } = contract[name]
  const input: z.ZodMiniObject = contract[name].input()
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw invalid([{ field: null, message: 'the request must be a JSON object' }])
  const known: readonly string[] = Object.keys(input.shape)
  const faults: Fault[] = []
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(raw)) {
    const bare = key.endsWith('[]') ? key.slice(0, -2) : key
    const field = known.includes(key) ? key : known.includes(bare) ? bare : undefined
    if (field === undefined) faults.push({ field: key, message: unknownParameter(key, known) })
    else if (field in fields) faults.push({ field, message: `is there twice, as ${field} and ${field}[]` })
    else if (value !== undefined) fields[field] = value
  }
  const parsed = input.safeParse({ ...fields }, { reportInput: true })
  if (!parsed.success) faults.push(...faultsOf(parsed.error))
  for (const fault of rules(fields)) if (!faults.some((other) => other.field === fault.field)) faults.push(fault)
  if (faults.length > 0 || !parsed.success) throw invalid(inOrder(faults, known))
  return parsed.data as Input<N>
}

/** Faults in the order of the schema's fields, as a form would show them. */
function inOrder(faults: readonly Fault[], known: readonly string[]): readonly Fault[] {
  const place = (fault: Fault): number => {
    const index = known.indexOf((fault.field ?? '').split('.')[0]!)
    return index === -1 ? known.length : index
  }
  return faults.toSorted((a, b) => place(a) - place(b))
}

/** The sentence for a parameter that does not exist. */
export function unknownParameter(key: string, known: readonly string[]): string {
  const shown = key.slice(0, 60)
  const near = nearest(key.replace(/\[\]$/, ''), known)
  return `unknown parameter \`${shown}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`
}

/** The faults in a zod error (made with `reportInput`), each with its field as a dotted path. */
export function faultsOf(error: z.core.$ZodError): readonly Fault[] {
  return error.issues.flatMap((issue): readonly Fault[] => {
    const field = issue.path.length === 0 ? null : issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: field === null ? key : `${field}.${key}`,
        message: `unknown field \`${key.slice(0, 60)}\``,
      }))
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    return [{ field, message: missing ? 'is required' : sentenceOf(issue) }]
  })
}

/** What a schema without a sentence of its own says: zod's small build has none. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message
  if (issue.code === 'invalid_type') return `must be ${nouns[issue.expected] ?? `a ${issue.expected}`}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  return 'is not of the right form'
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text', boolean: 'true or false', int: 'a whole number', array: 'a list', object: 'an object', record: 'an object',
} // prettier-ignore
