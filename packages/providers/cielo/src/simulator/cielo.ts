import {
  type Acquirer,
  type AcquirerDeps,
  createAcquirer,
  type Tally,
} from '@cofre/provider-kit/simulator'
import { type Book, type CieloAccount, tallyOf } from './book.js'
import type { CieloBooks } from './books-file.js'
import { CALM_CIELO, type CieloConditions } from './conditions.js'
import { type Controls, createControls } from './controls.js'

/** Cielo without HTTP: its books, and the actions of people and tests. */
export interface Cielo extends Acquirer<CieloConditions> {
  readonly book: Book
  readonly controls: Controls
  /** The books' entries under one of the shop's orders. */
  tallyOf(merchantOrderId: string): Tally
  /** @throws RangeError if the id is taken */
  openAccount(account: CieloAccount): void
}

interface CieloDeps extends AcquirerDeps {
  readonly books: CieloBooks
}

export function createCielo(deps: CieloDeps): Cielo {
  const acquirer = createAcquirer<CieloConditions>(deps, CALM_CIELO)
  const book = openBook(deps)
  return {
    ...acquirer,
    book,
    controls: createControls({ book, notices: acquirer.notices }),
    tallyOf: (merchantOrderId) => tallyOf(book, merchantOrderId),
    openAccount(account) {
      const { merchantId } = account
      if (book.accounts.some((other) => other.merchantId === merchantId))
        throw new RangeError(`${merchantId} has an account`)
      book.accounts.push(account)
    },
  }
}

function openBook({ books, clock, randomBytes }: CieloDeps): Book {
  const { sales } = books
  return {
    clock,
    randomBytes,
    accounts: [],
    sales,
    checkedCards: [],
    save(sale) {
      books.append(sale)
      sales.set(sale.paymentId, sale)
    },
  }
}
