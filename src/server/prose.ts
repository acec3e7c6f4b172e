// What the API description says before its endpoints, in Markdown.
import { basePath } from '../domain/contract.ts'
import { statusTable } from './refusals.ts'

/** Text as one line. */
export const onOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Markdown with each paragraph on one line: the page shows a line's end inside a paragraph as a line break. */
const joined = (text: string): string => text.replace(/([^\n])\n(?=[^\n|])/g, '$1 ')

/** The description of the whole service. */
export const introduction = joined(`The service keeps the stores, orders, shipments and returns of a merchant and
quotes courier prices. All endpoints are under \`${basePath}\`; bodies are JSON in UTF-8, and stores also take
\`multipart/form-data\` for a logo.

## Signing in

Every request carries a key of the account, as \`Authorization: Bearer <key>\` or as \`Authorization: <key>\`. A
missing, malformed, unknown, expired or revoked key is 401, always with the same answer. A read-only key may do
everything that changes nothing; the rest is 403. A key sees its own account only.

## Errors

Every error is \`{"status":"ERROR","message":"…","errors":["…"]}\`: \`errors\` has a sentence for each thing that is
wrong and \`message\` is the first of them. The header \`Shipx-Error\` carries a code that does not change, and
\`Shipx-Error-Fields\` the fields of the sentences in their order, each percent-encoded, with commas between.

${statusTable}

The service refuses fields and parameters that do not exist and names the nearest known one, in the body and in the
query string: a misspelt filter never answers with everything.

## Values

Weights of quotes, records and filters are **grams**; orders are in **kilograms**, with \`breadth\` where quotes have
\`width\`. Sides are centimetres. Amounts are rupees before GST. A number may be sent as a JSON number or as a plain
decimal string (\`"0.5"\`), without an exponent; booleans only as \`true\` and \`false\`. Times are ISO 8601 in UTC in
answers; \`order_date\` is IST. Zones are \`zone_a\` to \`zone_e\`; requests also take \`a\`, \`A\` and \`z_a\`.

## Pages

Listings take \`page\` (from 1) and \`per_page\` (1 to 100, by default 20). \`meta.total\` counts all matches. To walk
through everything, send the \`meta.next_search_after\` of each page as \`search_after\` of the next until the page is
empty: new records then move nothing. A page ends early where its records come to 4 MB, and \`meta.per_page\` says how
many there are; with page numbers, that page and the next one are 422. Names of array parameters may be written with
\`[]\`, and one value stands for a list of one. \`page[number]\` and \`page[size]\` stand for \`page\` and
\`per_page\`. A cursor belongs to the sort of its page: with another sort it continues somewhere else.

## Doing it once

\`Idempotency-Key\` (1 to 255 visible ASCII characters, one for each thing to be done) is honoured when stores and
orders are created. The service keeps the first answer for at least 24 hours and sends it again with
\`Idempotency-Replayed: true\`; the key with another request is 422. It does not keep a refusal.

## Limits

By default 100 requests a second for one key, with bursts of 200; a body over 64 KB counts as one request for each 64
KB. A body nests at most 32 levels deep and has at most 10,000 values, an object has at most 200 fields and a list at
most 1,000 values; headers have at most 8 KB. An order is at most 64 KB as JSON, with at most 100 items, and its
\`vendor_details\` at most 8 KB. A name that stands twice in one object is 400. Control characters are 400 in every
text; ids hold no invisible characters.

## Versions

The version is part of the path. Within v1, the service only adds fields of answers and optional parameters, so a
client must ignore fields that it does not know. The header \`Shipx-Capabilities\` says what this deployment has beyond
the specification.`)
