import type { Clock } from '@cofre/contracts'
import type { RandomBytes } from '../authority/authority.js'
import { type CallConditions, type Disturbances, createDisturbances } from '../disturbances.js'
import { pause } from '../disturb.js'
import type { NoticePost } from '../notice-post.js'
import type { LinkRule } from './links.js'
import { type Delivery, type NoticeLine, createNoticeLine } from './notice-line.js'

/** How every acquirer can behave. Who is away takes no connection: nothing of a call has left. */
export interface AcquirerConditions extends CallConditions {
  /** Late ones come a minute after what they tell, and after what is told meanwhile. */
  notices: Delivery
  links: LinkRule
}

export interface AcquirerDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly post: NoticePost
  /** How a slow answer lets time pass. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** What every acquirer has besides its books. */
export interface Acquirer<Behaviour extends AcquirerConditions> {
  readonly wait: (ms: number) => Promise<unknown>
  /** May be changed at any time. */
  readonly conditions: Behaviour
  readonly disturbances: Disturbances
  readonly notices: NoticeLine
}

/** @param calm - How it behaves until somebody wants it otherwise. */
export function createAcquirer<Behaviour extends AcquirerConditions>(
  { clock, post, wait = pause }: AcquirerDeps,
  calm: Behaviour,
): Acquirer<Behaviour> {
  const conditions = { ...calm }
  return {
    wait,
    conditions,
    disturbances: createDisturbances(conditions),
    notices: createNoticeLine({ clock, conditions, post, wait }),
  }
}
