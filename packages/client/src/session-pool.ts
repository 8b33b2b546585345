import { DirectTokenError } from './errors.js'
import { nowMs } from './page-clock.js'
import { pause } from './pause.js'
import { openSession, type Session } from './session.js'

/** Sessions of one vault. At most one waits for its card; each is used once. */
export interface SessionPool {
  /** Opens a session in the background, unless one is waiting. */
  readonly prepare: () => void
  /** True if a session is open and waiting. */
  isReady(): boolean
  /**
   * Gives the waiting session, or a new one, to exactly one caller, even when called concurrently.
   * @throws DirectTokenError `session_creating_in_progress`, `session_network_error`,
   *   `session_create_error`
   */
  takeSession(timeoutMs: number): Promise<Session>
  /** Drops the waiting session, because the vault has lost its sessions. */
  dropWaiting(): void
}

function createSessionPool(baseUrl: string): SessionPool {
  let waiting: Promise<Session> | undefined
  /** The waiting session, once it is open. */
  let ready: Session | undefined

  function dropWaiting(): void {
    waiting = ready = undefined
  }

  function isReady(): boolean {
    return (ready?.renewAtMs ?? 0) > nowMs()
  }

  function open(): void {
    dropWaiting()
    const opening = openSession(baseUrl)
    waiting = opening
    opening.then(
      (session) => {
        if (waiting === opening) ready = session
        // Server-side rendering has no page to leave, and a timer would keep it from ending.
        if (typeof document === 'undefined') return
        setTimeout(() => {
          // A hidden page may be abandoned; `takeSession` opens another if the shopper returns.
          if (ready === session && !document.hidden) open()
        }, session.renewAtMs - nowMs())
      },
      () => {
        // The caller that took this session gets the failure; the next call opens another.
        if (waiting === opening) dropWaiting()
      },
    )
  }

  function prepare(): void {
    if (!waiting || (ready && !isReady())) open()
  }

  return {
    prepare,
    isReady,
    dropWaiting,
    takeSession: async (timeoutMs) => {
      prepare()
      const opening = waiting
      dropWaiting()
      const session = await Promise.race([opening, pause(timeoutMs)])
      if (session) return session
      waiting ??= opening
      throw new DirectTokenError('session_creating_in_progress')
    },
  }
}

const pools = { __proto__: null } as unknown as Record<string, SessionPool | undefined>

/** The pool of a vault, shared by all instances on the page. */
export function sessionPoolAt(baseUrl: string): SessionPool {
  return (pools[baseUrl] ??= createSessionPool(baseUrl))
}
