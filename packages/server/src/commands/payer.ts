import { isCnpj, isCpf } from '@cofre/contracts'
import { type PayerBlocklist, createPayerBlocklist } from '@cofre/gateway'
import type { Command } from 'commander'
import { DATABASES } from '../installation/databases.js'
import { refuseVaultOnly } from '../installation/roles.js'
import {
  type CommandContext,
  SANDBOX_OPTION,
  type SandboxOption,
  environmentOf,
  gatewayConfig,
  reads,
  shows,
} from './command.js'

interface BlockOptions extends SandboxOption {
  readonly byProvider?: true
}

/** `cofre block` and `cofre unblock`. Running processes apply them at once. */
export function addPayerCommands(program: Command, context: CommandContext): void {
  const command = (name: string, description: string, example: string): Command =>
    program
      .command(name)
      .description(description)
      .argument('<payer>', 'A valid CPF or CNPJ, or an e-mail', readPayer)
      .option(...SANDBOX_OPTION)
      .addHelpText('after', `\nExample\n  cofre ${name} ${example}\n`)
  const block = command(
    'block',
    'Refuses a payer: a CPF, CNPJ or e-mail (210603; with --by-provider 210604).',
    '529.982.247-25 --sandbox',
  ).option('--by-provider', 'The payment provider has blocked the payer')
  shows(block, context, async (payer: string, options: BlockOptions) => {
    const environment = environmentOf(options)
    const config = context.config('dev')
    refuseVaultOnly(config)
    await DATABASES[environment].use(config, async (database) => {
      const blocklist: PayerBlocklist = createPayerBlocklist(database)
      await blocklist.block(payer, options.byProvider === true ? 'provider' : 'operator')
    })
    const data = { payer, environment, blocked: true }
    return { data, text: `${payer} may not buy in ${environment}.\n` }
  })
  const unblock = command('unblock', 'Lets a payer buy again.', 'maria@example.com')
  shows(unblock, context, async (payer: string, options: SandboxOption) => {
    const environment = environmentOf(options)
    const wasBlocked = await DATABASES[environment].use(await gatewayConfig(context), (database) =>
      createPayerBlocklist(database).unblock(payer),
    )
    const text = wasBlocked
      ? `${payer} may buy again in ${environment}.\n`
      : `${payer} was not blocked.\n`
    return { data: { payer, environment, blocked: false }, text }
  })
}

const readPayer = reads('A payer is a valid CPF or CNPJ, or an e-mail.', (text) =>
  isPayer(text) ? text : undefined,
)

/** Whether a text can be the payer of a purchase, so that nobody believes a mistyped one to be blocked. */
export function isPayer(text: string): boolean {
  const document = text.trim().replaceAll(/[./-]/g, '')
  return isCpf(document) || isCnpj(document) || /^\s*[A-Za-z0-9+._-]+@[A-Za-z0-9.-]+\s*$/.test(text)
}
