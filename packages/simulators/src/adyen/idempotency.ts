// Adyen's Idempotency-Key: a repeat gets the first answer, and one that comes while the first is
// still being carried out an error that says to try again.
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AdyenAccount } from './book.js'
import { ServiceError } from './service-error.js'

const KEY_LENGTH_MAX = 64

interface Kept {
  isRunning: boolean
  answer: { readonly status: ContentfulStatusCode; readonly text: string } | undefined
}

export interface IdempotencyEnv {
  Variables: { account: AdyenAccount; kept: Kept | undefined }
}

export interface IdempotencyKeys {
  /** Outside of what makes answers late: until it has left, the first call is running. */
  guard: MiddlewareHandler<IdempotencyEnv>
  /** Around the call itself: what it answers is kept, also where nobody receives it. */
  keep: MiddlewareHandler<IdempotencyEnv>
}

export function createIdempotencyKeys(): IdempotencyKeys {
  const keys = new Map<string, Kept>()
  return {
    async guard(c, next) {
      const key = c.req.header('Idempotency-Key')
      if (key === undefined) return next()
      if (key.length > KEY_LENGTH_MAX)
        throw new ServiceError('field', `The Idempotency-Key is longer than ${KEY_LENGTH_MAX}.`)
      const id = `${c.var.account.merchantAccount}/${key}`
      const kept = keys.get(id) ?? { isRunning: false, answer: undefined }
      if (kept.isRunning) throw new ServiceError('in_progress')
      keys.set(id, kept)
      c.set('kept', kept)
      kept.isRunning = true
      c.header('Idempotency-Key', key)
      try {
        await next()
      } finally {
        kept.isRunning = false
      }
      return undefined
    },

    async keep(c, next) {
      const { kept } = c.var
      if (kept?.answer !== undefined) {
        const { status, text } = kept.answer
        return c.body(text, status, { 'Content-Type': 'application/json' })
      }
      await next()
      if (kept !== undefined)
        kept.answer = {
          status: c.res.status as ContentfulStatusCode,
          text: await c.res.clone().text(),
        }
      return undefined
    },
  }
}
