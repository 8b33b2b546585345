export type { Library } from './library.js'
export { type VaultRoutesOptions, createVaultRoutes } from './vault-routes.js'
