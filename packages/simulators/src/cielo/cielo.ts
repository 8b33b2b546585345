import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@cofre/contracts'
import type { RandomBytes } from '../authority/authority.js'
import { type NoticeLine, createNoticeLine } from '../card-acquirer/notice-line.js'
import type { Tally } from '../card-acquirer/tally.js'
import { type Disturbances, createDisturbances } from '../pix-bank/conditions.js'
import type { NoticePost } from '../pix-bank/notice-post.js'
import { type Book, type CieloAccount, tallyOf } from './book.js'
import { CALM_CIELO, type CieloConditions } from './conditions.js'
import { type Controls, createControls } from './controls.js'

export interface CieloDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly post: NoticePost
  /** How a slow answer lets time pass. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** Cielo without its wires: its books, and what people and tests do to it. */
export interface Cielo {
  readonly wait: (ms: number) => Promise<unknown>
  readonly book: Book
  /** May be changed at any time. */
  readonly conditions: CieloConditions
  readonly disturbances: Disturbances
  readonly notices: NoticeLine
  readonly controls: Controls
  /** What the books have under one of the shop's orders. */
  tallyOf(merchantOrderId: string): Tally
  /** @throws RangeError where there is one of this id */
  openAccount(account: CieloAccount): void
}

/** Holds up no process that is to end. */
function pause(ms: number): Promise<unknown> {
  return sleep(ms, undefined, { ref: false })
}

export function createCielo({ clock, randomBytes, post, wait = pause }: CieloDeps): Cielo {
  const conditions: CieloConditions = { ...CALM_CIELO }
  const book: Book = { clock, randomBytes, accounts: [], sales: new Map() }
  const notices = createNoticeLine({ clock, conditions, post })
  return {
    wait,
    book,
    conditions,
    disturbances: createDisturbances(conditions),
    notices,
    controls: createControls({ book, notices }),
    tallyOf: (merchantOrderId) => tallyOf(book, merchantOrderId),
    openAccount(account) {
      const { merchantId } = account
      if (book.accounts.some((other) => other.merchantId === merchantId))
        throw new RangeError(`${merchantId} has an account`)
      book.accounts.push(account)
    },
  }
}
