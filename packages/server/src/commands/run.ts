import process from 'node:process'
import type { Command } from 'commander'
import type { Config, Role } from '../config/config.js'
import { ALL_IN_ONE, defaultRoles } from '../installation/roles.js'
import { openLog } from '../observability/log.js'
import { banner } from '../process/banner.js'
import { startCofre } from '../process/start.js'
import { releaseStartupMemory } from '../process/startup-memory.js'
import { type CommandContext, rolesOption } from './command.js'

const DEV_ROLES: readonly Role[] = ['vault', 'api', 'sandbox', 'panel', 'demo', 'worker', 'metrics']

/** `cofre dev` and `cofre serve`: the commands that run until they are stopped. */
export function addRunCommands(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .summary('Everything in one process on loopback, with a test store and the demo shop')
    .description(
      'Runs everything in one process on loopback, with a test store and the demo shop, and prints where each thing is. No money moves: the sandbox plays the bank.',
    )
    .action(() => run(context.config('dev'), DEV_ROLES))
  program
    .command('serve')
    .summary('The roles that are named, for service')
    .description(
      'Runs the roles that are named in this process, and writes its log to the output. Without --roles it opens no vault where COFRE_VAULT_SERVICE_URL says that the vault is elsewhere.',
    )
    .addOption(rolesOption(ALL_IN_ONE.join(',')))
    .addHelpText('after', EXAMPLES)
    .action(({ roles }: { readonly roles?: readonly Role[] }) => {
      const config = context.config('serve')
      return run(config, roles ?? defaultRoles(config))
    })
}

async function run(config: Config, roles: readonly Role[]): Promise<void> {
  const { mode } = config
  // Before the start: as a container's first process it would not hear a signal that nothing handles, and otherwise die of it.
  const stopAsked = stopSignal()
  const log = openLog(config)
  for (const sentence of config.misspelt) log.warn({}, sentence)
  const running = await startCofre(config, roles, log)
  releaseStartupMemory()
  if (mode === 'dev') process.stdout.write(banner(config))
  await stopAsked
  log.info({}, 'stopping')
  const isClean = await running.close()
  if (mode === 'dev') process.stdout.write('\nCofre has stopped.\n')
  // Whatever did not end, like a connection to a database that is silent, would hold the process.
  if (!isClean) process.exit(1)
}

/** Resolves at the first Ctrl-C or termination, also of a start that is then finished; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve()
      })
    }
  })
}

const EXAMPLES = `
Examples
  COFRE_ACQUIRER=sandbox cofre serve
  COFRE_ACQUIRER=sandbox cofre serve --roles api,vault,worker,metrics
`
