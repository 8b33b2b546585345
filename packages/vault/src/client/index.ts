export type { CallerContext } from './service-channel.js'
export { type ServiceKeys, ServiceKeyError, parseServiceKeys } from './service-key.js'
export { type VaultClient, type VaultClientOptions, createVaultClient } from './vault-client.js'
export { VaultAnswerError, VaultUnreachableError } from './vault-error.js'
