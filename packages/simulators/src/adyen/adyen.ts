import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@cofre/contracts'
import type { RandomBytes } from '../authority/authority.js'
import { type NoticeLine, createNoticeLine } from '../card-acquirer/notice-line.js'
import type { Tally } from '../card-acquirer/tally.js'
import { type Conditions, type Disturbances, createDisturbances } from '../pix-bank/conditions.js'
import type { NoticePost } from '../pix-bank/notice-post.js'
import { type AdyenAccount, type Book, tallyOf } from './book.js'
import { type Controls, createControls } from './controls.js'
import type { Ledger } from './events.js'

/** How Adyen behaves: what a person sets on its page. */
export type AdyenConditions = Pick<Conditions, 'notices' | 'refunds' | 'delayMs' | 'connection'>

const CALM: Readonly<AdyenConditions> = {
  notices: 'once',
  refunds: 'settled',
  delayMs: 0,
  connection: 'kept',
}

export interface AdyenDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly post: NoticePost
  /** How a slow answer lets time pass. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** Adyen without its wires: its books, and what people and tests do to it. */
export interface Adyen {
  readonly wait: (ms: number) => Promise<unknown>
  readonly book: Book
  readonly ledger: Ledger
  /** May be changed at any time. */
  readonly conditions: AdyenConditions
  readonly disturbances: Disturbances
  readonly notices: NoticeLine
  readonly controls: Controls
  /** What the books have under one of the shop's references. */
  tallyOf(reference: string): Tally
  /** @throws RangeError where there is one of this name */
  openAccount(account: AdyenAccount): void
}

/** Holds up no process that is to end. */
function pause(ms: number): Promise<unknown> {
  return sleep(ms, undefined, { ref: false })
}

export function createAdyen({ clock, randomBytes, post, wait = pause }: AdyenDeps): Adyen {
  const conditions: AdyenConditions = { ...CALM }
  const book: Book = { clock, randomBytes, accounts: [], payments: new Map() }
  const notices = createNoticeLine({ clock, conditions, post })
  const ledger: Ledger = { book, notices, told: new Map() }
  return {
    wait,
    book,
    ledger,
    conditions,
    disturbances: createDisturbances(conditions),
    notices,
    controls: createControls(ledger),
    tallyOf: (reference) => tallyOf(book, reference),
    openAccount(account) {
      const { merchantAccount } = account
      if (book.accounts.some((other) => other.merchantAccount === merchantAccount))
        throw new RangeError(`${merchantAccount} has an account`)
      book.accounts.push(account)
    },
  }
}
