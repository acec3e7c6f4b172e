// Records one on each line, cut into texts.

/**
 * The texts of lines in UTF-8; one empty text for no bytes. Each becomes a text by itself: as parts of one large text
 * they take four times as long, since that is new memory each time (docs/inside/slowmemory.md, Lists, sheets and ids).
 */
export function lineTexts(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const texts: string[] = []
  let at = 0
  for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, at)) {
    texts.push(buffer.toString('utf8', at, end))
    at = end + 1
  }
  texts.push(buffer.toString('utf8', at))
  return texts
}
