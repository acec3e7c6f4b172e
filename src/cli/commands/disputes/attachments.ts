// The files of evidence that go with a sheet of disputes: their names, and the ZIP or folder that they go into, whole
// or not at all.
import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '../../../engine/money/evidence.ts'
import type { Context } from '../../command/context.ts'
import { evidenceKind, keptEvidence } from '../../files/evidencefiles.ts'
import { noDevice } from '../../files/filenames.ts'
import { makeFolder } from '../../files/folders.ts'
import { openWhole, writeWhole } from '../../files/userfiles.ts'
import type { Stopping } from '../../output/stopping.ts'
import { safe } from '../../terminal/safe.ts'
import { zipTo } from './zip.ts'

/** A file of evidence under the name that it goes by. */
export interface Attachment {
  readonly name: string
  readonly sha256: string
}

/** A sheet with its evidence; `force` replaces what is there. */
interface Parcel {
  readonly force: boolean
  readonly sheet: { readonly name: string; readonly content: string }
  readonly attachments: readonly Attachment[]
}

/** The longest part of a name, characters. */
const longest = 60

/** A part of a file name of letters, digits and dashes that every system and courier takes. */
const plainName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, longest)
    .replace(/^_/, '')
    .replace(/_$/, '')

/**
 * The names of the files of one parcel: its AWB, then the name that the person gave the file, with the ending of what
 * it is. A name without plain letters goes by what the file shows. Files that this computer lacks go into `gone`.
 */
export function attachmentsOf(context: Context, files: readonly Evidence[], gone: string[]): readonly Attachment[] {
  const used = new Set<string>()
  return files.flatMap(({ awb, sha256, shows, name }): readonly Attachment[] => {
    const bytes = keptEvidence(context.io, sha256)
    if (bytes === undefined) {
      gone.push(`${awb} ${name}`)
      return []
    }
    const parcel = plainName(awb)
    const dot = name.lastIndexOf('.')
    const own = plainName(dot > 0 ? name.slice(0, dot) : name)
    const given = own === '' ? (shows === '' ? 'file' : shows.replaceAll(',', '-')) : own
    const base = noDevice(given.startsWith(parcel) ? given : `${parcel}-${given}`, 'file')
    const ending = evidenceKind(bytes) ?? 'bin'
    let file = `${base}.${ending}`
    // Some systems do not tell capitals from small letters.
    for (let n = 2; used.has(file.toLowerCase()); n++) file = `${base}-${n}.${ending}`
    used.add(file.toLowerCase())
    return [{ name: file, sha256 }]
  })
}

const contentOf = (context: Context, { sha256 }: Attachment): Uint8Array =>
  keptEvidence(context.io, sha256) ?? new Uint8Array()

const notWritten = (path: string) => (): { readonly message: string } => ({
  message: `stopped; ${safe(path)} is not written, and nothing is raised`,
})

/** Writes a ZIP. Throws `output_failed`, and `interrupted`. */
export async function writeZip(
  context: Context,
  path: string,
  { force, sheet, attachments }: Parcel,
  stop: Stopping,
): Promise<void> {
  const file = openWhole(path, force, '--zip')
  try {
    const write = async (bytes: Uint8Array): Promise<void> => {
      file.write(bytes)
      await stop.between(notWritten(path))
    }
    await zipTo(write, new Date(context.io.host.now()), [
      { name: sheet.name, content: () => Buffer.from(sheet.content) },
      ...attachments.map((one) => ({ name: `evidence/${one.name}`, content: () => contentOf(context, one) })),
    ])
    await stop.between(notWritten(path))
    file.finish()
  } finally {
    file.close()
  }
}

/** Writes a folder, the sheet last. What it added goes away again when it fails or is stopped. Throws as `writeZip`. */
export async function writeFolder(
  context: Context,
  path: string,
  { force, sheet, attachments }: Parcel,
  stop: Stopping,
): Promise<void> {
  const evidence = join(path, 'evidence')
  const made = [evidence, path].filter((folder) => !existsSync(folder))
  const added: string[] = []
  let whole = false
  try {
    makeFolder(evidence)
    for (const one of attachments) {
      const place = join(evidence, one.name)
      if (!existsSync(place)) added.push(place)
      writeWhole(place, contentOf(context, one), true, '--out')
      await stop.between(notWritten(path))
    }
    await stop.between(notWritten(path))
    writeWhole(join(path, sheet.name), sheet.content, force, '--out')
    whole = true
  } finally {
    if (!whole) takeAway(added, made)
  }
}

function takeAway(files: readonly string[], folders: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true })
  for (const folder of folders)
    try {
      rmdirSync(folder)
    } catch {
      // Somebody else put something into it, or it was never made.
    }
}
