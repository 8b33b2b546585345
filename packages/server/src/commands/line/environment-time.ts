import { createSqlTestClockStore } from '@cofre/sandbox'
import type { Config } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import type { CommandContext, InEnvironment } from './command.js'

/** Current time of an environment: the sandbox's clock may be ahead of the machine's. */
export async function environmentNowMs(
  { clock }: Pick<CommandContext, 'clock'>,
  config: Config,
  { environment }: InEnvironment,
): Promise<number> {
  if (environment === 'production') return clock.now()
  return await DATABASES.bank.use(
    config,
    async (bank) => clock.now() + (await createSqlTestClockStore(bank).offsetMs()),
  )
}
