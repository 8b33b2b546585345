import { type CardService, type Clock, type Environment, HOUR_MS } from '@cofre/contracts'
import { timeOfDayInBrasilia } from '@cofre/gateway/room'
import type { SettlementLists } from './model/stores.js'

const REPORTED_EVERY_MS = HOUR_MS

interface CoverageDeps {
  readonly cards: Pick<CardService, 'coverAccounts'>
  readonly environment: Environment
  readonly machineClock: Clock
  readonly settlementLists: SettlementLists
}

/**
 * Notifies the vault once an hour of the days whose files were imported without a gap: the vault
 * does not read charges of these days again.
 */
export function createCoverageReporter(deps: CoverageDeps): () => Promise<void> {
  const { cards, environment, machineClock, settlementLists } = deps
  let reportedAtMs = -Infinity
  return async () => {
    const nowMs = machineClock.now()
    if (Math.abs(nowMs - reportedAtMs) < REPORTED_EVERY_MS) return
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
    reportedAtMs = nowMs
  }
}
