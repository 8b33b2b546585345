import {
  type BankAccount,
  type Conditions,
  type PixBank,
  type PixBankDeps,
  createPixBank,
} from '@cofre/pix-api/simulator-parts'
import { type Disturbances } from '@cofre/provider-kit/simulator'
import { type Boleto, type InterBook, enterAtInter } from './book.js'
import type { InterBooks } from './books-file.js'
import type { BoletoDeps } from './boletos.js'
import {
  type CallBudget,
  type CallLimits,
  PRODUCTION_LIMITS,
  createCallBudget,
} from './call-budget.js'
import { type Callbacks, createCallbacks } from './callbacks.js'
import { type InterControls, createInterControls } from './controls.js'

/** `lifetime` only applies to charges by Pix, which this bank does not offer. */
export interface InterConditions extends Omit<Conditions, 'lifetime'> {
  /** The time to process a boleto, in milliseconds; `held`: until a person issues it. */
  issue: number | 'held'
}

export const CALM_INTER: Readonly<InterConditions> = {
  notices: 'once',
  refunds: 'settled',
  delayMs: 0,
  connection: 'kept',
  issue: 0,
}

export interface InterAccount extends BankAccount {
  /** `conta corrente`: digits, without leading zeros. */
  readonly number: string
}

export interface InterDeps extends Pick<
  PixBankDeps,
  'clock' | 'randomBytes' | 'post' | 'tokenLifetimeS' | 'wait'
> {
  readonly books: InterBooks
  readonly limits?: Partial<CallLimits> | undefined
}

/** Inter without HTTP: its books, and the actions of people and tests. */
export interface Inter {
  readonly book: InterBook
  /** Payments by Pix, their refunds and tokens, as at any bank with the API Pix. */
  readonly pix: PixBank
  /** May change at any time. */
  readonly conditions: InterConditions
  readonly disturbances: Disturbances
  readonly wait: (ms: number) => Promise<unknown>
  readonly budget: CallBudget
  readonly callbacks: Callbacks
  readonly controls: InterControls
  readonly boletos: BoletoDeps
  /** @throws RangeError if a Pix key, the client or the receiver has an account */
  openAccount(account: InterAccount): void
  /**
   * The number of a receiver's account.
   * @throws RangeError for a receiver without one
   */
  numberOf(taxId: string): string
  /** Issues a boleto at its time. */
  schedule(boleto: Boleto): void
}

export function createInter(deps: InterDeps): Inter {
  const { books, clock, post, limits } = deps
  const pix = createPixBank(deps)
  const conditions: InterConditions = Object.assign(pix.conditions, { issue: CALM_INTER.issue })
  const book: InterBook = {
    ...pix.book,
    ...books.records,
    save(change) {
      books.append(change)
      enterAtInter(books.records, change)
    },
  }
  const numbers = new Map<string, string>()
  const numberOf = (taxId: string): string => {
    const number = numbers.get(taxId)
    if (number === undefined) throw new RangeError(`${taxId} has no account`)
    return number
  }
  const callbacks = createCallbacks({ book, conditions, post, wait: pix.wait })
  const boletos: BoletoDeps = {
    book,
    announce: (boleto) => {
      callbacks.announce(boleto)
    },
  }
  const schedule = ({ code, situation, issueAtMs }: Boleto): void => {
    if (situation !== 'EM_PROCESSAMENTO' || issueAtMs === undefined) return
    void pix.wait(Math.max(0, issueAtMs - clock.now())).then(() => {
      controls.boletoOf(code)
    })
  }
  const controls = createInterControls({
    ...boletos,
    send: (notified) => {
      callbacks.send(notified)
    },
  })
  return {
    book,
    pix,
    conditions,
    disturbances: pix.disturbances,
    wait: pix.wait,
    budget: createCallBudget(clock, { ...PRODUCTION_LIMITS, ...limits }),
    callbacks,
    boletos,
    controls,
    numberOf,
    schedule,
    openAccount({ number, ...account }) {
      pix.openAccount(account)
      numbers.set(account.taxId, number)
      for (const boleto of book.boletos.values())
        if (boleto.receiver.taxId === account.taxId) schedule(boleto)
    },
  }
}
