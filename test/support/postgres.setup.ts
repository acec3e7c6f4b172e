// Starts one PostgreSQL for all tests of the run, or takes the one that SHIPX_TEST_DATABASE_URL names.
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgresserver.ts'
import { dropDatabases, templateFor, type PostgresRun } from './testdatabase.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SHIPX_TEST_DATABASE_URL']
  const server = given === undefined || given === '' ? await startPostgres() : undefined
  const run: PostgresRun = {
    url: server?.url() ?? given!,
    prefix: `shipx_test_${randomBytes(6).toString('hex')}`,
  }
  await templateFor(run)
  project.provide('postgres', run)
  return () => server?.close() ?? dropDatabases(run)
}
