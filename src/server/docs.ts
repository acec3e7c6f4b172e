// The API description and a page to read it on (swagger-ui), all from this service: the page sends requests nowhere
// else, and runs no script but its own files.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ShipxError } from '../domain/errors.ts'

/** What the page may do. swagger-ui sets styles on elements, has icons as data, and shows an image answer as a blob. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Shipping service</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript; the document itself is <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `// Shows /openapi.json; asks no other server, and no validator elsewhere.
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    // A form without a chosen file sends no logo, not an empty one.
    if (request.body instanceof FormData && request.body.get('logo')?.size === 0) request.body.delete('logo')
    return request
  },
})
`

/** A file of the page: its bytes and their fingerprint, which shows a browser that it has them already. */
interface Asset {
  readonly bytes: Buffer
  readonly tag: string
}

type Headers = Readonly<Record<string, string>>

const assetOf = (bytes: Buffer): Asset => ({
  bytes,
  tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
})

/** What the page is made of. */
export interface DocsOptions {
  /** Makes the API description, when someone first asks for it. */
  readonly document: () => Promise<object>
  /** One of swagger-ui's two files. Throws where there is none. */
  readonly asset: (name: string) => Buffer
}

/** Adds `/openapi.json`, `/docs` and the files of the page. No key needed. */
export function addDocs(app: FastifyInstance, { document, asset }: DocsOptions): void {
  const once = (read: () => Promise<Buffer>) => {
    let asset: Promise<Asset> | undefined
    return async (): Promise<Asset> => {
      asset ??= read().then(assetOf)
      return asset.catch((error: unknown) => {
        asset = undefined
        throw error
      })
    }
  }
  const fixed = (text: string) => once(async () => Buffer.from(text))
  const file = (name: string) =>
    once(async () => {
      try {
        return asset(name)
      } catch {
        throw new ShipxError('not_found', 'this build has no API page; the document is /openapi.json')
      }
    })
  const add = (url: string, type: string, asset: () => Promise<Asset>, more: Headers = {}): void => {
    app.get(url, async (request, reply) =>
      answer(request, reply.headers(more), `${type}; charset=utf-8`, await asset()),
    )
  }
  add(
    '/openapi.json',
    'application/json',
    once(async () => Buffer.from(JSON.stringify(await document()))),
  )
  add('/docs', 'text/html', fixed(page), { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
  add('/docs/start.js', 'text/javascript', fixed(start))
  add('/docs/swagger-ui.css', 'text/css', file('swagger-ui.css'))
  add('/docs/swagger-ui-bundle.js', 'text/javascript', file('swagger-ui-bundle.js'))
}

/** A file, or 304 for a browser that has it. A browser asks each time, so that a new version shows at once. */
function answer(request: FastifyRequest, reply: FastifyReply, type: string, { bytes, tag }: Asset): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag: tag, 'x-content-type-options': 'nosniff' })
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known?.includes(tag) === true) return reply.code(304).send()
  return reply.type(type).send(bytes)
}
