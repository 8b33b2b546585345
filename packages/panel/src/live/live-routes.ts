import { setTimeout as pause } from 'node:timers/promises'
import { SECOND_MS } from '@cofre/contracts'
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { PanelEnv } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import type { Session } from '../session/session.js'
import { findSession } from '../session/session-service.js'

const LOOK_EVERY_MS = SECOND_MS
/** Proxies close connections on which nothing moves. */
const LOOKS_BETWEEN_SIGNS = 20
const STREAMS_MAX = 6

/**
 * Tells pages when what they show has changed: events `version`, whose data is that of the desk, and `signed-out`. A
 * session has at most six streams; more are answered 429.
 */
export function liveRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const streams = new Map<string, number>()
  const app = new Hono<PanelEnv>()
  app.get('/events', (c) => {
    const session = c.var.signedIn
    const open = streams.get(session.idHash) ?? 0
    if (open >= STREAMS_MAX) return c.text('too many pages of this session are open', 429)
    streams.set(session.idHash, open + 1)
    return streamSSE(c, async (stream) => {
      try {
        await follow(deps, session, stream)
      } catch (error) {
        deps.log.error({ error }, 'live updates of the panel failed')
      } finally {
        const left = (streams.get(session.idHash) ?? 1) - 1
        if (left === 0) streams.delete(session.idHash)
        else streams.set(session.idHash, left)
      }
    })
  })
  return app
}

async function follow(deps: PanelDeps, session: Session, stream: SSEStreamingApi): Promise<void> {
  const ended = new AbortController()
  stream.onAbort(() => {
    ended.abort()
  })
  const signal = AbortSignal.any([ended.signal, ...(deps.stopping ? [deps.stopping] : [])])
  let told: string | undefined
  for (let looks = 1; !signal.aborted; looks += 1) {
    if ((await findSession(deps, session.idHash)) === undefined) {
      await stream.writeSSE({ event: 'signed-out', data: '' })
      return
    }
    const version = await deps.desk.version(session.storeId)
    if (version !== told) await stream.writeSSE({ event: 'version', data: version })
    else if (looks % LOOKS_BETWEEN_SIGNS === 0) await stream.write(': still here\n\n')
    told = version
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
