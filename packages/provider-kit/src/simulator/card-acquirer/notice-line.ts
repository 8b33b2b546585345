// The queue of an acquirer's notices: sent one after the other, each tried once.
import { type Clock, MINUTE_MS } from '@cofre/contracts'
import type { NoticePost, PostResult } from '../notice-post.js'

/** How often a notice is sent; a late one comes a minute later. */
export type Delivery = 'once' | 'twice' | 'never' | 'late'

const COPIES = { once: 1, late: 1, twice: 2, never: 0 } as const satisfies Record<Delivery, number>
const LATE_MS = MINUTE_MS
const LOG_LENGTH_MAX = 200

export interface Notice {
  /** Undefined if the shop gave no address: nothing is sent. */
  readonly url: string | undefined
  /** The event, for the log. */
  readonly event: string
  /** The shop's own reference. */
  readonly reference: string
  readonly body: unknown
}

/** One call to a shop, for people and tests. */
export interface NoticeAttempt extends Omit<Notice, 'url'> {
  readonly timeMs: number
  readonly url: string
  readonly result: PostResult
}

interface NoticeLineDeps {
  readonly clock: Clock
  readonly conditions: { readonly notices: Delivery }
  readonly post: NoticePost
  /** Waits before a late notice. */
  readonly wait: (ms: number) => Promise<unknown>
}

export interface NoticeLine {
  readonly attempts: readonly NoticeAttempt[]
  /** Sends a notice of a new event, as often as the conditions require. */
  announce(notice: Notice): void
  /** Sends one copy, whatever the conditions. */
  send(notice: Notice): void
  /** Resolves when no notice is on its way; late ones don't count yet. */
  settled(): Promise<void>
}

export function createNoticeLine({ clock, conditions, post, wait }: NoticeLineDeps): NoticeLine {
  const attempts: NoticeAttempt[] = []
  let end = Promise.resolve()

  const send = ({ url, ...notice }: Notice, copies: number): void => {
    if (url === undefined) return
    end = end.then(async () => {
      for (let copy = 0; copy < copies; copy++) {
        const result = await post({ url, body: notice.body, withCertificate: false })
        attempts.push({ ...notice, timeMs: clock.now(), url, result })
        attempts.splice(0, attempts.length - LOG_LENGTH_MAX)
      }
    })
  }

  return {
    attempts,
    announce(notice) {
      const { notices } = conditions
      if (notices !== 'late') send(notice, COPIES[notices])
      else
        void wait(LATE_MS).then(() => {
          send(notice, COPIES.late)
        })
    },
    send(notice) {
      send(notice, 1)
    },
    async settled() {
      let seen: Promise<void> | undefined
      while (seen !== end) {
        seen = end
        await seen
      }
    },
  }
}
