export type { Library } from './library.js'
export { type ServiceRoutesOptions, createServiceRoutes } from './service-routes.js'
export { type VaultRoutesOptions, createVaultRoutes } from './vault-routes.js'
