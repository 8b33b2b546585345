import { createPayerBlocklist } from '@cofre/gateway'
import { DATABASES } from '../installation/databases.js'
import { refuseVaultOnly } from '../installation/roles.js'
import {
  type CommandContext,
  type SandboxOption,
  type Shown,
  environmentOf,
  gatewayConfig,
} from './command.js'

interface PayerOptions extends SandboxOption {
  readonly payer: string
  readonly byProvider?: true
}

/** `cofre block` and `cofre unblock`. Running processes apply them at once. */
export const payerCommands = { block, unblock }

async function block(context: CommandContext, options: PayerOptions): Promise<Shown> {
  const { payer } = options
  const environment = environmentOf(options)
  const config = context.config('dev')
  refuseVaultOnly(config)
  const reason = options.byProvider === true ? 'provider' : 'operator'
  await DATABASES[environment].use(config, (database) =>
    createPayerBlocklist(database).block(payer, reason),
  )
  const text = `${payer} may not buy in ${environment}.\n`
  return { data: { payer, environment, blocked: true }, text }
}

async function unblock(context: CommandContext, options: PayerOptions): Promise<Shown> {
  const { payer } = options
  const environment = environmentOf(options)
  const wasBlocked = await DATABASES[environment].use(await gatewayConfig(context), (database) =>
    createPayerBlocklist(database).unblock(payer),
  )
  const text = wasBlocked
    ? `${payer} may buy again in ${environment}.\n`
    : `${payer} was not blocked.\n`
  return { data: { payer, environment, blocked: false }, text }
}
