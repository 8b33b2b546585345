import type { Clock, Log } from '@cofre/contracts'
import type { TestDesk } from '@cofre/sandbox'
import type { SessionStore } from './session/session-store.js'

/** What the panel is made of; the caller does the listening. */
export interface PanelDeps {
  readonly desk: TestDesk
  readonly sessions: SessionStore
  /** The machine's clock, by which sessions end. What the desk shows goes by its own. */
  readonly clock: Clock
  readonly log: Log
  /** Whether a failure is a database's that is away, full or slow, and the same page may well come later. */
  readonly isUnavailable: (error: unknown) => boolean
  /** Origin at which browsers and notifications reach the panel: `http://127.0.0.1:8083`. */
  readonly publicUrl: string
  /** Origin of the sandbox's API and of its pages for payers: `http://127.0.0.1:8081`. */
  readonly sandboxUrl: string
  /** Where the demo shop is, a shop of the test store; without it the panel does not speak of it. */
  readonly demoShopUrl?: string
  /** The vendor's segment of the API's media type: `cofre`. */
  readonly mediaVendor: string
  /** The address a request came from, for counting failed sign-ins. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** Ends live updates when the process is to stop; default: never. */
  readonly stopping?: AbortSignal
}
