import process from 'node:process'
import type { Config, Role } from '../../config/config.js'
import { OperatorError } from '../../config/errors.js'
import { isLoopback } from '../../config/loopback.js'
import { defaultRoles } from '../../installation/roles.js'
import { banner } from '../../process/banner.js'
import { releaseStartupMemory } from '../../process/startup-memory.js'
import type { TrialOptions } from '../../trial/trial-options.js'
import type { CommandContext } from '../line/command.js'
import { UsageError } from '../line/usage-error.js'

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

type DevOptions = TrialOptions & { readonly example: boolean }

/** `cofre dev` and `cofre serve`: commands that run until they are stopped. */
export const runCommands = {
  async dev({ config, clock }: CommandContext, { example, ...asked }: DevOptions) {
    checkTrialOptions(asked)
    const { readTrial } = await import('../../trial/trial-options.js')
    const opened = config('dev', await readTrial(asked, clock))
    refuseWrongNetwork(opened)
    await run(opened, DEV_ROLES, example ? 'examples' : 'no-examples')
    return undefined
  },
  serve(context: CommandContext, { roles }: { readonly roles?: readonly Role[] }) {
    const config = context.config('serve')
    return run(config, roles ?? defaultRoles(config), 'no-examples')
  },
}

function checkTrialOptions({ host, passwordFile, certificate }: TrialOptions): void {
  if (host === '')
    throw new UsageError('--host is empty: give the address of this machine that others use')
  if (host === undefined && (passwordFile !== undefined || certificate !== undefined))
    throw new UsageError('--password-file and --certificate are for a trial: add --host')
}

/**
 * Without a trial's password, the network would see the console and the store's credentials. A
 * trial on loopback under another name would be useless to others.
 */
function refuseWrongNetwork({ trial, endpoints }: Config): void {
  const { host } = endpoints.api
  if (trial !== undefined && isLoopback(host) && !isOfThisMachine(trial.host))
    throw new OperatorError(
      `--host ${trial.host} resolves to ${host} on this machine, which others cannot reach: give the address that they use, or also set COFRE_HOST=0.0.0.0 to listen on all addresses`,
    )
  if (trial === undefined && !isLoopback(host))
    throw new OperatorError(
      `COFRE_HOST=${host} would open cofre dev to others without a password: unset it, or start a trial with cofre dev --host and the address that they use (docs/deploy.md)`,
    )
}

/** True if a host's name alone shows that it is loopback (RFC 6761). */
function isOfThisMachine(host: string): boolean {
  return isLoopback(host) || host.toLowerCase().endsWith('.localhost')
}

async function run(
  config: Config,
  roles: readonly Role[],
  given: 'examples' | 'no-examples',
): Promise<undefined> {
  const { mode } = config
  // Before the start: a container's first process ignores signals without a handler, and any other
  // process would die.
  const stopAsked = stopSignal()
  // Loaded here, because the other commands don't need the server.
  const { startCofre } = await import('../../process/start.js')
  const { openLog } = await import('../../observability/log.js')
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
  // Unfinished work, such as a silent database connection, would keep the process alive.
  if (!isClean) process.exit(1)
  return undefined
}

/** Resolves at the first Ctrl-C or termination; a second one ends the process immediately. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve()
      })
    }
  })
}
