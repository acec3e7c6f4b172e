// Fields of records: each says once what our own service sends (JSON Schema, for the API description) and what is
// accepted from other deployments (zod), which send null, other statuses and more fields.
import * as z from 'zod/mini'
import { instantFault, readInstant } from './time.ts'

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A field; `accepted` is undefined where other deployments may send anything, `sent` where only they send it. */
export interface Field<S extends z.ZodMiniType | undefined = z.ZodMiniType | undefined> {
  readonly sent: JsonSchema | undefined
  readonly accepted: S
}

const field = <S extends z.ZodMiniType>(sent: JsonSchema, accepted: S): Field<S> => ({ sent, accepted })

/** An ISO 8601 time with an offset that exists in the calendar. */
export const instant = z.string().check(
  z.refine((value) => readInstant(value) !== undefined, {
    error: ({ input }) => instantFault(String(input)),
  }),
)

export const text = (description: string, more: JsonSchema = {}) =>
  field({ type: 'string', description, ...more }, z.string())
export const number = (description: string, more: JsonSchema = {}) =>
  field({ type: 'number', description, ...more }, z.number())
export const integer = (description: string, more: JsonSchema = {}) =>
  field({ type: 'integer', description, ...more }, z.int())
/** A whole number of ours, for which others may send a fraction. */
export const count = (description: string, more: JsonSchema = {}) =>
  field({ type: 'integer', description, ...more }, z.number())
export const rupees = (description: string) => number(`${description}, rupees`, { minimum: 0 })
export const yesNo = (description: string) => field({ type: 'boolean', description }, z.boolean())
/** One of our words; others have words of their own. */
export const word = (words: readonly string[], description: string) => field({ enum: words, description }, z.string())
export const time = (description: string) =>
  field({ type: 'string', description: `${description}; ISO 8601 in UTC`, format: 'date-time' }, instant)

/** A field with one value, which others may leave out but not change. */
export const constant = <const T extends string>(value: T) => field({ const: value }, z.optional(z.literal(value)))

export const list = <S extends z.ZodMiniType>(items: Field<S>, description: string) =>
  field({ type: 'array', items: items.sent, description }, z.array(items.accepted))

/** The same, or null: `why` says when. */
export function orNull<S extends z.ZodMiniType>({ sent = {}, accepted }: Field<S>, why: string): Field<S> {
  const { description, enum: words, ...schema } = sent
  const said = { description: `${String(description)}; null ${why}` }
  return field(
    words === undefined
      ? { ...schema, type: [schema['type'], 'null'], ...said }
      : { enum: [...(words as readonly unknown[]), null], ...said },
    accepted,
  )
}

/** An object that may be null as a whole. */
export const nullable = <S extends z.ZodMiniType>({ sent, accepted }: Field<S>, description: string): Field<S> =>
  field({ ...sent, type: ['object', 'null'], description }, accepted)

/** A field that our own service sends as it is described, and that nothing reads from others. */
export const sentOnly = (sent: JsonSchema): Field<undefined> => ({ sent, accepted: undefined })

/** A field that only other deployments send. */
export const foreign = <S extends z.ZodMiniType>(accepted: S): Field<S> => ({ sent: undefined, accepted })

/** A field whose schema is a component of the API description, under a name. */
export const component = <S extends z.ZodMiniType>(name: string, { accepted }: Field<S>): Field<S> =>
  field({ $ref: `#/components/schemas/${name}` }, accepted)

type Fields = Readonly<Record<string, Field>>
type Nullish<S extends z.ZodMiniType> = z.ZodMiniOptional<z.ZodMiniNullable<S>>
type Accepted<F extends Fields, M extends keyof F> = {
  [K in keyof F as F[K]['accepted'] extends z.ZodMiniType ? K : never]: F[K]['accepted'] extends z.ZodMiniType
    ? K extends M
      ? F[K]['accepted']
      : Nullish<F[K]['accepted']>
    : never
}

/**
 * An object: our own service sends all fields but `optional`; others must send `must` and may send null for the rest.
 */
export function object<F extends Fields, M extends keyof F = never>(
  fields: F,
  {
    description,
    must = [],
    optional = [],
  }: { readonly description?: string; readonly must?: readonly M[]; readonly optional?: readonly string[] } = {},
) {
  const sent = Object.entries(fields).filter(([, { sent: schema }]) => schema !== undefined)
  const accepted = Object.entries(fields).flatMap(([key, { accepted: schema }]) =>
    schema === undefined ? [] : [[key, must.includes(key as M) ? schema : z.nullish(schema)] as const],
  )
  return field(
    {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties: Object.fromEntries(sent.map(([key, { sent: schema }]) => [key, schema])),
      required: sent.map(([key]) => key).filter((key) => !optional.includes(key)),
    },
    z.looseObject(Object.fromEntries(accepted) as unknown as Accepted<F, M>),
  )
}

/** An object whose fields must all be there, also from others. */
export const whole = <F extends Fields>(
  fields: F,
  { description, optional = [] }: { readonly description?: string; readonly optional?: readonly string[] } = {},
) =>
  object(fields, {
    must: Object.keys(fields) as (keyof F)[],
    optional,
    ...(description === undefined ? {} : { description }),
  })

/** A field that others may send as null. */
export const orNullElsewhere = <S extends z.ZodMiniType>({ sent, accepted }: Field<S>) => ({
  sent,
  accepted: z.nullable(accepted),
})

/** A field that is absent in some answers. */
export const sometimes = <S extends z.ZodMiniType>({ sent, accepted }: Field<S>) => ({
  sent,
  accepted: z.optional(accepted),
})
