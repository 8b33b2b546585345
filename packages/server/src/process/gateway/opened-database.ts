import type { AccountTables } from '@cofre/provider-kit/account'
import type { Database } from '@cofre/sql'
import type { Config } from '../../config/config.js'
import type { ConfiguredDatabase } from '../../installation/databases.js'
import { separateTrial } from '../../trial/trial-mark.js'
import type { ProcessParts } from '../parts.js'

/** Opens a database with accounts, which is closed with the process. @throws SetupError */
export async function openForService<Opened extends Database<AccountTables>>(
  parts: ProcessParts,
  database: Pick<ConfiguredDatabase, 'variable'> & { open(config: Config): Promise<Opened> },
): Promise<Opened> {
  const opened = await database.open(parts.config)
  parts.closings.push(() => opened.close())
  await separateTrial(parts, database, opened)
  return opened
}
