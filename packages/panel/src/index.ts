export { createPanel } from './create-panel.js'
export type { PanelDeps } from './frame/panel-parts.js'
export type { SecretKeeper } from './session/store-secret.js'
export type { Mailer } from './model/mailer.js'
