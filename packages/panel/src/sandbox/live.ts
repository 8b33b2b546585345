import { setTimeout as pause } from 'node:timers/promises'
import { SECOND_MS } from '@cofre/contracts'
import type { StoreSession } from '@cofre/people'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { SandboxParts } from '../visit/panel-parts.js'
import type { Hono } from 'hono'
import type { PanelEnv } from '../visit/visit.js'
import { storeVersion } from '../visit/store-version.js'
import { findStoreSession } from '../session/store-secret.js'

const CHECK_EVERY_MS = SECOND_MS
/** Proxies close idle connections. */
const CHECKS_BETWEEN_PINGS = 20
const STREAMS_MAX = 6

/**
 * Streams the store's version when it changes (event `version`), and the end of the session (event
 * `signed-out`). A session has at most six streams; more are answered 429.
 */
export function liveRoutes(app: Hono<PanelEnv>, parts: SandboxParts): void {
  app.get('/changes', (c) => {
    const { signedIn } = c.var
    // A stream would keep a person's session from becoming idle.
    if (signedIn?.kind !== 'store-secret') return c.text('this page does not follow changes', 403)
    const { session } = signedIn
    const release = parts.limited(`live ${session.idHash}`, STREAMS_MAX)
    if (release === undefined) return c.text('too many pages of this session are open', 429)
    return streamSSE(c, async (stream) => {
      try {
        await follow(parts, session, stream)
      } catch (error) {
        parts.log.error({ error }, 'live updates of the panel failed')
      } finally {
        release()
      }
    })
  })
}

async function follow(
  parts: SandboxParts,
  session: StoreSession,
  stream: SSEStreamingApi,
): Promise<void> {
  const ended = new AbortController()
  stream.onAbort(() => {
    ended.abort()
  })
  const signal = AbortSignal.any([ended.signal, ...(parts.stopping ? [parts.stopping] : [])])
  let sent: string | undefined
  for (let checks = 1; !signal.aborted; checks += 1) {
    if ((await findStoreSession(parts, session.idHash)) === undefined) {
      await stream.writeSSE({ event: 'signed-out', data: '' })
      return
    }
    const version = await storeVersion(parts, session.storeId)
    if (version !== sent) await stream.writeSSE({ event: 'version', data: version })
    else if (checks % CHECKS_BETWEEN_PINGS === 0) await stream.write(': still here\n\n')
    sent = version
    await pause(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
