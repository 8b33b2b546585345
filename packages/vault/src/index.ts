export {
  type AuditEntry,
  type AuditEvent,
  type ChainLink,
  headText,
  parseHead,
} from './audit/audit-entry.js'
export type { AuditVerdict } from './audit/audit-service.js'
export type { AcquirerCard, AcquirerRequest, CardAcquirer } from './authorization/card-acquirer.js'
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
export type { KeyStatus } from './keys/key-status-service.js'
export { SealError, sealedBy } from './keys/sealed-value.js'
export { createMemorySessionStore } from './session/session-store-memory.js'
export type { SessionStore } from './session/session-store.js'
export {
  type AdministrationDeps,
  type VaultAdministration,
  createVaultAdministration,
  recordVaultEvent,
} from './vault-administration.js'
export { inspectVaultDatabase, openVaultDatabase } from './vault-database.js'
export { VAULT_MIGRATIONS } from './vault-database.js'
export type { VaultTables } from './vault-tables.js'
export type { Swept, Vault, VaultCensus } from './vault.js'
