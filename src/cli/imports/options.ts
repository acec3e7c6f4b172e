// The options of an import, from its flags.
import { invalid, type Fault } from '../../domain/errors.ts'
import { notOneOf } from '../../domain/values.ts'
import { paceFrom } from '../args/pace.ts'
import type { Context } from '../command/context.ts'
import { missingArgument, refuse } from '../command/faults.ts'
import { list, text } from '../command/flags.ts'
import type { Rule } from './importer.ts'

/** The options of one import. */
export interface ImportOptions {
  readonly path: string
  readonly map: readonly string[]
  readonly rule: Rule
  readonly concurrency: number
  readonly max_rps: number | undefined
  readonly dry: boolean
  readonly force: boolean
}

const rules = ['fail', 'skip', 'update'] as const satisfies readonly Rule[]

/** Reads them. Throws `invalid_input` with every fault. */
export function importOptions(context: Context): ImportOptions {
  const { flags, args } = context
  const faults: Fault[] = []
  const path = args[0]
  if (path === undefined || path === '') faults.push(missingArgument(context, 'file'))
  const rule = text(flags, 'on-conflict') ?? 'fail'
  if (!(rules as readonly string[]).includes(rule))
    faults.push({ field: '--on-conflict', message: notOneOf(rule, rules, 'rule') })
  const pace = paceFrom(flags)
  faults.push(...pace.faults)
  refuse(context, faults)
  if (path === undefined) throw invalid(faults)
  return {
    path,
    map: list(flags, 'map') ?? [],
    rule: rule as Rule,
    concurrency: pace.value.concurrency,
    max_rps: pace.value.per_second,
    dry: flags.has('dry-run'),
    force: flags.has('force'),
  }
}
