import type { Clock } from '@cofre/contracts'
import {
  type RandomBytes,
  pause,
  type NoticePost,
  type Disturbances,
  createDisturbances,
} from '@cofre/provider-kit/simulator'
import type { BankAccount } from './account.js'
import { type Book, enter } from './book.js'
import type { BankBooks } from './books-file.js'
import { CALM, type Conditions } from './conditions.js'
import { type Controls, createControls } from './controls.js'
import { type Notices, createNotices } from './notices.js'
import { type Tokens, createTokens } from './tokens.js'

const TOKEN_LIFETIME_S = 3600

export interface PixBankDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly books: BankBooks
  readonly post: NoticePost
  readonly tokenLifetimeS?: number | undefined
  /** Efí calls an address twice before it registers it; other banks do not. */
  readonly webhookHandshake?: 'none' | 'efi' | undefined
  /** Waits for a slow bank. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** The bank without HTTP: its books, and the actions of people and tests. */
export interface PixBank {
  readonly post: NoticePost
  readonly wait: (ms: number) => Promise<unknown>
  readonly webhookHandshake: 'none' | 'efi'
  readonly book: Book
  /** May change at any time. */
  readonly conditions: Conditions
  readonly disturbances: Disturbances
  readonly notices: Notices
  readonly tokens: Tokens
  readonly controls: Controls
  /** @throws RangeError if a Pix key, the client or the receiver has an account */
  openAccount(account: BankAccount): void
}

export function createPixBank(deps: PixBankDeps): PixBank {
  const { post, tokenLifetimeS = TOKEN_LIFETIME_S, webhookHandshake = 'none', wait = pause } = deps
  const conditions: Conditions = { ...CALM }
  const book = openBook(deps)
  const notices = createNotices({ book, conditions, post })
  return {
    book,
    conditions,
    notices,
    post,
    wait,
    webhookHandshake,
    controls: createControls({ book, notices }),
    disturbances: createDisturbances(conditions),
    tokens: createTokens({ ...deps, accounts: book.accounts, lifetimeS: tokenLifetimeS }),
    openAccount(account) {
      if (book.accounts.some((other) => isDuplicate(other, account)))
        throw new RangeError('the receiver, its client or one of its Pix keys has an account')
      book.accounts.push(account)
    },
  }
}

function openBook({ books, clock, randomBytes }: PixBankDeps): Book {
  const { records } = books
  return {
    ...records,
    clock,
    randomBytes,
    accounts: [],
    save(change) {
      books.append(change)
      enter(records, change)
    },
  }
}

function isDuplicate(other: BankAccount, { taxId, clientId, pixKeys }: BankAccount): boolean {
  if (other.taxId === taxId || other.clientId === clientId) return true
  return pixKeys.some((pixKey) => other.pixKeys.includes(pixKey))
}
