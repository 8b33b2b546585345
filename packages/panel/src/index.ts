export { createPanel } from './create-panel.js'
export type { PanelDeps } from './panel-deps.js'
export type { SessionStore } from './session/session-store.js'
export { createFileSessionStore } from './session/session-store-file.js'
