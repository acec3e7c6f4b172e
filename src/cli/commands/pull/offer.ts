// Records on this computer for commands that no deployment answers: the engine's, or a mirror's, which a person on a
// terminal may pull right then (docs/guides/worklists.md).
import { counted } from '../../../domain/count.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import { commandLine } from '../../args/commandline.ts'
import { text } from '../../command/flags.ts'
import type { Context } from '../../command/context.ts'
import { targeting } from '../../config/targeting.ts'
import { done } from '../../output/outcome.ts'
import type { Engine } from '../../source/engine.ts'
import { pullTarget } from '../../source/mirrorpath.ts'
import { pullKinds, type PullKind } from '../../source/mirrorstate.ts'
import { isRemote, withSource } from '../../source/open.ts'
import { mirrorOnly, type Source } from '../../source/source.ts'
import { quoted } from '../../terminal/safe.ts'

/** A source whose records are on this computer. */
export interface OwnSource extends Source {
  readonly engine: Engine
}

/**
 * Does work that needs the records on this computer. At a deployment, it offers to pull these kinds first, and then
 * works on the mirror as with `--local`: `work` gets the context for that. Throws `not_supported` with the command line
 * to use where nobody can answer, and `interrupted` when the user says no.
 */
export async function withRecords(
  context: Context,
  what: string,
  kinds: readonly PullKind[],
  work: (own: Context, source: OwnSource) => Promise<number>,
): Promise<number> {
  const own = (await isRemote(context)) ? await pulled(context, what, kinds) : context
  return withSource(own, 'read', (source) => {
    const { engine } = source
    if (engine === undefined) throw mirrorOnly(what)
    return work(own, { ...source, engine })
  })
}

/** The context of the same command with `--local`, after a pull. */
async function pulled(context: Context, what: string, kinds: readonly PullKind[]): Promise<Context> {
  const flags = new Map([...context.flags, ['local', true] as const])
  const found = await pullTarget(context)
  if (found === undefined || (!context.flags.has('yes') && !canAsk(context)))
    throw mirrorOnly(what, wayOut(context, kinds))
  await confirm(context, await question(context, kinds))
  const { pullInto, sentence } = await import('./pull.ts')
  const asked = { kinds, since: 0, full: false, per_second: undefined, every: undefined }
  await pullInto(context, asked, found, (lines) =>
    done(context, `Pulled ${found.place.name}\n${lines.map((line) => `  ${sentence(line)}`).join('\n')}`),
  )
  const embedded = { kind: 'embedded', path: found.place.path, profile: found.target.profile } as const
  return { ...context, flags, ...targeting(context.io, context.flags), target: async () => embedded }
}

/** The command line that pulls and then does the same from the mirror. */
function wayOut(context: Context, kinds: readonly PullKind[]): string | undefined {
  // With --local, an address comes from the profile or the environment.
  if (context.flags.has('base-url')) return undefined
  const profile = text(context.flags, 'profile')
  const which = kinds.length === pullKinds.length ? [] : kinds
  // A pull takes one kind or all of them.
  const pull = ['shipx', 'pull', ...(which.length === 1 ? which : [])]
  const named = profile === undefined ? pull : [...pull, '--profile', quoted(profile)]
  return `${named.join(' ')} && ${commandLine(context, new Map([...context.flags, ['local', true] as const]))}`
}

/** What a pull would read: `Pull 12,400 shipments and 310 returns now`. */
async function question(context: Context, kinds: readonly PullKind[]): Promise<string> {
  const parts = await withSource(context, 'read', async ({ remote }) => {
    const found: string[] = []
    if (kinds.includes('shipments'))
      found.push(counted(await remote!.total('listShipments', {}, {}), ['shipment', 'shipments']))
    if (kinds.includes('returns'))
      found.push(counted(await remote!.total('listReturns', {}, {}), ['return', 'returns']))
    return found
  })
  return `Pull ${parts.join(' and ')} now`
}
