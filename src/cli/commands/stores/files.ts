// `shipx stores import` and `shipx stores export`: stores from a file and to a file; src/cli/imports does the import.
import { dirname, join, relative } from 'node:path'
import { count } from '../../../domain/count.ts'
import { invalid, type Fault, messageOf } from '../../../domain/errors.ts'
import { logoOf } from '../../../engine/accounts/stores.ts'
import { storesAfter } from '../../../engine/accounts/storesbulk.ts'
import { importFile } from '../../imports/run.ts'
import { storeColumns, storeImporter } from '../../imports/stores.ts'
import { done } from '../../output/outcome.ts'
import { untilStopped } from '../../output/untilstopped.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { openWhole, writeWhole, type WholeFile } from '../../files/userfiles.ts'
import { makeFolder } from '../../files/folders.ts'
import { keepStores } from '../../help/names.ts'
import { withSource } from '../../source/open.ts'
import { engineOf, type Source } from '../../source/source.ts'

/** A store that is being written to a file. */
interface Written {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly logo_type: string | null
}

/** How many stores are read at once. */
const step = 500

/** The connected stores by name; a deployment sends all in one answer. */
async function* storesOf({ engine, service }: Source): AsyncGenerator<readonly Written[]> {
  if (engine === undefined) {
    const { data } = await service.listStores({})
    yield data.map(({ id, store_name, brand_name }) => ({
      id,
      store_name,
      brand_name: brand_name ?? null,
      logo_type: null,
    }))
    return
  }
  for (let after = ''; ;) {
    const found = await engine.database.read(() => storesAfter(engine.account, after, step), 'single')
    if (found.length > 0) yield found
    if (found.length < step) return
    after = found.at(-1)!.store_name
  }
}

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

const exportStores = verb({ force: flag, out: word, logos: word }, async (context, options) => {
  const { flags, io } = context
  const [out, logos] = [options.out, options.logos]
  const faults: Fault[] = []
  for (const other of ['json', 'jsonl', 'ids', 'tsv'])
    if (flags.has(other))
      faults.push({ field: `--${other}`, message: 'an export is CSV; for this format: shipx stores list --all' })
  refuse(context, faults)
  return withSource(context, 'read', async (source) => {
    let file: WholeFile | undefined
    const work = async (): Promise<number> => {
      if (logos !== undefined) engineOf(source, 'stores export --logos')
      const { header, row } = writerFor(context, out !== undefined)
      /** Writes the logo of a store and returns its path for the file. */
      const logo = async ({ id, store_name, logo_type }: Written): Promise<string> => {
        if (logos === undefined || logo_type === null) return ''
        const { account, database } = source.engine!
        const { bytes } = await database.read(() => logoOf(account, id), 'single')
        // Names may differ only in case, which some file systems ignore.
        const path = join(logos, `${store_name}.${id.slice(-8)}.${endings[logo_type] ?? 'img'}`)
        writeWhole(path, bytes, true, '--logos')
        return relative(out === undefined ? '.' : dirname(out), path).replaceAll('\\', '/')
      }
      if (logos !== undefined) makeLogos(logos)
      if (out !== undefined) file = openWhole(out, options.force, '--out')
      const write = async (lines: string): Promise<void> =>
        file === undefined ? io.stdout.write(lines) : file.write(lines)
      await write(header(storeColumns.map(({ name }) => name)))
      let written = 0
      for await (const batch of storesOf(source)) {
        let lines = ''
        for (const store of batch) lines += row([store.store_name, store.brand_name, await logo(store)])
        if (written === 0) keepStores(context, batch)
        written += batch.length
        await write(lines)
      }
      file?.finish()
      if (out !== undefined) await done(context, `${count(written)} stores written to ${out}`)
      return 0
    }
    return out === undefined
      ? work()
      : untilStopped(context, out, { placed: () => file?.placed() === true, drop: () => file?.close() }, work)
  })
})

function makeLogos(path: string): void {
  try {
    makeFolder(path)
  } catch (error) {
    throw invalid([{ field: '--logos', message: `${path}: ${messageOf(error)}` }])
  }
}

export const verbs = {
  'stores import': (context: Context) => importFile(context, storeImporter),
  'stores export': exportStores,
}
