import type { PerEnvironment } from '@cofre/panel/page'
import type { WaitingCaptures } from '../../model/waiting-captures.js'

/** The dependencies of the list. */
export interface ShownWaiting {
  readonly waitingCaptures: PerEnvironment<WaitingCaptures>
}
