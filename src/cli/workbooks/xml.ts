// An XML part of a workbook, parsed as a stream: elements by their names without a prefix.
import { SaxesParser } from 'saxes'
import { count } from '../../domain/count.ts'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { damaged, type Refuse } from './refusal.ts'

export type Attributes = Readonly<Record<string, string>>

/** What receives a part. The text of an element may come in pieces. */
export interface Handlers {
  readonly open: (name: string, attributes: Attributes) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** Elements inside each other, and characters without the end of a tag or a text: more would fill the memory. */
const [deepest, longest] = [100, 4_194_304]

/** A name without its prefix: `x:row` is `row`. */
export const localName = (name: string): string => {
  const at = name.indexOf(':')
  return at === -1 ? name : name.slice(at + 1)
}

/** Parses a part; yields after each piece of it. Throws `invalid_file`, and what the handlers throw. */
export async function* parseXml(part: AsyncIterable<Buffer>, handlers: Handlers, refuse: Refuse): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false })
  let [depth, silent] = [0, 0]
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0
    depth++
    if (depth > deepest) throw damaged(refuse, `its elements are more than ${count(deepest)} deep`)
    handlers.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    silent = 0
    depth--
    handlers.close?.(localName(name))
  })
  const text = (piece: string): void => {
    silent = 0
    handlers.text?.(piece)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of part) {
      const piece = decoder.decode(bytes, { stream: true })
      silent += piece.length
      parser.write(piece)
      if (silent > longest) throw damaged(refuse, `it has a text of more than ${count(longest)} characters`)
      yield
    }
    parser.write(decoder.decode())
    parser.close()
  } catch (error) {
    throw error instanceof ShipxError ? error : damaged(refuse, messageOf(error).replace(/\.$/, ''))
  }
  yield
}

/** Parses a part to its end. Throws as `parseXml`. */
export async function readXml(part: AsyncIterable<Buffer>, handlers: Handlers, refuse: Refuse): Promise<void> {
  for await (const _ of parseXml(part, handlers, refuse));
}
