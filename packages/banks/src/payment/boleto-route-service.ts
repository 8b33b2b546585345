import {
  ApiError,
  type Failure,
  type Log,
  type MinorUnits,
  type TransactionRequest,
  formatAmount,
  minorUnits,
} from '@cofre/contracts'
import { payerObjections } from '../model/boleto-payer.js'
import { type AccountBanks, usableBank } from './account-bank-service.js'
import type { AccountStore, BoletoObjections } from './ports.js'

/** See {@link boletoRouteOf}. */
export type BoletoRoute = (merchantId: string, wanted: WantedBoleto) => Promise<readonly string[]>

export interface WantedBoleto {
  readonly amountMinor: MinorUnits
  readonly payer: TransactionRequest['payer']
}

export interface BoletoRouteDeps {
  readonly log: Log
  readonly boletoObjections?: BoletoObjections | undefined
  readonly accounts: AccountStore
  readonly banks: AccountBanks
}

/**
 * The accounts that are asked for a store's new boleto, in order: those whose banks register so
 * small a boleto. Empty if the payment rails simulate the bank.
 * @throws ApiError unavailable_payment_method; payer_address_missing and others when no bank
 * accepts the payer; charge_#_amount_invalid when none accepts the amount
 */
export async function boletoRouteOf(
  deps: BoletoRouteDeps,
  merchantId: string,
  { amountMinor, payer }: WantedBoleto,
): Promise<readonly string[]> {
  const ids = await deps.banks.routeOf(merchantId, 'boleto')
  if (ids.length === 0) {
    await refuseAsProduction(deps, merchantId, payer)
    return []
  }
  const minima = await Promise.all(ids.map((id) => minimumOf(deps, id)))
  const route = ids.filter((_, at) => amountMinor >= (minima[at] ?? 0))
  const failures = payerObjections(payer)
  if (route.length === 0) throw new ApiError([...failures, belowMinimum(minima)])
  if (failures.length > 0) throw new ApiError(failures)
  return route
}

/** Why the bank of a store's account would register no boleto for a payer. */
export async function boletoObjections(
  { accounts }: BoletoRouteDeps,
  merchantId: string,
  payer: TransactionRequest['payer'],
): Promise<readonly Failure[]> {
  const ids = await accounts.enabledRoute({ merchantId, method: 'boleto' })
  return ids.length === 0 ? [] : payerObjections(payer)
}

/**
 * A simulated bank accepts everything: refuse whatever the store's own bank would refuse.
 * @throws ApiError payer_address_missing and others
 */
async function refuseAsProduction(
  { boletoObjections: objectionsOf, log }: BoletoRouteDeps,
  merchantId: string,
  payer: TransactionRequest['payer'],
): Promise<void> {
  if (objectionsOf === undefined) return
  const failures = await objectionsOf(merchantId, payer).catch((error: unknown) => {
    log.warn({ store: merchantId, error }, 'production did not report which boletos it accepts')
    return []
  })
  if (failures.length === 0) return
  throw new ApiError(
    failures.map((failure) => ({
      ...failure,
      ...(failure.cause === 'boleto' && { cause: 'boleto-in-production' }),
    })),
  )
}

/** No minimum if the account cannot be used: the request to its bank finds that out. */
async function minimumOf(
  deps: BoletoRouteDeps,
  accountId: string,
): Promise<MinorUnits | undefined> {
  const bank = await usableBank(deps.banks.boletos(accountId))
  return typeof bank === 'string' ? undefined : bank.minimumMinor
}

function belowMinimum(minima: readonly (MinorUnits | undefined)[]): Failure {
  const leastMinor = minorUnits(Math.min(...minima.map((minimum) => minimum ?? Infinity)))
  return {
    name: 'charge_#_amount_invalid',
    property: 'charge[0].amount',
    constraint: 'minimum',
    minimum: leastMinor / 100,
    index: 0,
    cause: 'bank-minimum',
    named: { bankMinimum: formatAmount(leastMinor) },
  }
}
