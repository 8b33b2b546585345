import { type Environment, isCnpj, isCpf } from '@cofre/contracts'
import { createPayerBlocklist } from '@cofre/gateway'
import type { Config } from './config/config.js'
import { openEnvironmentDatabase } from './environment-database.js'

/** Puts a payer on the blocklist of an environment, or takes it off. */
export interface PayerCommand {
  readonly kind: 'block' | 'unblock'
  /** CPF, CNPJ or e-mail. */
  readonly payer: string
  readonly environment: Environment
  /** The payment provider has blocked the payer. */
  readonly byProvider: boolean
}

/** Whether a text can be the payer of a purchase, so that nobody believes a mistyped one to be blocked. */
export function isPayer(text: string): boolean {
  const document = text.trim().replaceAll(/[./-]/g, '')
  return isCpf(document) || isCnpj(document) || /^\s*[A-Za-z0-9+._-]+@[A-Za-z0-9.-]+\s*$/.test(text)
}

/** Carries out the command; running processes heed it at once. Returns what to print. */
export async function runPayerCommand(config: Config, command: PayerCommand): Promise<string> {
  const { kind, payer, environment, byProvider } = command
  const database = await openEnvironmentDatabase(config, environment)
  try {
    const blocklist = createPayerBlocklist(database)
    if (kind === 'block') {
      await blocklist.block(payer, byProvider ? 'provider' : 'operator')
      return `${payer} may not buy in ${environment}.\n`
    }
    const wasBlocked = await blocklist.unblock(payer)
    return wasBlocked
      ? `${payer} may buy again in ${environment}.\n`
      : `${payer} was not blocked.\n`
  } finally {
    await database.close()
  }
}
