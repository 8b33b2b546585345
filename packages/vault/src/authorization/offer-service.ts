// What a store can offer of cards before it has one: what its accounts take.
import { INSTALLMENTS_MAX, type InstallmentsQuery } from '@cofre/contracts'
import type { ChargingDeps } from './charging-deps.js'

/** The most installments of those asked for that an account of the store takes; at least one. */
export async function installmentsTaken(
  deps: ChargingDeps,
  { installmentsMax, ...of }: InstallmentsQuery,
): Promise<number> {
  const asked = [installmentsMax, INSTALLMENTS_MAX].filter((count) => count <= installmentsMax)
  for (const installments of new Set(asked)) {
    const route = await deps.accountsFor({ ...of, installments })
    // What has no account is played, or refused whatever is asked.
    if (route === undefined || route.accounts.length > 0) return installments
  }
  return 1
}
