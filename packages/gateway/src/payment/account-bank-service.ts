import { PROVIDER_TIMEOUT_MS, askWithin, reasonOf, unanswered } from '@cofre/work'
import { type Answer, ApiError } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import type { BoletoBank } from '../model/payment-rail/boleto-bank.js'
import type { AccountBank, BankOfAccount } from '../model/payment-rail/account-bank.js'
import { type AroundCall, aroundCalls } from '../model/payment-rail/bank-calls.js'
import type { BankCharge, ChargeMethod } from '../model/payment-rail/bank-charge.js'
import { chargeKindOf } from '../model/payment-rail/charge-kind.js'
import type { PixBank } from '../model/payment-rail/pix-bank.js'
import { type ChargeBank, chargesOfBoletos, chargesOfPix } from './charge-bank.js'
import type { MethodDeps } from './gateway-deps.js'

/** Banks that answer in bounded time: what is lost or fails is an unknown answer. */
export function boundedBanks(
  bankOf: BankOfAccount,
  timeoutMs = PROVIDER_TIMEOUT_MS,
): BankOfAccount {
  const ask: AroundCall = (_, call) => askWithin(timeoutMs, call, unanswered)
  return async (account) => aroundCalls(await bankOf(account), ask)
}

/** Why a bank has not done what it was asked for. */
export function detailOf(answer: Answer<unknown>): string {
  return 'detail' in answer ? answer.detail : answer.kind
}

/**
 * The accounts that are asked for a store's new charges, in their order. None where the payment
 * rails play the bank.
 * @throws ApiError unavailable_payment_method when real money has no account
 */
export async function accountsOf(
  { accounts, bankOf, environment, rails }: MethodDeps,
  merchantId: string,
  method: ChargeMethod,
): Promise<readonly string[]> {
  if (bankOf === undefined) return []
  const ids = await accounts.enabledRoute({ merchantId, method })
  // Where the rails play boletos, a store needs no account.
  const { isSimulatedWithoutAccount, type } = chargeKindOf({ method })
  const isPlayed = isSimulatedWithoutAccount && rails.opens(type)
  if (ids.length === 0 && environment === 'production' && !isPlayed)
    throw new ApiError([{ name: 'unavailable_payment_method', cause: 'no-account' }])
  return ids
}

/**
 * What the bank of an account does, which may be disabled by now.
 * @throws Error when there is no such account, its credentials do not open, or it takes none of
 * that method
 */
async function bankFor<Method extends ChargeMethod>(
  { accounts, bankOf }: MethodDeps,
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

/** @throws Error when the account cannot be used for PIX */
export function pixBankOf(deps: MethodDeps, accountId: string): Promise<PixBank> {
  return bankFor(deps, accountId, 'pix')
}

/** @throws Error when the account cannot be used for boletos */
export function boletoBankOf(deps: MethodDeps, accountId: string): Promise<BoletoBank> {
  return bankFor(deps, accountId, 'boleto')
}

/**
 * Who has a charge, whatever its method.
 * @throws Error when the account cannot be used
 */
export async function chargeBankOf(
  deps: MethodDeps,
  { accountId, method }: Pick<BankCharge, 'accountId' | 'method'>,
): Promise<ChargeBank> {
  return method === 'pix'
    ? chargesOfPix(await pixBankOf(deps, accountId))
    : chargesOfBoletos(await boletoBankOf(deps, accountId))
}

/** The bank of an account; why there is none, where the account's credentials do not open. */
export async function usableBank<Bank extends object>(bank: Promise<Bank>): Promise<Bank | string> {
  try {
    return await bank
  } catch (error) {
    if (isUnavailable(error)) throw error
    return reasonOf(error)
  }
}
