import { type Acquirer, type AcquirerDeps, createAcquirer } from '../card-acquirer/acquirer.js'
import type { Tally } from '../card-acquirer/tally.js'
import { type Book, type CieloAccount, tallyOf } from './book.js'
import { CALM_CIELO, type CieloConditions } from './conditions.js'
import { type Controls, createControls } from './controls.js'

/** Cielo without its wires: its books, and what people and tests do to it. */
export interface Cielo extends Acquirer<CieloConditions> {
  readonly book: Book
  readonly controls: Controls
  /** What the books have under one of the shop's orders. */
  tallyOf(merchantOrderId: string): Tally
  /** @throws RangeError where there is one of this id */
  openAccount(account: CieloAccount): void
}

export function createCielo(deps: AcquirerDeps): Cielo {
  const { clock, randomBytes } = deps
  const acquirer = createAcquirer<CieloConditions>(deps, CALM_CIELO)
  const book: Book = { clock, randomBytes, accounts: [], sales: new Map() }
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
