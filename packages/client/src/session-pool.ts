import { DirectTokenError } from './errors.js'
import { nowMs } from './page-clock.js'
import { pause } from './pause.js'
import { openSession, type Session } from './session.js'

/** The sessions of one vault: at most one waits for its card, each is used once. */
export interface SessionPool {
  /** Opens a session in the background unless one is waiting. */
  prepare(): void
  /** Whether a session is open and waiting. */
  isReady(): boolean
  /**
   * Hands the waiting session, or a new one, to exactly one caller, even when called concurrently.
   * @throws DirectTokenError `session_creating_in_progress`, `session_network_error`,
   *   `session_create_error`
   */
  take(timeoutMs: number): Promise<Session>
  /** Drops the waiting session, because the vault has shown that it forgets. */
  discard(): void
}

interface Opening {
  readonly outcome: Promise<Session>
  /** Once open. */
  session?: Session
}

function isStale({ session }: Opening): boolean {
  return session !== undefined && session.renewAtMs <= nowMs()
}

function createSessionPool(baseUrl: string): SessionPool {
  let waiting: Opening | undefined

  function open(): Opening {
    const opening: Opening = { outcome: openSession(baseUrl) }
    opening.outcome.then(
      (session) => {
        opening.session = session
        renewBeforeExpiry(opening, session)
      },
      () => {
        // Whoever took this session gets the failure; the next call opens another.
        if (waiting === opening) waiting = undefined
      },
    )
    return opening
  }

  function renewBeforeExpiry(opening: Opening, session: Session): void {
    // Without a page to leave, a timer would only keep a server-side render from ending.
    if (typeof document === 'undefined') return
    setTimeout(() => {
      // A hidden page may be an abandoned one: `take` renews if the shopper comes back.
      if (waiting === opening && !document.hidden) waiting = open()
    }, session.renewAtMs - nowMs())
  }

  function prepared(): Opening {
    if (!waiting || isStale(waiting)) waiting = open()
    return waiting
  }

  return {
    prepare: () => void prepared(),
    isReady: () => waiting?.session !== undefined && !isStale(waiting),
    discard: () => {
      waiting = undefined
    },
    take: async (timeoutMs) => {
      const opening = prepared()
      waiting = undefined
      const session = await Promise.race([opening.outcome, pause(timeoutMs)])
      if (session) return session
      waiting ??= opening
      throw new DirectTokenError('session_creating_in_progress')
    },
  }
}

const pools = new Map<string, SessionPool>()

/** The pool that every instance on the page with the same vault shares. */
export function sessionPoolAt(baseUrl: string): SessionPool {
  const pool = pools.get(baseUrl) ?? createSessionPool(baseUrl)
  pools.set(baseUrl, pool)
  return pool
}
