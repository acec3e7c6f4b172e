// The door for untrusted data: an endpoint's raw input becomes its checked input, with every fault named together.
import type * as z from 'zod/mini'
import { contract, type Endpoint, type Input, type Name } from './contract.ts'
import { invalid, mostFaults, type Fault } from './errors.ts'
import { mostGuesses, nearest } from './nearest.ts'
import { pageAliases } from './page.ts'
import { maxFields, rawFaults, tooMany } from './rawvalue.ts'

/**
 * The checked input of an endpoint. Array parameters may carry their brackets (`zone[]`). Throws `invalid_input` with a
 * fault for each thing that is wrong, at most fifty, unknown parameters with the nearest known one
 * (docs/inside/decisions.md, Errors).
 */
export function parseInput<N extends Name>(name: N, raw: unknown): Input<N> {
  return parseFor(contract[name], raw) as Input<N>
}

/** The same for a row of any table of endpoints. */
export function parseFor({ input: schema, rules }: Endpoint, raw: unknown): unknown {
  const input = schema()
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw invalid([{ field: null, message: 'the request must be a JSON object' }])
  const given = Object.keys(raw)
  if (given.length > maxFields) throw invalid([{ field: null, message: `the request ${tooMany(maxFields, 'fields')}` }])
  const known = fieldsIn(input)
  const faults: Fault[] = []
  // Only names of the schema get in: an object like any other is safe, and quicker than one without a prototype.
  const fields: Record<string, unknown> = {}
  for (const key of given) {
    const value = (raw as Readonly<Record<string, unknown>>)[key]
    const field = fieldOf(key, known)
    if (field === undefined)
      faults.push({ field: key, message: unknownParameter(key, faults.length < mostGuesses ? [...known] : []) })
    else if (Object.hasOwn(fields, field))
      faults.push({ field, message: `is sent twice, as ${writtenAs(field, raw, known)}` })
    else if (value !== undefined) fields[field] = value
  }
  const { size, texts } = rawFaults(fields, mostFaults)
  if (size !== undefined) throw invalid([...faults, size])
  // Most requests are right: options for faults would cost as much as the check.
  const parsed = input.safeParse(fields)
  if (!parsed.success || texts.length > 0) {
    const { error } = parsed.success ? parsed : input.safeParse(fields, forFaults)
    faults.push(...oneEach([...(error === undefined ? [] : faultsOf(error)), ...texts]))
  }
  for (const fault of rules(fields)) if (!faults.some((other) => other.field === fault.field)) faults.push(fault)
  if (faults.length > 0 || !parsed.success) throw invalid(inOrder(faults, [...known]).slice(0, mostFaults))
  return parsed.data
}

const fieldsOf = new WeakMap<object, ReadonlySet<string>>()

/** The names of a schema's fields, in its order. */
function fieldsIn(input: ReturnType<Endpoint['input']>): ReadonlySet<string> {
  let known = fieldsOf.get(input)
  if (known === undefined) {
    known = new Set(Object.keys(input.shape))
    fieldsOf.set(input, known)
  }
  return known
}

/** The field of a request's key: by its name, with brackets (`zone[]`), or by another name. */
function fieldOf(key: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(key)) return key
  const bare = key.endsWith('[]') ? key.slice(0, -2) : pageAliases[key]
  return bare !== undefined && known.has(bare) ? bare : undefined
}

/** The first two names under which a request has a field. */
const writtenAs = (field: string, raw: object, known: ReadonlySet<string>): string =>
  Object.entries(raw)
    .filter(([key, value]) => value !== undefined && fieldOf(key, known) === field)
    .slice(0, 2)
    .map(([key]) => key)
    .toSorted()
    .join(' and ')

/** One fault for each field, the last that was found: the others follow from it. */
const oneEach = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((fault) => [fault.field, fault])).values(),
]

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

const unsaid = 'Invalid input'

/**
 * Options for parsing a value whose faults are shown. Issues keep their input. They have no sentence of zod's own, even
 * where another part of the program has loaded zod's sentences.
 */
export const forFaults = { reportInput: true, error: (): string => unsaid }

/** The first faults in a zod error (parsed `forFaults`), each with its field as a dotted path. */
export function faultsOf(error: z.core.$ZodError): readonly Fault[] {
  const faults: Fault[] = []
  for (const issue of error.issues) {
    if (faults.length >= mostFaults) break
    const field = issue.path.length === 0 ? null : issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      const keys = issue.keys.slice(0, mostFaults)
      faults.push(
        ...keys.map((key) => ({
          field: field === null ? key : `${field}.${key}`,
          message: `unknown field \`${key.slice(0, 60)}\``,
        })),
      )
      continue
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    faults.push({ field, message: missing ? 'is required' : sentenceOf(issue) })
  }
  return faults
}

/** The message of an issue, made here where the schema has none of its own. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.message !== unsaid) return issue.message
  if (issue.code === 'invalid_type') return `must be ${nouns[issue.expected] ?? `a ${issue.expected}`}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  return 'does not have the right form'
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
