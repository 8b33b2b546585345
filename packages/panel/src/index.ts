export { createPanel } from './create-panel.js'
export type { PanelDeps } from './frame/panel-parts.js'
export { type SessionStore, createFileSessionStore } from './session/session-store.js'
export type { SecretKeeper } from './session/store-secret.js'
