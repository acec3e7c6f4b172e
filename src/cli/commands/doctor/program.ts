// Checks of the program itself: Node, shipx, the module for SQLite and its version.
import { sqliteChoice, sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { installation } from '../../../engine/database/nativeplace.ts'
import { sqliteVersion } from '../../../engine/database/sqlite.ts'
import { leastSqlite, olderSqlite } from '../../../engine/database/sqliteversion.ts'
import { installed } from '../../source/packagefiles.ts'
import { fail, failedBy, ok, warn, type Check, type Finding } from './check.ts'
import type { Scene } from './scene.ts'

const node: Check = {
  id: 'node',
  title: 'Node',
  look: () => {
    const { node: version } = process.versions
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const fits = major > 20 || (major === 20 && minor >= 19)
    return fits ? ok(version) : fail(`${version} is older than 20.19`, 'install Node 20.19 or newer')
  },
}

const shipx: Check = { id: 'shipx', title: 'shipx', look: () => ok(installed().version) }

const native: Check = {
  id: 'native_module',
  title: 'SQLite module',
  look: (scene) => {
    try {
      const { name, instead, driver } = sqliteChoice(process)
      sqliteVersion(driver)
      return ok(instead === undefined ? `${name} loads` : `${name}, since ${instead}`)
    } catch (error) {
      return lenient(embedded(scene), failedBy(error))
    }
  },
}

const sqlite: Check = {
  id: 'sqlite',
  title: 'SQLite',
  look: (scene) => {
    let version: string
    try {
      version = sqliteVersion(sqliteDriver(process))
    } catch {
      // The check of the module has reported it.
      return undefined
    }
    if (!olderSqlite(version)) return ok(version)
    return lenient(
      embedded(scene),
      fail(`${version} is older than ${leastSqlite}, the first that keeps shared databases safe`, installation()),
    )
  },
}

/** Whether the embedded engine answers; true when that is unknown. */
function embedded(scene: Scene): boolean {
  const deployment = scene.deployment()
  return 'error' in deployment || deployment.value === undefined
}

/** A user of a deployment can work without SQLite. */
const lenient = (needed: boolean, finding: Finding): Finding =>
  needed ? finding : warn(`${finding.found} (needed only for mirrors and data on this computer)`, finding.hint)

export const programChecks: readonly Check[] = [node, shipx, native, sqlite]
