export { type CardFieldsOptions, FRAME_SCRIPT, FRAME_STYLE } from './card-fields-routes.js'
export {
  type Library,
  type LibraryFile,
  type LibraryRelease,
  integrityOf,
  releasePath,
} from './library-routes.js'
export { type RequestLimits, countPerMinute } from './request-limits.js'
export { type ServiceRoutesOptions, createServiceRoutes } from './service-routes.js'
export { type VaultRoutesOptions, createVaultRoutes } from './vault-routes.js'
