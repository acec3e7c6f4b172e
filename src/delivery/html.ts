// Reads HTML into tokens as browsers do (parse5). A separate file next to the command (src/build/bundle.js), since only
// checks of message templates need it.
import { Tokenizer, TokenizerMode, type TokenHandler } from 'parse5'

/** Callbacks for what the reader finds; positions are offsets in the source. */
export interface HtmlHandlers {
  readonly comment?: (from: number, to: number) => void
  readonly doctype?: (from: number, to: number) => void
  readonly startTag?: (name: string, from: number, to: number, attributes: readonly AttributePlace[]) => void
  readonly endTag?: (name: string, from: number, to: number) => void
  /**
   * An error by its name in the HTML standard. `token` is where the tag or comment starts, `attribute` the last
   * attribute's name.
   */
  readonly error?: (code: string, at: number, token: number, attribute: string) => void
}

/** An attribute, from its name to the end of its value. */
export interface AttributePlace {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Elements whose content is text, and whether it may contain character references. */
const textOnly: ReadonlyMap<string, 'RAWTEXT' | 'RCDATA'> = new Map([
  ['style', 'RAWTEXT'],
  ['title', 'RCDATA'],
])

class Reader extends Tokenizer {
  where(): readonly [token: number, attribute: string] {
    return [this.currentToken?.location?.startOffset ?? 0, this.currentAttr.name]
  }
}

/** Reads HTML from start to end. If a tag repeats an attribute, the first one counts, as in browsers. */
export function readHtml(html: string, found: HtmlHandlers): void {
  const ignore = (): void => undefined
  const handler: TokenHandler = {
    onComment: ({ location }) => found.comment?.(location!.startOffset, location!.endOffset),
    onDoctype: ({ location }) => found.doctype?.(location!.startOffset, location!.endOffset),
    onStartTag: ({ tagName, location }) => {
      const { startOffset, endOffset, attrs = {} } = location!
      const places = Object.entries(attrs).map(([name, at]) => ({ name, from: at.startOffset, to: at.endOffset }))
      found.startTag?.(tagName, startOffset, endOffset, places)
      const mode = textOnly.get(tagName)
      if (mode !== undefined) reader.state = TokenizerMode[mode]
    },
    onEndTag: ({ tagName, location }) => found.endTag?.(tagName, location!.startOffset, location!.endOffset),
    onParseError: ({ code, startOffset }) => found.error?.(code, startOffset, ...reader.where()),
    onEof: ignore,
    onCharacter: ignore,
    onNullCharacter: ignore,
    onWhitespaceCharacter: ignore,
  }
  const reader = new Reader({ sourceCodeLocationInfo: true }, handler)
  reader.write(html, true)
}
