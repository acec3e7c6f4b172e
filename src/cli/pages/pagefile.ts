// The files of HTML pages: a newer page replaces an older one of its kind, and no other file.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import type { Context } from '../command/context.ts'
import { wholeLater } from '../files/userfiles.ts'

/** A command that makes pages. */
export type PageCommand = 'report' | 'reconcile invoice'

/** The mark in the head of the pages of a command. */
export const markOf = (command: PageCommand): string => `<meta name="generator" content="shipx ${command}" />`

/**
 * Looks at the place of `--out` for a page, and returns what writes the page there. A page of this command is replaced;
 * any other file is `invalid_input` without `force`. Both throw `output_failed` too.
 */
export const pageWriter = (
  context: Pick<Context, 'io'>,
  path: string,
  command: PageCommand,
  force: boolean,
): ((page: string) => void) => wholeLater(context, path, force || isPage(path, markOf(command)), '--out')

/** Whether a file has a mark in its head. */
function isPage(path: string, mark: string): boolean {
  if (!existsSync(path)) return false
  const head = Buffer.alloc(400)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return false
  }
  try {
    return head.toString('utf8', 0, readSync(file, head)).includes(mark)
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}
