#!/usr/bin/env node
import process from 'node:process'
import { parseArgs } from 'node:util'
import { banner } from './banner.js'
import { type Config, type Role, ROLES, readConfig } from './config/config.js'
import { ConfigError } from './config/variable.js'
import { startCofre } from './compose.js'
import { KeyRingError } from '@cofre/vault'
import { ListenError } from './http/listen.js'
import { type PayerCommand, isPayer, runPayerCommand } from './payer-command.js'
import { SetupError } from './setup-error.js'
import { openLog } from './process-log.js'

const HELP = `Usage: cofre <command> [options]

Commands
  dev                      Everything in one process on loopback, with a test store, the test panel and the demo shop
  serve [--roles LIST]     The roles in LIST, separated by commas (default: api,sandbox,vault,worker)
  block PAYER              Refuse a payer: a CPF, CNPJ or e-mail (210603; with --by-provider 210604)
  unblock PAYER            Let the payer buy again

Options of block and unblock: --sandbox (production otherwise), --by-provider
Roles: ${ROLES.join(', ')}
Configuration is read from COFRE_* environment variables; see README.md.

Examples
  cofre dev
  COFRE_ACQUIRER=sandbox cofre serve --roles api,vault,worker
  cofre block 529.982.247-25 --sandbox
`

/** A command line that cannot be understood. */
class UsageError extends Error {}

/** Runs roles until stopped. */
interface RunCommand {
  readonly kind: 'run'
  readonly mode: Config['mode']
  readonly roles: readonly Role[]
}

type Command = RunCommand | PayerCommand | { readonly kind: 'help' }

function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      roles: { type: 'string' },
      sandbox: { type: 'boolean', default: false },
      'by-provider': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [name, ...rest] = positionals
  if (values.help || name === undefined || name === 'help') return { kind: 'help' }
  if (name === 'block' || name === 'unblock') {
    return {
      kind: name,
      payer: onlyArgument(name, rest),
      environment: values.sandbox ? 'sandbox' : 'production',
      byProvider: values['by-provider'],
    }
  }
  if (rest.length > 0) throw new UsageError(`unexpected argument: ${rest.join(' ')}`)
  switch (name) {
    case 'dev':
      if (values.roles !== undefined) throw new UsageError('dev runs every role: use serve --roles')
      return {
        kind: 'run',
        mode: 'dev',
        roles: ['vault', 'api', 'sandbox', 'panel', 'demo', 'worker'],
      }
    case 'serve': {
      const roles = readRoles(values.roles ?? 'api,sandbox,vault,worker')
      return { kind: 'run', mode: 'serve', roles }
    }
    default:
      throw new UsageError(`unknown command: ${name}`)
  }
}

function onlyArgument(command: string, args: readonly string[]): string {
  const [payer, ...rest] = args
  if (payer === undefined || rest.length > 0 || !isPayer(payer)) {
    throw new UsageError(`${command} takes one payer: a valid CPF or CNPJ, or an e-mail`)
  }
  return payer
}

function readRoles(list: string): Role[] {
  return list.split(',').map((text) => {
    const role = ROLES.find((known) => known === text.trim())
    if (role === undefined || role === 'demo') {
      throw new UsageError(
        `unknown role: ${text} (one or more of api, sandbox, vault, panel, worker)`,
      )
    }
    return role
  })
}

async function run({ mode, roles }: RunCommand): Promise<void> {
  const config = readConfig(process.env, mode)
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

/** Errors of ours whose message says what to mend. */
const EXPECTED: readonly (new (...args: never[]) => Error)[] = [
  ConfigError,
  ListenError,
  SetupError,
  UsageError,
  KeyRingError,
]

/** A sentence for what the operator can mend; everything for what only we can. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `cofre: ${String(error)}`
  if (EXPECTED.some((kind) => error instanceof kind)) return `cofre: ${error.message}`
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('ERR_PARSE_ARGS') === true)
    return `cofre: ${error.message} (see cofre --help)`
  return `cofre: ${error.stack ?? error.message}`
}

async function carryOut(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP)
      return
    case 'run':
      await run(command)
      return
    case 'block':
    case 'unblock':
      process.stdout.write(await runPayerCommand(readConfig(process.env, 'dev'), command))
  }
}

// Databases, keys and logs are for this user alone.
process.umask(0o077)
try {
  await carryOut(readCommand(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = 1
}
