import type { Clock } from '@cofre/contracts'
import type { AuditActor, AuditEntry, AuditEvent, ChainLink } from './audit/audit-entry.js'
import {
  type AuditVerdict,
  readAuditChain,
  recordEvent,
  verifyAuditLog,
} from './audit/audit-service.js'
import { type AuditFilter, latestEntries } from './audit/audit-sql.js'
import { createDataKeys } from './data-key/data-key-service.js'
import {
  type KeyStatus,
  checkKeys,
  claimKeys,
  keyStatus,
  unopenedDataKeys,
} from './data-key/key-status-service.js'
import type { VaultDatabase } from './database/vault-database.js'
import type { KeyEncryption } from './keys/key-encryption.js'
import type { SavedCardIdentity } from './saved-card/saved-card.js'
import { deleteSavedCard } from './saved-card/saved-card-service.js'

/** What an administration is made of. */
export interface AdministrationDeps {
  /** From `openVaultDatabase`. The caller closes it. */
  readonly database: VaultDatabase
  readonly keys: KeyEncryption
  readonly clock: Clock
}

/** What operators and auditors do to a vault, beside the processes that serve it. Never shows a key or a card. */
export interface VaultAdministration {
  /** Every key-encryption key that there is or should be, the current one first. */
  keyStatus(): Promise<readonly KeyStatus[]>
  /** @throws KeyRingError when a key that wraps data keys is not there, or is not the one that it says it is */
  checkKeys(): Promise<void>
  /**
   * Checks the keys, and ties an empty database to them: of processes that start at once, each with a key of its own, one goes
   * on and the others are refused. @throws KeyRingError
   */
  claimKeys(): Promise<void>
  /** Tries every data key. Returns what those are for that do not open: their rows are damaged. Changes nothing. */
  unopenedDataKeys(): Promise<readonly string[]>
  /** Wraps every data key by the current key-encryption key. May be stopped at any moment and run again. Returns how many it rewrapped. */
  rewrapDataKeys(): Promise<number>
  /** Forgets a saved card; false when the store has none with this code. */
  deleteSavedCard(card: SavedCardIdentity, actor: AuditActor): Promise<boolean>
  /** Writes what an operator did into the audit log. */
  recordEvent(event: AuditEvent): Promise<void>
  /** Walks the audit log's chain, up to and past a head noted earlier. */
  verifyAuditLog(known?: ChainLink): Promise<AuditVerdict>
  /** Walks the part of the audit log that is chained by now, and changes nothing. */
  readAuditChain(): Promise<AuditVerdict>
  /** Entries of the audit log, the newest first. */
  listAuditLog(filter: AuditFilter): Promise<readonly AuditEntry[]>
}

/** The administration of the vault in this database. */
export function createVaultAdministration({
  database,
  keys,
  clock,
}: AdministrationDeps): VaultAdministration {
  const dataKeys = createDataKeys({ database, keys, clock })
  const deps = { database, keys, dataKeys, clock }
  return {
    keyStatus: () => keyStatus(deps),
    checkKeys: () => checkKeys(deps),
    claimKeys: () => claimKeys(deps),
    unopenedDataKeys: () => unopenedDataKeys(deps),
    rewrapDataKeys: () => dataKeys.rewrapAll(),
    deleteSavedCard: (card, actor) => deleteSavedCard(deps, card, actor),
    recordEvent: (event) => recordEvent(deps, event),
    verifyAuditLog: (known) => verifyAuditLog(deps, known),
    readAuditChain: () => readAuditChain(deps),
    listAuditLog: (filter) => latestEntries(database.reader, filter),
  }
}

/** Writes what an operator did into the audit log of a vault whose keys are not at hand. */
export async function recordVaultEvent(
  deps: Omit<AdministrationDeps, 'keys'>,
  event: AuditEvent,
): Promise<void> {
  await recordEvent(deps, event)
}
