// Stub, being written.
import type { FastifyInstance } from 'fastify'
export function addDocs(_app: FastifyInstance, _options: { readonly document: object; readonly assets: string }): void {}
