import { createPayerBlocklist } from '@cofre/operator'
import { isBlockedTestPayer } from '@cofre/sandbox'
import { DATABASES } from '../../installation/databases.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
} from '../line/command.js'

interface PayerOptions extends InEnvironment {
  readonly payer: string
  readonly byProvider?: true
}

/** `cofre block` and `cofre unblock`. They apply to running processes at once. */
export const payerCommands = { block, unblock }

async function block(
  context: CommandContext,
  { payer, environment, byProvider }: PayerOptions,
): Promise<Shown> {
  const config = await gatewayConfig(context, { mayBeFirst: true })
  const reason = byProvider === true ? 'provider' : 'operator'
  await DATABASES[environment].use(config, (database) =>
    createPayerBlocklist(database).block(payer, reason),
  )
  const text = `${payer} may not buy in ${environment}.\n`
  return { data: { payer, environment, blocked: true }, text }
}

async function unblock(
  context: CommandContext,
  { payer, environment }: PayerOptions,
): Promise<Shown> {
  const wasBlocked = await DATABASES[environment].use(await gatewayConfig(context), (database) =>
    createPayerBlocklist(database).unblock(payer),
  )
  const again =
    environment === 'sandbox' && isBlockedTestPayer(payer)
      ? ' Test data: the next start blocks this payer again.'
      : ''
  const text = wasBlocked
    ? `${payer} can buy again in ${environment}.${again}\n`
    : `${payer} was not blocked.\n`
  return { data: { payer, environment, blocked: false }, text }
}
