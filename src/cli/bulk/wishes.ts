// What the flags of an import ask for; knows no kind of thing and no file.
import { invalid, type Fault } from '../../domain/errors.ts'
import { notOneOf } from '../../domain/values.ts'
import { missingArgument, refuse, type Context } from '../context.ts'
import { list, text } from '../flags.ts'
import type { Rule } from './kind.ts'

/** The wishes of one import. */
export interface Wishes {
  readonly path: string
  readonly map: readonly string[]
  readonly rule: Rule
  readonly concurrency: number
  readonly max_rps: number | undefined
  readonly dry: boolean
  readonly force: boolean
}

const rules = ['fail', 'skip', 'update'] as const satisfies readonly Rule[]

const mostAtOnce = 64

/** Reads them. Throws `invalid_input` with every fault. */
export function wishesOf(context: Context): Wishes {
  const { flags, args } = context
  const faults: Fault[] = []
  const path = args[0]
  if (path === undefined || path === '') faults.push(missingArgument(context, 'file'))
  const rule = text(flags, 'on-conflict') ?? 'fail'
  if (!(rules as readonly string[]).includes(rule))
    faults.push({ field: '--on-conflict', message: notOneOf(rule, rules, 'rule') })
  const concurrency = text(flags, 'concurrency') ?? '4'
  if (!/^\d{1,3}$/.test(concurrency) || Number(concurrency) < 1 || Number(concurrency) > mostAtOnce)
    faults.push({ field: '--concurrency', message: `"${concurrency.slice(0, 20)}" is not a whole number from 1 to ${mostAtOnce}` }) // prettier-ignore
  const max_rps = text(flags, 'max-rps')
  if (max_rps !== undefined && !(/^\d{1,5}(\.\d{1,3})?$/.test(max_rps) && Number(max_rps) > 0))
    faults.push({ field: '--max-rps', message: `"${max_rps.slice(0, 20)}" is not a number of requests a second above 0` }) // prettier-ignore
  refuse(context, faults)
  if (path === undefined) throw invalid(faults)
  return {
    path,
    map: list(flags, 'map') ?? [],
    rule: rule as Rule,
    concurrency: Number(concurrency),
    max_rps: max_rps === undefined ? undefined : Number(max_rps),
    dry: flags.has('dry-run'),
    force: flags.has('force'),
  }
}
