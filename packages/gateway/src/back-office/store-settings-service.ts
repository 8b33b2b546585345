import type { Clock, Environment } from '@cofre/contracts'
import { readFieldOrigin, withOrigin, withoutOrigin } from '../model/merchant/field-origins.js'
import {
  type InterestRefusal,
  type WantedInterest,
  withInterest,
} from '../model/card/store-interest.js'
import type { StoreChange } from '../model/merchant/merchant.js'
import {
  type SettingProblems,
  type WantedSettings,
  interestMark,
  limitsOf,
  shopChange,
} from '../model/merchant/shop-settings.js'
import type { MerchantStore, RequestRules } from '../payment/ports.js'

/** Who changes a store in the console: `panel` has signed in with its secret. */
export interface SettingAuthor {
  readonly actor: `person:${string}` | 'panel'
  /** Asked when the change is made: a role may be another one since the page was shown. */
  readonly mayStill: () => Promise<boolean>
}

/** A change over the interest that its form was filled in over: see `interestMark`. */
export interface MarkedInterest extends WantedInterest {
  readonly mark: string
}

/** What became different, or why nothing did. */
export type SettingsResult<Refusal> =
  | { readonly changed: StoreChange['settings'] }
  | { readonly refused: Refusal | 'not-allowed' | 'no-store' }

export interface StoreSettingsDeps {
  readonly environment: Environment
  readonly machineClock: Clock
  readonly requestPolicy: RequestRules
  readonly merchants: MerchantStore
}

/** What a shop decides of its store. Each change stands in the log of stores with who made it. */
export function storeSettings(deps: StoreSettingsDeps) {
  const { environment, machineClock, requestPolicy } = deps
  const policy = { environment, ...requestPolicy }
  return {
    /** The limits of declines as they count for a store; undefined without one. */
    declineLimits: (merchant: Parameters<typeof limitsOf>[0]) => limitsOf(merchant, environment),

    /** Changes what a store's installments cost. */
    changeInterest: (
      merchantId: string,
      { mark, ...wanted }: MarkedInterest,
      author: SettingAuthor,
    ) =>
      change<InterestRefusal | 'meanwhile'>(deps, { merchantId, author }, (before) => {
        if (mark !== interestMark(before)) return { refused: 'meanwhile' }
        const interest = withInterest(before.interest ?? [], wanted, machineClock.now())
        return typeof interest === 'string' ? { refused: interest } : { interest }
      }),

    changeSettings: (merchantId: string, wanted: WantedSettings, author: SettingAuthor) =>
      change<SettingProblems | 'meanwhile'>(deps, { merchantId, author }, (before) =>
        shopChange(before, wanted, policy),
      ),

    /** @param text - As a person has copied it. */
    addFieldOrigin: (merchantId: string, text: string, author: SettingAuthor) =>
      change<'malformed' | 'known' | 'too-many'>(deps, { merchantId, author }, (before) => {
        const origin = readFieldOrigin(text)
        if (origin === undefined) return { refused: 'malformed' }
        const fieldOrigins = withOrigin(before.fieldOrigins, origin)
        return typeof fieldOrigins === 'string' ? { refused: fieldOrigins } : { fieldOrigins }
      }),

    removeFieldOrigin: (merchantId: string, origin: string, author: SettingAuthor) =>
      change<'unknown'>(deps, { merchantId, author }, (before) => {
        const fieldOrigins = withoutOrigin(before.fieldOrigins, origin)
        return fieldOrigins === undefined ? { refused: 'unknown' } : { fieldOrigins }
      }),
  }
}

async function change<Refusal>(
  { merchants }: StoreSettingsDeps,
  { merchantId, author }: { readonly merchantId: string; readonly author: SettingAuthor },
  decision: Parameters<typeof merchants.decide<Refusal>>[1],
): Promise<SettingsResult<Refusal>> {
  if (!(await author.mayStill())) return { refused: 'not-allowed' }
  return (await merchants.decide(merchantId, decision, author.actor)) ?? { refused: 'no-store' }
}
