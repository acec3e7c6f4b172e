// The module for SQLite that tests open files with: what a program of this run would choose. `SHIPX_SQLITE=node` is Node's own
// (CONTRIBUTING.md, Tests).
import { sqliteDriver } from '../../src/engine/database/sqlitechoice.ts'

export const driver = sqliteDriver(process)
