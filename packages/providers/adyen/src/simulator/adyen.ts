import {
  type Acquirer,
  type AcquirerConditions,
  type AcquirerDeps,
  createAcquirer,
  type Tally,
} from '@cofre/provider-kit/simulator'
import { type AdyenAccount, type Book, enter, tallyOf } from './book.js'
import type { AdyenBooks } from './books-file.js'
import { type Controls, createControls } from './controls.js'
import type { Ledger } from './events.js'

/** Adyen's behaviour, as set on its page. */
export interface AdyenConditions extends AcquirerConditions {
  /** A refund is settled right after its answer, or waits for a person. */
  refunds: 'settled' | 'held'
}

const CALM: Readonly<AdyenConditions> = {
  notices: 'once',
  refunds: 'settled',
  delayMs: 0,
  connection: 'kept',
  links: 'free',
}

/** Adyen without HTTP: its books, and the actions of people and tests. */
export interface Adyen extends Acquirer<AdyenConditions> {
  readonly book: Book
  readonly ledger: Ledger
  readonly controls: Controls
  /** The books' entries under one of the shop's references. */
  tallyOf(reference: string): Tally
  /** @throws RangeError if the name is taken */
  openAccount(account: AdyenAccount): void
}

interface AdyenDeps extends AcquirerDeps {
  readonly books: AdyenBooks
}

export function createAdyen(deps: AdyenDeps): Adyen {
  const acquirer = createAcquirer<AdyenConditions>(deps, CALM)
  const book = openBook(deps)
  const ledger: Ledger = { book, notices: acquirer.notices, unsent: [] }
  return {
    ...acquirer,
    book,
    ledger,
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

function openBook({ books, clock, randomBytes }: AdyenDeps): Book {
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
