import process from 'node:process'
import type { Config, Role } from '../config/config.js'
import { defaultRoles } from '../installation/roles.js'
import { banner } from '../process/banner.js'
import { releaseStartupMemory } from '../process/startup-memory.js'
import type { CommandContext } from './command.js'

const DEV_ROLES: readonly Role[] = [
  'vault',
  'api',
  'sandbox',
  'panel',
  'demo',
  'worker',
  'metrics',
  'notices',
]

/** `cofre dev` and `cofre serve`: the commands that run until they are stopped. */
export const runCommands = {
  dev: ({ config }: CommandContext, { example }: { readonly example: boolean }) =>
    run(config('dev'), DEV_ROLES, example ? 'examples' : 'no-examples'),
  serve(context: CommandContext, { roles }: { readonly roles?: readonly Role[] }) {
    const config = context.config('serve')
    return run(config, roles ?? defaultRoles(config), 'no-examples')
  },
}

async function run(
  config: Config,
  roles: readonly Role[],
  given: 'examples' | 'no-examples',
): Promise<undefined> {
  const { mode } = config
  // Before the start: as a container's first process it would not hear a signal that nothing
  // handles, and otherwise die of it.
  const stopAsked = stopSignal()
  // The other commands do without what serves.
  const { startCofre } = await import('../process/start.js')
  const { openLog } = await import('../observability/log.js')
  const log = openLog(config)
  for (const sentence of config.misspelt) log.warn({}, sentence)
  const running = await startCofre(config, roles, log)
  releaseStartupMemory()
  const hasExamples = given === 'examples' && (await running.giveExamples())
  const { ownerLink } = running
  if (mode === 'dev') process.stdout.write(banner(config, { ownerLink, hasExamples }))
  await stopAsked
  log.info({}, 'stopping')
  const isClean = await running.close()
  if (mode === 'dev') process.stdout.write('\nCofre has stopped.\n')
  // Whatever did not end, like a connection to a database that is silent, would hold the process.
  if (!isClean) process.exit(1)
  return undefined
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
