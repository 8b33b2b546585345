import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { ShownEvents } from '../model/shown-events.js'

/** The port of the pages of events. */
export type StoreEvents = PerEnvironment<ShownEvents>

export interface EventParts extends PanelParts {
  readonly events: StoreEvents
}
