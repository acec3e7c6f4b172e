// `shipx completion …`: installs the completion script where the shell looks for it, and removes it. Changes a startup
// file only after a yes.
import { chmodSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ShipxError, messageOf } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { scripts, shells } from '../../help/scripts.ts'
import {
  blockOf,
  hasBlock,
  completionPlace,
  completionState,
  shellOf,
  textOf,
  withoutBlock,
  type CompletionPlace,
} from '../../help/installplace.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { makeFolder } from '../../files/folders.ts'
import { safe } from '../../terminal/safe.ts'
import { printOne } from '../../output/printer.ts'

async function print(context: Context): Promise<number> {
  await context.io.stdout.write(scripts[shellFor(context, undefined)]!)
  return 0
}

/** The shell that the user named, or else `usual`; throws `invalid_input` where there is none. */
function shellFor(context: Context, usual: string | undefined): string {
  const shell = context.args[0] ?? usual
  const known = shell !== undefined && shells.includes(shell)
  const words = context.command.path.length === 1 ? [...shells, 'install', 'uninstall'] : shells
  const message = shell === undefined ? `is required: ${shells.join(', ')}` : notOneOf(shell, words, 'shell')
  refuse(context, known ? [] : [{ field: '<shell>', message }])
  return shell!
}

const install = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  const place = completionPlace(io, shellFor(context, shellOf(io)))
  const { shell, path, startup } = place
  const script = scripts[shell]!
  const current = textOf(path) === script
  if (dry)
    return wouldDo(context, `install completion for ${shell} in ${path}`, {
      write: current ? null : path,
      add: linked(place) ? null : { to: startup!.path, lines: startup!.lines.split('\n') },
    })
  if (!current) {
    made(dirname(path))
    writeWhole(path, script, true, '<shell>')
  }
  await done(context, `Completion for ${shell} is ${current ? 'already ' : ''}in ${path}`)
  if (!linked(place)) await link(context, startup!)
  const { installed } = completionState(io, shell)!
  if (installed) await context.note('New shells have it.')
  await printOne(context, { shell, path, startup: startup?.path ?? null, installed }, shell)
  return 0
})

/** Whether the shell finds the file: by itself, or through the lines in its startup file. */
const linked = ({ startup }: CompletionPlace): boolean =>
  startup === undefined || hasBlock(textOf(startup.path) ?? '', startup.lines)

/** Writes our lines into a startup file after a yes; otherwise prints them. */
async function link(context: Context, { path, lines }: NonNullable<CompletionPlace['startup']>): Promise<void> {
  if (!(await agreed(context, `Lines for ${safe(path)}:\n${lines.replace(/^/gm, '    ')}\nAdd them`))) {
    await context.note(`To have it in every shell, add to ${safe(path)} (or run this again with --yes):\n\n${lines}\n`)
    return
  }
  const before = withoutBlock(textOf(path) ?? '')
  made(dirname(path))
  change(
    path,
    `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${before === '' ? '' : '\n'}${blockOf(lines)}`,
  )
  const what = lines.split('\n').length === 1 ? 'a line' : 'lines'
  await done(context, `Added to ${path}: ${what} between marks, which shipx completion uninstall removes`)
}

const uninstall = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  const { shell, path, startup } = completionPlace(io, shellFor(context, shellOf(io)))
  const text = startup === undefined ? undefined : textOf(startup.path)
  const [there, lined] = [textOf(path) !== undefined, text !== undefined && withoutBlock(text) !== text]
  if (dry)
    return wouldDo(context, `remove completion for ${shell} from ${path}`, {
      remove: there ? path : null,
      remove_lines_from: lined ? startup!.path : null,
    })
  rmSync(path, { force: true })
  await done(context, there ? `Removed ${path}` : `There was no completion for ${shell} in ${path}`)
  if (lined) {
    if (await agreed(context, `Remove the lines of shipx from ${safe(startup!.path)}`)) {
      change(startup!.path, withoutBlock(text!))
      await done(context, `Removed from ${startup!.path}`)
    } else
      await context.note(
        `Lines between marks are still in ${safe(startup!.path)}; they do nothing now. --yes removes them.`,
      )
  }
  await printOne(context, { shell, path, removed: there }, shell)
  return 0
})

/** Whether the user says yes. Where no one can answer, it is a no: the command also works without. */
async function agreed(context: Context, question: string): Promise<boolean> {
  try {
    await confirm(context, question)
    return true
  } catch (error) {
    if (error instanceof ShipxError && (error.code === 'needs_answer' || error.code === 'interrupted')) return false
    throw error
  }
}

function made(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unwritten(folder, error)
  }
}

/** Writes a startup file in its place, also behind a link, and keeps its rights. */
function change(path: string, text: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined) return writeNew(path, text)
  const real = realpathSync(path)
  writeWhole(real, text, true, path)
  try {
    // The temporary file is readable by the user alone.
    if ((there.mode & 0o777) !== 0o600) chmodSync(real, there.mode & 0o777)
  } catch (error) {
    throw unwritten(path, error)
  }
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 })
  } catch (error) {
    throw unwritten(path, error)
  }
}

const unwritten = (path: string, error: unknown): ShipxError =>
  new ShipxError('output_failed', `${safe(path)} could not be written: ${messageOf(error)}`, { cause: error })

export const verbs = { completion: print, 'completion install': install, 'completion uninstall': uninstall }
