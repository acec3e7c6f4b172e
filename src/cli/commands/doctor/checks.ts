// Every check of `shipx doctor`, in the order in which they run and print.
import type { Check } from './check.ts'
import { completionChecks } from './completion.ts'
import { databaseChecks } from './database.ts'
import { deploymentChecks } from './deployment.ts'
import { mirrorChecks } from './mirror.ts'
import { programChecks } from './program.ts'
import { settingsChecks } from './settings.ts'
import { terminalChecks } from './terminal.ts'

/** The table of checks. */
export const checks: readonly Check[] = [
  ...programChecks,
  ...settingsChecks,
  ...databaseChecks,
  ...deploymentChecks,
  ...mirrorChecks,
  ...completionChecks,
  ...terminalChecks,
]
