// Workbooks read as commands read them, in this process.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ShipxError } from '../../../src/domain/errors.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import type { SheetColumn } from '../../../src/cli/files/headers.ts'
import { openSheet } from '../../../src/cli/files/opensheet.ts'
import type { SheetPlan, SheetRow } from '../../../src/cli/files/sheet.ts'

/** What a table comes to. */
export interface Read {
  readonly headers: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly notes: readonly string[]
}

/** The columns of most tests. */
export const columns: readonly SheetColumn[] = [
  { name: 'awb', aliases: ['tracking_number'], required: true },
  { name: 'event', required: true },
  { name: 'at' },
  { name: 'amount' },
]

const folder = mkdtempSync(join(tmpdir(), 'shipx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a workbook needs of its surroundings: a folder for temporary files. */
export const io = {
  env: { SHIPX_DATA_DIR: folder },
  platform: process.platform,
  pid: process.pid,
  host: { uuid: randomUUID },
} as unknown as Io

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
}

/** Reads a table whole. Throws what reading throws. */
export async function readTable(bytes: Uint8Array, plan: Partial<SheetPlan> = {}): Promise<Read> {
  const sheet = await openSheet(io, {
    path: 'book.xlsx',
    field: '<file>',
    columns,
    bytes: () => inPieces(bytes),
    ...plan,
  })
  const rows: SheetRow[] = []
  for await (const batch of sheet.rows) rows.push(...batch)
  return { headers: sheet.headers, rows, notes: sheet.notes() }
}

/** The error of a table, in one text. */
export async function refusal(bytes: Uint8Array, plan: Partial<SheetPlan> = {}): Promise<string> {
  try {
    await readTable(bytes, plan)
  } catch (error) {
    if (error instanceof ShipxError)
      return error.details
        .map(({ field, message, row, counts }) => `${counts ?? 'line'} ${row ?? '-'} ${field ?? '-'}: ${message}`)
        .concat(error.details.length === 0 ? [`${error.message} → ${error.hint ?? ''}`] : [])
        .join('\n')
    throw error
  }
  return ''
}
