// The answer without a list: clients ask for it (`Prefer: return=minimal`, RFC 7240) to see what the service can do.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../domain/contract.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { headers, minimal } from '../domain/wire.ts'
import { headersWith, title } from './refusals.ts'

/** Whether an endpoint gives such an answer: it reads a list that is always there. */
export const givesMinimal = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  method === 'GET' && !path.includes(':')

export const prefersMinimal = ({ headers: said }: FastifyRequest): boolean =>
  String(said[headers.prefer] ?? '')
    .split(',')
    .some((preference) => preference.trim().toLowerCase() === minimal)

/** What Fastify sends: no content, with the headers of every answer. */
export function minimalAnswer(reply: FastifyReply): string {
  reply.code(204).header(headers.preferenceApplied, minimal)
  return ''
}

export const preferParameter: Schema = {
  name: title(headers.prefer),
  in: 'header',
  // No example: a page would send it with every request.
  description: `\`${minimal}\`: only the headers, to see what the service can do`,
  schema: { type: 'string' },
}

export const minimalResponse: Schema = {
  description: `What \`Prefer: ${minimal}\` asks for`,
  headers: headersWith(headers.preferenceApplied),
}
