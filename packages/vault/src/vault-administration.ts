import type { Environment } from '@cofre/contracts'
import { createVaultAccounts } from './account/account-service.js'
import type { AuditActor, AuditEvent, ChainLink } from './audit/audit-entry.js'
import { readAuditChain, recordEvent, verifyAuditLog } from './audit/audit-service.js'
import { type AuditFilter, latestEntries } from './audit/audit-sql.js'
import { CANCEL_OVERDUE_MS, type CancelKey, openCancels } from './authorization/card-cancel-sql.js'
import type { ChargeKey } from './authorization/card-charge.js'
import { openCharges } from './authorization/card-charge-sql.js'
import { openCapturesUntil } from './capture/capture-sql.js'
import { unlinkedCharges } from './authorization/unlinked-sql.js'
import {
  type KeyedDatabase,
  type SealingDeps,
  createDataKeys,
} from './data-key/data-key-service.js'
import { checkKeys, claimKeys, keyStatus, unopenedDataKeys } from './data-key/key-status-service.js'
import { readingsBehind } from './later-reading/reading-sql.js'
import { unreportedCharges } from './later-reading/unreported-sql.js'
import { foreignNotices } from './notice/foreign-notice-sql.js'
import {
  CAPTURE_OVERDUE_MS,
  type CaptureResolution,
  type Resolution,
  UNDECIDED_FOR_MS,
  resolveCancel,
  resolveCapture,
  resolveCharge,
  resolveRefund,
} from './notice/resolve-service.js'
import { reannounce, listParkedChanges } from './outbox/change-sql.js'
import { tryContradicting } from './refund/event-sql.js'
import { type ReturnKey, SLOW_AFTER_MS } from './refund/card-return.js'
import { openReturnsBefore } from './refund/return-sql.js'
import { countLinks, planLinkFill } from './link-fill/link-fill-service.js'
import type { SavedCardIdentity } from './saved-card/saved-card.js'
import { deleteSavedCard } from './saved-card/saved-card-service.js'
import { eraseIdsOfOrders } from './saved-card/saved-card-sql.js'

export type VaultAdministration = ReturnType<typeof createVaultAdministration>

/**
 * The actions of operators and auditors on the vault in this database, beside the processes that
 * serve it. Never shows a key or a card.
 */
export function createVaultAdministration(keyed: KeyedDatabase) {
  const { database, clock } = keyed
  const dataKeys = createDataKeys(keyed)
  const deps = { database, clock, dataKeys }
  return {
    /** Every key-encryption key that exists or should exist, the current one first. */
    keyStatus: () => keyStatus(keyed),
    /** @throws KeyRingError if a key that wraps data keys is missing, or is another key */
    checkKeys: () => checkKeys(keyed),
    /**
     * Checks the keys, and ties an empty database to them. If processes with different keys start
     * at once, one continues and the others are refused. @throws KeyRingError
     */
    claimKeys: () => claimKeys(keyed, dataKeys),
    /** Tries every data key. Returns the scopes of those whose rows are damaged. */
    unopenedDataKeys: () => unopenedDataKeys(keyed),
    /**
     * Wraps every data key by the current key-encryption key. May be stopped at any moment and run
     * again. Returns the number of rewrapped keys.
     */
    rewrapDataKeys: () => dataKeys.rewrapAll(),
    /** Contracts of an environment's stores with acquirers. */
    accounts: (environment: Environment) => createVaultAccounts(deps, environment),
    /** Deletes a saved card; false if the store has none with this code. */
    deleteSavedCard: (card: SavedCardIdentity, actor: AuditActor) =>
      deleteSavedCard(deps, card, actor),
    /** Erases the brands' ids for the charges of these orders. */
    eraseIdsOfOrders: (environment: Environment, codes: readonly string[]) =>
      eraseIdsOfOrders(database, environment, codes),
    /** Merchant accounts that have notices here, but no account. */
    foreignNotices: () => foreignNotices(database.reader),
    /** The delay of later readings, by account. */
    readingsBehind: () => readingsBehind(database.reader, clock.now()),
    /** Approved charges without a notice, at acquirers that report only by notices. */
    unreportedCharges: () => unreportedCharges(database.reader),
    /** Recent charges of saved cards that were sent without an id that their brand wants. */
    unlinkedCharges: () => unlinkedCharges(database.reader, clock.now()),
    /** The number of saved cards, and of those that lack an id that their brand wants. */
    countLinks: () => countLinks(deps),
    /** Plans to read payments of cards that lack an id, for codes after the given one. */
    planLinkFill: (after?: string) => planLinkFill(deps, after),
    ...resolutions(deps),
    /** Writes an operator's action into the audit log. */
    recordEvent: (event: AuditEvent) => recordEvent(deps, event),
    /** Walks the audit log's chain, up to and past a head that was recorded earlier. */
    verifyAuditLog: (known?: ChainLink) => verifyAuditLog(deps, known),
    /** Walks the part of the audit log that is chained by now. Changes nothing. */
    readAuditChain: () => readAuditChain(deps),
    /** Entries of the audit log, newest first. */
    listAuditLog: (filter: AuditFilter) => latestEntries(database.reader, filter),
  }
}

const LISTED = 1000

/**
 * The actions of a person when an acquirer leaves something undecided, or a gateway has lost data.
 */
function resolutions(deps: SealingDeps) {
  const { database, clock } = deps
  return {
    /** Ends a charge that has been undecided for a week, and reports it to its gateway. */
    resolveCharge: (charge: ChargeKey, resolution: Resolution) =>
      resolveCharge(deps, charge, resolution),
    /** Ends a refund that has been undecided for a week, and reports it to its gateway. */
    resolveRefund: (refund: ReturnKey, resolution: Resolution) =>
      resolveRefund(deps, refund, resolution),
    /** Ends the cancel of a payment that was refused, or is not done within a day. */
    resolveCancel: (cancel: CancelKey, resolution: Resolution) =>
      resolveCancel(deps, cancel, resolution),
    /** Ends a capture or a void that is not done within a day, and reports it to its gateway. */
    resolveCapture: (charge: ChargeKey, resolution: CaptureResolution) =>
      resolveCapture(deps, charge, resolution),
    /** Captures and voids that are not done within a day, oldest first. */
    slowCaptures: () =>
      openCapturesUntil(database.reader, clock.now() - CAPTURE_OVERDUE_MS, LISTED),
    /**
     * The items that a person has to end: charges that have been open for a week, and cancels that
     * were refused, or not done within a day.
     */
    async undecidedCharges() {
      const nowMs = clock.now()
      const [charges, cancels] = await Promise.all([
        openCharges(database.reader, nowMs - UNDECIDED_FOR_MS),
        openCancels(database.reader, nowMs - CANCEL_OVERDUE_MS),
      ])
      return { charges, cancels }
    },
    /** Refunds that have been open for more than three days, oldest first. */
    slowRefunds: () => openReturnsBefore(database.reader, clock.now() - SLOW_AFTER_MS, LISTED),
    /** Changes that gateways cannot apply, oldest first. */
    parkedChanges: () => listParkedChanges(database.reader),
    /**
     * Reports changes again that a gateway has acknowledged since then, after its database was
     * restored from an older copy. Also releases parked events. Returns the numbers of these
     * changes and events.
     */
    async announceAgain(environment: Environment, sinceMs: number) {
      return await database.transact(async (trx) => ({
        events: await tryContradicting(trx, environment, clock.now()),
        changes: await reannounce(trx, environment, sinceMs),
      }))
    },
  }
}
