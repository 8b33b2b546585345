import type { ProviderAccount } from '@cofre/provider-kit/account'
import { z } from 'zod'
import type { BankSimulator } from '@cofre/provider-kit/bank'
import {
  type PixApiAccess,
  documentSchema,
  readConnection,
  readSettings,
  settingsSchema as pixApiSettings,
  PIX_API_PROFILES,
  type PixApiProfile,
} from '@cofre/pix-api/bank'

export const INTER = 'inter'

/** The scopes of a client: boletos, and the PIX that pays them. */
export const INTER_SCOPES = 'boleto-cobranca.read boleto-cobranca.write pix.read pix.write'

/** Hosts, token and headers of Inter's API Pix. */
export const INTER_PROFILE: PixApiProfile = { ...PIX_API_PROFILES.inter, scope: INTER_SCOPES }

/** The stored settings of an account, without secrets. */
export const interSettingsSchema = pixApiSettings
  .pick({ receiver: true, callsPerMinute: true })
  .extend({
    profile: z.literal(INTER),
    /** As in `x-conta-corrente`: digits without leading zeros. */
    accountNumber: z
      .string()
      .regex(/^[1-9]\d{0,19}$/)
      .optional(),
    /** The payer of the test boletos of `cofre account test`. */
    testPayerDocument: documentSchema.optional(),
  })

/** Below the bank's limit for each kind of call, taken together. */
const CALLS_PER_MINUTE: Readonly<Record<ProviderAccount['kind'], number>> = {
  live: 120,
  test: 10,
  simulator: 120,
}

/** A store's contract with Inter, ready for calls. */
export interface InterAccount extends PixApiAccess {
  readonly receiver: z.output<typeof interSettingsSchema>['receiver']
  readonly callsPerMinute: number
  readonly testPayerDocument?: string | undefined
  /** The API of boletos, `https://…/cobranca/v3`. */
  readonly boletosApi: string
}

/**
 * Parses an account as stored.
 * @throws Error that names fields and no value, for an account that this provider has not made
 */
export function readInterAccount(
  account: ProviderAccount,
  simulator: BankSimulator | undefined,
): InterAccount {
  const settings = readSettings(account, INTER, interSettingsSchema)
  const access = readConnection(account, simulator, INTER_PROFILE)
  return {
    ...access,
    receiver: settings.receiver,
    callsPerMinute: settings.callsPerMinute ?? CALLS_PER_MINUTE[account.kind],
    testPayerDocument: settings.testPayerDocument,
    boletosApi: new URL('/cobranca/v3', access.hosts.api).href,
  }
}
