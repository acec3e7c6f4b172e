// What an import would do with a checked file, in numbers and in words.
import { count, counted } from '../../domain/count.ts'
import { safe } from '../terminal/safe.ts'
import { creating, type Importer, type Target } from './importer.ts'
import type { ImportOptions } from './options.ts'
import type { Checked } from './validate.ts'

/** What shipx would do, in numbers. */
export interface Plan {
  readonly create: number
  readonly update: number
  readonly leave: number
  readonly skip: number
  readonly bad: number
  readonly refused: number
  /** Items that need a request. */
  readonly asked: number
  readonly doing: string
}

/** The deeds of a checked file under a rule. */
export function planOf({ counts }: Checked, { rule }: ImportOptions, { doing } = creating): Plan {
  const { create, unchanged, conflict, bad } = counts
  const update = rule === 'update' ? conflict : 0
  return {
    create,
    update,
    leave: unchanged,
    skip: rule === 'skip' ? conflict : 0,
    refused: rule === 'fail' ? conflict : 0,
    bad,
    asked: create + update,
    doing: create === 0 ? 'Changing' : doing,
  }
}

/** What shipx would do with the good rows, in words; `about` is the forecast for those to create. */
export function deeds<V>(
  { noun, deed = creating }: Importer<V>,
  { where }: Target<V>,
  plan: Plan,
  about: string,
): string {
  const left = plan.skip + plan.refused
  return [
    plan.create === 0 ? '' : `${deed.would} ${counted(plan.create, noun)} ${where}${about}`,
    plan.update === 0
      ? ''
      : `change ${counted(plan.update, ['that differs', 'that differ'])}${plan.create === 0 ? ` ${where}` : ''}`,
    plan.leave === 0 ? '' : `leave ${count(plan.leave)} as ${plan.leave === 1 ? 'it is' : 'they are'}`,
    left === 0 ? '' : `leave out ${count(left)} that ${left === 1 ? 'differs' : 'differ'}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** The question before an import. */
export function question<V>(kind: Importer<V>, target: Target<V>, plan: Plan): string {
  const skip = plan.bad === 0 ? [] : [`skip ${counted(plan.bad, ['bad row', 'bad rows'])}`]
  const about = target.forecast?.()
  const text = [deeds(kind, target, plan, about === undefined ? '' : ` (${about})`), ...skip].join(', ')
  return safe(text.charAt(0).toUpperCase() + text.slice(1))
}
