import { type Environment, isCnpj, isCpf } from '@cofre/contracts'
import { createPayerBlocklist } from '@cofre/gateway'
import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config/config.js'
import { refuseVaultZone } from '../zone.js'
import { openEnvironmentDatabase, refuseMissingGateway } from '../environment-database.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'

/** Puts a payer on the blocklist of an environment, or takes it off. */
interface PayerCommand {
  readonly kind: 'block' | 'unblock'
  /** CPF, CNPJ or e-mail. */
  readonly payer: string
  readonly environment: Environment
  /** The payment provider has blocked the payer. */
  readonly byProvider: boolean
}

interface PayerOptions extends JsonOption {
  readonly sandbox?: true
  readonly byProvider?: true
}

/** `cofre block` and `cofre unblock`. */
export function addPayerCommands(program: Command, context: CommandContext): void {
  const act =
    (kind: PayerCommand['kind']) =>
    async (payer: string, { sandbox, byProvider, ...options }: PayerOptions): Promise<void> => {
      const environment = sandbox === true ? 'sandbox' : 'production'
      const command = { kind, payer, environment, byProvider: byProvider === true } as const
      const hasChanged = await runPayerCommand(context.config('dev'), command)
      const data = { payer, environment, blocked: kind === 'block' }
      printData(context, options, { data, text: sentenceOf(command, hasChanged) })
    }
  program
    .command('block')
    .description('Refuses a payer: a CPF, CNPJ or e-mail (210603; with --by-provider 210604).')
    .argument('<payer>', 'A valid CPF or CNPJ, or an e-mail', readPayer)
    .option('--sandbox', 'In the sandbox (production otherwise)')
    .option('--by-provider', 'The payment provider has blocked the payer')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample\n  cofre block 529.982.247-25 --sandbox\n')
    .action(act('block'))
  program
    .command('unblock')
    .description('Lets a payer buy again.')
    .argument('<payer>', 'A valid CPF or CNPJ, or an e-mail', readPayer)
    .option('--sandbox', 'In the sandbox (production otherwise)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample\n  cofre unblock maria@example.com\n')
    .action(act('unblock'))
}

function readPayer(text: string): string {
  if (isPayer(text)) return text
  throw new InvalidArgumentError('A payer is a valid CPF or CNPJ, or an e-mail.')
}

/** Whether a text can be the payer of a purchase, so that nobody believes a mistyped one to be blocked. */
export function isPayer(text: string): boolean {
  const document = text.trim().replaceAll(/[./-]/g, '')
  return isCpf(document) || isCnpj(document) || /^\s*[A-Za-z0-9+._-]+@[A-Za-z0-9.-]+\s*$/.test(text)
}

function sentenceOf({ kind, payer, environment }: PayerCommand, hasChanged: boolean): string {
  if (kind === 'block') return `${payer} may not buy in ${environment}.\n`
  return hasChanged ? `${payer} may buy again in ${environment}.\n` : `${payer} was not blocked.\n`
}

/** Carries out the command; running processes heed it at once. Returns whether there was anything to do. */
async function runPayerCommand(config: Config, command: PayerCommand): Promise<boolean> {
  const { kind, payer, environment, byProvider } = command
  refuseVaultZone(config)
  if (kind === 'unblock') await refuseMissingGateway(config)
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const blocklist = createPayerBlocklist(database)
    if (kind === 'block') {
      await blocklist.block(payer, byProvider ? 'provider' : 'operator')
      return true
    }
    return await blocklist.unblock(payer)
  } finally {
    await database.close()
  }
}
