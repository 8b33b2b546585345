import {
  type Acquirer,
  type AcquirerConditions,
  type AcquirerDeps,
  createAcquirer,
} from '../card-acquirer/acquirer.js'
import type { Tally } from '../card-acquirer/tally.js'
import type { Conditions } from '../pix-bank/conditions.js'
import { type AdyenAccount, type Book, tallyOf } from './book.js'
import { type Controls, createControls } from './controls.js'
import type { Ledger } from './events.js'

/** How Adyen behaves: what a person sets on its page. */
export type AdyenConditions = AcquirerConditions & Pick<Conditions, 'refunds'>

const CALM: Readonly<AdyenConditions> = {
  notices: 'once',
  refunds: 'settled',
  delayMs: 0,
  connection: 'kept',
}

/** Adyen without its wires: its books, and what people and tests do to it. */
export interface Adyen extends Acquirer<AdyenConditions> {
  readonly book: Book
  readonly ledger: Ledger
  readonly controls: Controls
  /** What the books have under one of the shop's references. */
  tallyOf(reference: string): Tally
  /** @throws RangeError where there is one of this name */
  openAccount(account: AdyenAccount): void
}

export function createAdyen(deps: AcquirerDeps): Adyen {
  const { clock, randomBytes } = deps
  const acquirer = createAcquirer<AdyenConditions>(deps, CALM)
  const book: Book = { clock, randomBytes, accounts: [], payments: new Map() }
  const ledger: Ledger = { book, notices: acquirer.notices, told: new Map() }
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
