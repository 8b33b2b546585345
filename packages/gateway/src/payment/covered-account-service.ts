import { HOUR_MS } from '@cofre/contracts'
import { timeOfDayInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { GatewayDeps } from './gateway-deps.js'

const TOLD_EVERY_MS = HOUR_MS

type TellingDeps = Pick<GatewayDeps, 'cards' | 'environment' | 'machineClock' | 'settlementLists'>

/**
 * Tells the vault once an hour of which days accounts' files were imported without a gap: charges
 * of these days are not read again there.
 */
export function createCoverageTeller(deps: TellingDeps): () => Promise<void> {
  const { cards, environment, machineClock, settlementLists } = deps
  let toldAtMs = -Infinity
  return async () => {
    const nowMs = machineClock.now()
    if (Math.abs(nowMs - toldAtMs) < TOLD_EVERY_MS) return
    const covered = await settlementLists.coveredByFiles()
    if (covered.length > 0)
      await cards.coverAccounts(
        environment,
        covered.map(({ accountId, fromDay, untilDay }) => ({
          accountId,
          fromMs: timeOfDayInBrasilia(fromDay),
          untilMs: timeOfDayInBrasilia(untilDay),
        })),
      )
    toldAtMs = nowMs
  }
}
