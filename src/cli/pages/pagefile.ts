// The files of HTML pages: a newer page replaces an older one of its kind, and no other file.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { openWhole, type WholeFile } from '../files/userfiles.ts'

/** A command that makes pages. */
export type PageCommand = 'report' | 'reconcile invoice'

/** The mark in the head of the pages of a command. */
export const markOf = (command: PageCommand): string => `<meta name="generator" content="shipx ${command}" />`

/**
 * Opens the file of `--out` for a page. A page of this command is replaced; any other file is `invalid_input` without
 * `force`. Throws `output_failed` too.
 */
export const openPage = (path: string, command: PageCommand, force: boolean): WholeFile =>
  openWhole(path, force || isPage(path, markOf(command)), '--out')

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
