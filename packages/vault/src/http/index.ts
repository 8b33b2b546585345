export {
  type Library,
  type LibraryFile,
  type LibraryManifest,
  type LibraryRelease,
  type ManifestEntry,
  integrityOf,
  manifestOf,
  releasePath,
} from './library.js'
export { type VaultRoutesOptions, createVaultRoutes } from './vault-routes.js'
