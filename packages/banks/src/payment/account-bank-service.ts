import { PROVIDER_TIMEOUT_MS, askWithin, reasonOf, unanswered } from '@cofre/work'
import { type Answer, ApiError, type Environment } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import type { BoletoBank, AccountBank, BankOfAccount, PixBank } from '@cofre/provider-kit/bank'
import { type AroundCall, aroundCalls } from '../model/bank-calls.js'
import type { AccountStore } from './ports.js'
import type { BankCharge, ChargeMethod, PaymentRails } from '@cofre/gateway/method'
import { chargeKindOf } from '../model/charge-kind.js'
import { type ChargeBank, chargesOfBoletos, chargesOfPix } from './charge-bank.js'

/** Banks that answer in bounded time: a lost or failed call is an unknown answer. */
export function boundedBanks(
  bankOf: BankOfAccount,
  timeoutMs = PROVIDER_TIMEOUT_MS,
): BankOfAccount {
  const ask: AroundCall = (_, call) => askWithin(timeoutMs, call, unanswered)
  return async (account) => aroundCalls(await bankOf(account), ask)
}

/** Why a bank has not fulfilled a request. */
export function detailOf(answer: Answer<unknown>): string {
  return 'detail' in answer ? answer.detail : answer.kind
}

/** The banks of stores' accounts. Charges of a disabled account stay at its bank. */
export interface AccountBanks {
  /** True if payments at banks are possible at all. */
  readonly arePresent: boolean
  /**
   * The accounts that are asked for a store's new charges, in order. Empty if the bank is
   * simulated.
   * @throws ApiError unavailable_payment_method when real money has no account
   */
  readonly routeOf: (merchantId: string, method: ChargeMethod) => Promise<readonly string[]>
  /** @throws Error when the account cannot be used for PIX */
  readonly pix: (accountId: string) => Promise<PixBank>
  /** @throws Error when the account cannot be used for boletos */
  readonly boletos: (accountId: string) => Promise<BoletoBank>
  /**
   * The bank that has a charge, by either method.
   * @throws Error when the account cannot be used
   */
  readonly of: (charge: Pick<BankCharge, 'accountId' | 'method'>) => Promise<ChargeBank>
}

interface AccountBankDeps {
  readonly environment: Environment
  readonly rails: Pick<PaymentRails, 'opens'>
  readonly bankOf?: BankOfAccount | undefined
  readonly accounts: Pick<AccountStore, 'enabledRoute' | 'find'>
}

export function createAccountBanks(deps: AccountBankDeps): AccountBanks {
  const pix = (accountId: string) => bankFor(deps, accountId, 'pix')
  const boletos = (accountId: string) => bankFor(deps, accountId, 'boleto')
  return {
    arePresent: deps.bankOf !== undefined,
    routeOf: (merchantId, method) => routeOf(deps, merchantId, method),
    pix,
    boletos,
    of: async ({ accountId, method }) =>
      method === 'pix'
        ? chargesOfPix(await pix(accountId))
        : chargesOfBoletos(await boletos(accountId)),
  }
}

async function routeOf(
  { accounts, bankOf, environment, rails }: AccountBankDeps,
  merchantId: string,
  method: ChargeMethod,
): Promise<readonly string[]> {
  if (bankOf === undefined) return []
  const ids = await accounts.enabledRoute({ merchantId, method })
  const { isSimulatedWithoutAccount, type } = chargeKindOf({ method })
  const isSimulated = isSimulatedWithoutAccount && rails.opens(type)
  if (ids.length === 0 && environment === 'production' && !isSimulated)
    throw new ApiError([{ name: 'unavailable_payment_method', cause: 'no-account' }])
  return ids
}

/** @throws Error when there is no such account, or it cannot be used for that method */
async function bankFor<Method extends ChargeMethod>(
  { accounts, bankOf }: AccountBankDeps,
  accountId: string,
  method: Method,
): Promise<NonNullable<AccountBank[Method]>> {
  const account = await accounts.find(accountId)
  if (account === undefined || bankOf === undefined)
    throw new Error(`the account ${accountId} is not here`)
  const bank = (await bankOf(account))[method]
  if (bank === undefined)
    throw new Error(`the account ${accountId} takes no ${METHOD_NAMES[method]}`)
  return bank
}

const METHOD_NAMES = { pix: 'PIX', boleto: 'boletos' } as const

/** The bank of an account, or the reason why the account's credentials cannot be decrypted. */
export async function usableBank<Bank extends object>(bank: Promise<Bank>): Promise<Bank | string> {
  try {
    return await bank
  } catch (error) {
    if (isUnavailable(error)) throw error
    return reasonOf(error)
  }
}
