// Defends the refusal of an invoice that another run kept a moment ago.
import { expect, test } from 'vitest'
import { refuseSame } from '../../src/engine/money/documents.ts'
import { keptDocument } from '../support/keptinvoice.ts'

const codeOf = (sha256: string): unknown => {
  try {
    refuseSame(keptDocument, [{ sha256 }])
  } catch (error) {
    return (error as { code: unknown }).code
  }
  return undefined
}

test('a file that another run kept a moment ago was refused as another file', () => {
  expect(codeOf(keptDocument.sha256)).toBe('database_locked')
  expect(codeOf('f'.repeat(64))).toBe('document_differs')
  expect(refuseSame(keptDocument, [])).toBeUndefined()
})
