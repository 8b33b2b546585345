import process from 'node:process'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { banner } from '../banner.js'
import { startCofre } from '../compose.js'
import { type Config, type Role, ROLES } from '../config/config.js'
import { openLog } from '../process-log.js'
import type { CommandContext } from './command-context.js'

/** What `cofre serve` may be asked for: the demo shop is for development alone. */
const SERVED_ROLES = ROLES.filter((role) => role !== 'demo')
const DEFAULT_ROLES: readonly Role[] = ['api', 'sandbox', 'vault', 'worker']
const DEV_ROLES: readonly Role[] = ['vault', 'api', 'sandbox', 'panel', 'demo', 'worker']

/** `cofre dev` and `cofre serve`: the commands that run until they are stopped. */
export function addRunCommands(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .summary(
      'Everything in one process on loopback, with a test store, the test panel and the demo shop',
    )
    .description(
      'Runs everything in one process on loopback, with a test store, the test panel and the demo shop, and prints where each thing is. No money moves: the sandbox plays the bank.',
    )
    .action(() => run(context.config('dev'), DEV_ROLES))
  program
    .command('serve')
    .summary('The roles that are named, for service')
    .description('Runs the roles that are named in this process, and writes its log to the output.')
    .addOption(
      new Option('--roles <list>', `Roles, separated by commas: ${SERVED_ROLES.join(', ')}`)
        .argParser(readRoles)
        .default(DEFAULT_ROLES, DEFAULT_ROLES.join(',')),
    )
    .addHelpText(
      'after',
      `
Examples
  COFRE_ACQUIRER=sandbox cofre serve
  COFRE_ACQUIRER=sandbox cofre serve --roles api,vault,worker
`,
    )
    .action(({ roles }: { roles: readonly Role[] }) => run(context.config('serve'), roles))
}

function readRoles(list: string): readonly Role[] {
  return list.split(',').map((text) => {
    const role = SERVED_ROLES.find((known) => known === text.trim())
    if (role !== undefined) return role
    throw new InvalidArgumentError(
      `There is no role ${text}: one or more of ${SERVED_ROLES.join(', ')}.`,
    )
  })
}

async function run(config: Config, roles: readonly Role[]): Promise<void> {
  const { mode } = config
  const log = openLog(config)
  const running = await startCofre(config, roles, log)
  if (mode === 'dev') process.stdout.write(banner(config))
  await stopSignal()
  log.info({}, 'stopping')
  await running.close()
  if (mode === 'dev') process.stdout.write('\nCofre has stopped.\n')
}

/** Resolves at the first Ctrl-C or termination; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve()
      })
    }
  })
}
