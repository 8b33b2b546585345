import type { Clock } from '@cofre/contracts'
import type { RandomBytes } from '../authority/authority.js'
import { type CallConditions, type Disturbances, createDisturbances } from '../disturbances.js'
import { pause } from '../disturb.js'
import type { NoticePost } from '../notice-post.js'
import type { LinkRule } from './links.js'
import { type Delivery, type NoticeLine, createNoticeLine } from './notice-line.js'

/** The behaviour of every acquirer. If `away`, it accepts no connection, so no call is sent. */
export interface AcquirerConditions extends CallConditions {
  /** A late notice comes a minute after its event, and after the notices sent meanwhile. */
  notices: Delivery
  links: LinkRule
}

export interface AcquirerDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly post: NoticePost
  /** Waits for a slow answer. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** The parts of every acquirer besides its books. */
export interface Acquirer<Behaviour extends AcquirerConditions> {
  readonly wait: (ms: number) => Promise<unknown>
  /** May change at any time. */
  readonly conditions: Behaviour
  readonly disturbances: Disturbances
  readonly notices: NoticeLine
}

/** @param calm - The behaviour until a person changes it. */
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
