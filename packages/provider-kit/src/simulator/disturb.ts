import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { MiddlewareHandler } from 'hono'
import type { Disturbances } from './disturbances.js'

interface Disturbed {
  readonly disturbances: Disturbances
  readonly wait: (ms: number) => Promise<unknown>
}

/** Applies the disturbances of tests and people to a call. */
export function disturb({
  disturbances,
  wait,
}: Disturbed): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const cut = () => {
      c.env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    const effects = disturbances.take({ method: c.req.method, path: c.req.path })
    if (effects.some((effect) => effect.kind === 'cut' && effect.when === 'before')) return cut()
    const answer = effects.find((effect) => effect.kind === 'answer')
    if (answer !== undefined) return c.body(answer.body ?? '', answer.status, { ...answer.headers })
    await next()
    for (const effect of effects) if (effect.kind === 'late') await wait(effect.delayMs)
    if (effects.some(({ kind }) => kind === 'cut')) c.res = cut()
    return undefined
  }
}

/** The wait of a late answer. It doesn't keep a process running. */
export function pause(ms: number): Promise<unknown> {
  return sleep(ms, undefined, { ref: false })
}
