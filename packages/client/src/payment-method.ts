import { brandOf } from '@cofre/contracts/card-brand'
import { readCard, wrongFields } from './card-input.js'
import type { CreditCard, CreditCardDraft } from './credit-card.js'
import { type DepositDeps, depositCard } from './deposit.js'
import { digitsOf } from './digits.js'
import { type CardField, DirectTokenError, type DirectTokenErrorCode } from './errors.js'
import { sessionPoolAt } from './session-pool.js'

/** What a page may set when it makes a {@link PaymentMethod}. */
export interface PaymentMethodOptions {
  /**
   * Where the vault is: the URL that `/sessions` and `/direct-tokens` are under. The script tag
   * takes the directory it was loaded from; the ES module has no address of its own and needs it.
   */
  readonly baseUrl?: string
  /** Milliseconds to wait for a session before `session_creating_in_progress`; 3000 by default. */
  readonly sessionTimeout?: number
  /** Id of the only store that may pay with the tokens (at most 100 characters); default: any. */
  readonly store?: string
}

/** Called once, never before `getDirectToken` has returned. */
export type DirectTokenCallback = (err: DirectTokenErrorCode | null, directToken?: string) => void

/**
 * Turns a card into a direct token without the card passing through the shop's server. Opens a
 * session with the vault at once, so make one as soon as the page loads; instances with the same
 * vault share their sessions. A page with a Content-Security-Policy lists the vault in `script-src`
 * and `connect-src`.
 */
export class PaymentMethod {
  /** Where the vault is without `options.baseUrl`; the script tag sets its own directory. */
  static baseUrl = ''

  private readonly deps: DepositDeps

  constructor(options?: PaymentMethodOptions) {
    // Own properties alone: a page's flaw that pollutes Object.prototype must not redirect cards.
    const {
      baseUrl = PaymentMethod.baseUrl,
      sessionTimeout = 3000,
      store,
    }: PaymentMethodOptions & { __proto__: null } = { __proto__: null, ...options }
    const url = baseUrl.replace(/\/+$/, '')
    const sessions = sessionPoolAt(url)
    this.deps = { baseUrl: url, sessions, sessionTimeout, store }
    sessions.prepare()
  }

  /**
   * Encrypts the card, leaves it in the vault and calls back with the token that pays with it,
   * once, within 15 minutes. May be called as often as needed, also while an earlier call is under
   * way. What the callback throws reaches the page's error handler.
   * @param callback - Gets `(null, directToken)`, or the reason as `(err)`.
   * @returns false, with `callback_must_be_a_function` on the console, without a callback
   */
  getDirectToken(card: CreditCard, callback: DirectTokenCallback): boolean {
    if (typeof callback !== 'function') {
      console.error('callback_must_be_a_function')
      return false
    }
    void this.createDirectToken(card)
      .then(
        (token) => (): void => {
          callback(null, token)
        },
        (error: unknown) => (): void => {
          callback((error as DirectTokenError).code)
        },
      )
      // Outside the promise, so that what the callback throws is an error of the page.
      .then(queueMicrotask)
    return true
  }

  /**
   * The same as {@link PaymentMethod.getDirectToken}, as a promise.
   * @throws DirectTokenError with the `code` the callback would get and the wrong `fields`
   */
  async createDirectToken(card: CreditCard): Promise<string> {
    try {
      return await depositCard(this.deps, readCard(card))
    } catch (error) {
      throw error instanceof DirectTokenError
        ? error
        : new DirectTokenError('credit_card_internal_error')
    }
  }

  /** Whether a session is open, so that a token needs one request only. */
  isReady(): boolean {
    return this.deps.sessions.isReady()
  }

  /** The brand of a number or of its first digits, for `payment-method.sub-type`; or null. */
  brandOf(number: string | number): string | null {
    return brandOf(digitsOf(number))?.name ?? null
  }

  /** The fields that are missing or wrong, for hints while the shopper types. */
  validate(card: CreditCardDraft): CardField[] {
    return wrongFields(card)
  }
}
