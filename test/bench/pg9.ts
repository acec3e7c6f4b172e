// P9 on PostgreSQL: the same service and the same load, on a server's database.
import { serving } from './p9.ts'
import { postgresData } from './pgdata.ts'
import type { Figure } from './report.ts'
import type { Setup } from './setup.ts'

export async function pg9(setup: Setup): Promise<readonly Figure[]> {
  const data = await postgresData(setup)
  try {
    return await serving(setup, data.url, 'PostgreSQL, ')
  } finally {
    await data.server.close()
  }
}
