// A check of `shipx doctor` and how it runs: bounded in time, and without ever throwing.
import { redactor } from '../../../client/redact.ts'
import { ShipxError, messageOf } from '../../../domain/errors.ts'
import { safe } from '../../terminal/safe.ts'
import type { Scene } from './scene.ts'

export type Status = 'ok' | 'warn' | 'fail'

/** The result of a check. */
export interface Finding {
  readonly status: Status
  /** The finding in words, safe or not; it never contains a key. */
  readonly found: string
  /** The one command or action that helps. */
  readonly hint?: string
  /** Fixes the fault without risk and returns what it did; runs under --fix only. */
  readonly repair?: () => string
}

/** One check. Returns undefined when it does not apply. */
export interface Check {
  readonly id: string
  readonly title: string
  readonly look: (scene: Scene, stop: AbortSignal) => Finding | undefined | Promise<Finding | undefined>
}

/** A check as it is printed. */
export interface Checked extends Record<string, unknown> {
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly found: string
  readonly hint: string | null
  /** What --fix changed. */
  readonly fixed: string | null
}

/** How long a check may run, ms. */
export const patience = 5000

const late = Symbol('a check took too long')

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warn = (found: string, hint?: string): Finding => ({
  status: 'warn',
  found,
  ...(hint === undefined ? {} : { hint }),
})
export const fail = (found: string, hint?: string): Finding => ({ ...warn(found, hint), status: 'fail' })

/** An error as a failed check. */
export const failedBy = (error: unknown): Finding =>
  error instanceof ShipxError
    ? fail(
        [error.message, ...(error.code === 'invalid_input' ? [] : error.details.map((fault) => fault.message))].join(
          '; ',
        ),
        error.hint,
      )
    : fail(`the check itself failed: ${messageOf(error)}`)

/** Runs a check, and with `fix` its repair; returns undefined when it does not apply. Never throws. */
export async function carriedOut(check: Check, scene: Scene, fix: boolean): Promise<Checked | undefined> {
  const first = await bounded(check, scene)
  if (first === undefined) return undefined
  if (!fix || first.repair === undefined) return told(check, scene, first, null)
  try {
    const fixed = first.repair()
    return told(check, scene, (await bounded(check, scene)) ?? first, fixed)
  } catch (error) {
    return told(check, scene, failedBy(error), null)
  }
}

async function bounded(check: Check, scene: Scene): Promise<Finding | undefined> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const over = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), patience)
    })
    const found = await Promise.race([Promise.resolve().then(() => check.look(scene, stop.signal)), over])
    return found === late ? fail(`no result within ${patience / 1000} s`) : found
  } catch (error) {
    return failedBy(error)
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

function told({ id, title }: Check, scene: Scene, { status, found, hint }: Finding, fixed: string | null): Checked {
  const clean = redactor(scene.secrets())
  const text = (value: string): string => safe(clean(value))
  return {
    id,
    title,
    status,
    found: text(found),
    hint: hint === undefined ? null : text(hint),
    fixed: fixed === null ? null : text(fixed),
  }
}
