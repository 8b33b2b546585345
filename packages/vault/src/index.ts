export {
  type AuditEntry,
  type AuditEvent,
  type ChainLink,
  headText,
  parseHead,
} from './audit/audit-entry.js'
export { type AuditVerdict, recordEvent as recordVaultEvent } from './audit/audit-service.js'
export { type UnlinkedCharge, UNLINKED_FOR_MS } from './authorization/unlinked-sql.js'
export type { RoutedAccount } from './authorization/card-charge.js'
export type {
  AnsweredAttempt,
  ChargeObserver,
  OrderToRoute,
  PlayedAcquirer,
} from './authorization/charging.js'
export type { CaptureDaysOf, InstallmentsOf } from './account/account-service.js'
export { type VaultDeps, createVault } from './create-vault.js'
export type { KeyEncryption } from './keys/key-encryption.js'
export { type KeyFile, loadKeyFile, readKeyFile } from './keys/key-file.js'
export {
  type KeyRing,
  KeyRingError,
  createKeyRing,
  generateKeyRing,
  parseKeyRing,
} from './keys/key-ring.js'
export {
  type Custody,
  type SplitKey,
  combineKeyShares,
  generateSplitKey,
  isCustody,
} from './keys/key-share.js'
export type { ReadingsBehind } from './later-reading/reading-sql.js'
export { type ParkedItem, parkedWork } from './parked-work.js'
export type { UnreportedCharge } from './later-reading/unreported-sql.js'
export type { ForeignNotices } from './notice/foreign-notice-sql.js'
export type { KeyStatus } from './data-key/key-status-service.js'
export { SealError, sealedBy } from './keys/sealed-value.js'
export { createMemorySessionStore } from './session/session-store-memory.js'
export type { LinkCount, LinkFillStep } from './link-fill/link-fill-service.js'
export type { SessionStore } from './session/session-store.js'
export { type ResolutionResult, UNDECIDED_FOR_MS } from './notice/resolve-service.js'
export { type VaultAdministration, createVaultAdministration } from './vault-administration.js'
export type { KeyedDatabase } from './data-key/data-key-service.js'
export { inspectVaultDatabase, openVaultDatabase } from './database/vault-database.js'
export type { VaultTables } from './database/vault-tables.js'
export type { NoticeResult, Swept, Vault, VaultCensus } from './model/vault.js'
