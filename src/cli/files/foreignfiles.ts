// What a file that is not text is by its bytes: an Excel workbook, new or old, or one with a password.
import { safe } from '../terminal/safe.ts'
import { refusing, saveAsWorkbook } from '../workbooks/refusal.ts'
import type { ShipxError } from '../../domain/errors.ts'

/** The container of a workbook by its first bytes: a zip file, or the older one of Microsoft (CFB). */
export function workbookKind(first: Uint8Array): 'zip' | 'cfb' | undefined {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, i) => first[i] === byte)
  // An empty zip file, too, is no text.
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0x50, 0x4b, 0x05, 0x06)) return 'zip'
  return starts(0xd0, 0xcf, 0x11, 0xe0) ? 'cfb' : undefined
}

/** What a file is by its first bytes where that is an Excel workbook, for those who read text alone. */
export function workbookIn(first: Uint8Array): string | undefined {
  const kind = workbookKind(first)
  if (kind === undefined) return undefined
  return kind === 'zip' ? 'an Excel workbook (.xlsx)' : 'an Excel workbook (.xls)'
}

/** The first characters of documents that are neither text nor tables, and what they are. */
const documents: readonly (readonly [start: string, what: string])[] = [
  ['%PDF', 'a PDF'],
  ['\x89PNG', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'a picture (JPEG)'],
  ['{\\rtf', 'a text document (RTF)'],
]

/** What a file is by its first bytes where that is a document for people, such as a PDF. */
export const documentIn = (first: Uint8Array): string | undefined => {
  const text = Buffer.from(first.subarray(0, 8)).toString('latin1')
  return documents.find(([start]) => text.startsWith(start))?.[1]
}

/** What a file is by its first bytes, and all of its bytes. */
export async function startOf(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly kind: ReturnType<typeof workbookKind>; readonly bytes: AsyncGenerator<Uint8Array> }> {
  const rest = bytes[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array()
  while (start.length < 4) {
    const next = await rest.next()
    if (next.done === true) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  const all = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield start
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
    } finally {
      await rest.return?.()
    }
  }
  return { kind: workbookKind(start), bytes: all() }
}

/** The name of the stream in which Office keeps what a password protects (MS-OFFCRYPTO 2.3.4). */
const encrypted = Buffer.from('EncryptedPackage', 'utf16le')

/** The refusal of a workbook in the older container: a password's, or one of Excel 97. */
export async function oldWorkbook(path: string, bytes: AsyncIterable<Uint8Array>): Promise<ShipxError> {
  const refuse = refusing(path === '-' ? 'standard input' : safe(path))
  let end = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const piece = Buffer.concat([end, chunk])
    if (piece.includes(encrypted))
      return refuse('it is a workbook with a password', 'open it, remove the password and save it again')
    end = piece.subarray(Math.max(0, piece.length - encrypted.length))
  }
  return refuse('it is an Excel workbook (.xls)', saveAsWorkbook)
}
