import type { Clock } from '@cofre/contracts'
import type { RandomBytes } from '../authority/authority.js'
import { type Conditions, type Disturbances, createDisturbances } from '../pix-bank/conditions.js'
import { pause } from '../pix-bank/disturb.js'
import type { NoticePost } from '../pix-bank/notice-post.js'
import type { LinkRule } from './links.js'
import { type NoticeLine, createNoticeLine } from './notice-line.js'

/** How every acquirer can behave. */
export interface AcquirerConditions extends Pick<Conditions, 'delayMs'> {
  /** Late ones come a minute after what they tell, and after what is told meanwhile. */
  notices: Conditions['notices'] | 'late'
  /** Who is away takes no connection: nothing of a call has left. */
  connection: Conditions['connection'] | 'away'
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
