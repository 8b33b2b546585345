import { brandOf } from '@cofre/contracts/card-brand'
import { readCard, wrongFields } from './card-input.js'
import type { CreditCard, CreditCardDraft } from './credit-card.js'
import { type DepositDeps, depositCard } from './deposit.js'
import { digitsOf } from './digits.js'
import { type CardField, DirectTokenError, type DirectTokenErrorCode } from './errors.js'
import { sessionPoolAt } from './session-pool.js'

/** Options of a {@link PaymentMethod}. */
export interface PaymentMethodOptions {
  /**
   * Address of the vault: the URL above `/sessions` and `/direct-tokens`. The script tag takes the
   * directory it was loaded from; the ES module has no address of its own and needs it.
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
 * session with the vault immediately, so create one as soon as the page loads. Instances with the
 * same vault share their sessions. A page with a Content-Security-Policy lists the vault in
 * `script-src` and `connect-src`.
 */
export class PaymentMethod {
  /** Address of the vault without `options.baseUrl`; the script tag sets its own directory. */
  static baseUrl = ''

  private readonly deps: DepositDeps

  constructor(options?: PaymentMethodOptions) {
    // Own properties only: a page that pollutes Object.prototype must not redirect cards.
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
   * Encrypts the card, deposits it in the vault and calls back with the token, which pays once,
   * within 15 minutes. May be called any number of times, also during an earlier call. An exception
   * in the callback reaches the page's error handler.
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
      // Outside the promise, so that an exception in the callback is an error of the page.
      .then(queueMicrotask)
    return true
  }

  /**
   * {@link PaymentMethod.getDirectToken} as a promise.
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

  /** True if a session is open, so that a token needs only one request. */
  isReady(): boolean {
    return this.deps.sessions.isReady()
  }

  /** Brand of a number or of its first digits, for `payment-method.sub-type`; null if unknown. */
  brandOf(number: string | number): string | null {
    return brandOf(digitsOf(number))?.name ?? null
  }

  /** Fields that are missing or wrong, for hints while the shopper types. */
  validate(card: CreditCardDraft): CardField[] {
    return wrongFields(card)
  }
}
