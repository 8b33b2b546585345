import type { Clock, Environment, RequestPolicy } from '@cofre/contracts'
import {
  type DeskStores,
  type InterestRefusal,
  type MerchantSettings,
  type SettingDecision,
  type StoreChange,
  type WantedInterest,
  withInterest,
} from '@cofre/gateway/room'
import { readFieldOrigin, withOrigin, withoutOrigin } from './model/field-origins.js'
import {
  type LimitSetting,
  type SettingProblems,
  type WantedSettings,
  interestMark,
  limitsOf,
  shopChange,
} from './model/shop-settings.js'

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

/** What a shop decides of its store. Each change stands in the log of stores with who made it. */
export interface StoreSettings {
  /** The limits of declines as they count for a store; undefined without one. */
  readonly declineLimits: (
    store: Pick<MerchantSettings, LimitSetting>,
  ) => Readonly<Record<LimitSetting, number | undefined>>
  /** Changes what a store's installments cost. */
  readonly changeInterest: (
    merchantId: string,
    wanted: MarkedInterest,
    author: SettingAuthor,
  ) => Promise<SettingsResult<InterestRefusal | 'meanwhile'>>
  readonly changeSettings: (
    merchantId: string,
    wanted: WantedSettings,
    author: SettingAuthor,
  ) => Promise<SettingsResult<SettingProblems | 'meanwhile'>>
  /** @param text - As a person has copied it. */
  readonly addFieldOrigin: (
    merchantId: string,
    text: string,
    author: SettingAuthor,
  ) => Promise<SettingsResult<'malformed' | 'known' | 'too-many'>>
  readonly removeFieldOrigin: (
    merchantId: string,
    origin: string,
    author: SettingAuthor,
  ) => Promise<SettingsResult<'unknown'>>
}

export interface StoreSettingsDeps {
  readonly environment: Environment
  readonly machineClock: Clock
  readonly requestPolicy: Pick<RequestPolicy, 'acceptsNotificationUrl'>
  readonly stores: DeskStores
}

export function storeSettings(deps: StoreSettingsDeps): StoreSettings {
  const { environment, machineClock, requestPolicy } = deps
  const { acceptsNotificationUrl } = requestPolicy
  const policy = { environment, acceptsNotificationUrl }
  return {
    declineLimits: (store) => limitsOf(store, environment),

    changeInterest: (merchantId, { mark, ...wanted }, author) =>
      change<InterestRefusal | 'meanwhile'>(deps, { merchantId, author }, (before) => {
        if (mark !== interestMark(before)) return { refused: 'meanwhile' }
        const interest = withInterest(before.interest ?? [], wanted, machineClock.now())
        return typeof interest === 'string' ? { refused: interest } : { interest }
      }),

    changeSettings: (merchantId, wanted, author) =>
      change<SettingProblems | 'meanwhile'>(deps, { merchantId, author }, (before) =>
        shopChange(before, wanted, policy),
      ),

    addFieldOrigin: (merchantId, text, author) =>
      change<'malformed' | 'known' | 'too-many'>(deps, { merchantId, author }, (before) => {
        const origin = readFieldOrigin(text)
        if (origin === undefined) return { refused: 'malformed' }
        const fieldOrigins = withOrigin(before.fieldOrigins, origin)
        return typeof fieldOrigins === 'string' ? { refused: fieldOrigins } : { fieldOrigins }
      }),

    removeFieldOrigin: (merchantId, origin, author) =>
      change<'unknown'>(deps, { merchantId, author }, (before) => {
        const fieldOrigins = withoutOrigin(before.fieldOrigins, origin)
        return fieldOrigins === undefined ? { refused: 'unknown' } : { fieldOrigins }
      }),
  }
}

async function change<Refusal>(
  { stores }: StoreSettingsDeps,
  { merchantId, author }: { readonly merchantId: string; readonly author: SettingAuthor },
  decision: SettingDecision<Refusal>,
): Promise<SettingsResult<Refusal>> {
  if (!(await author.mayStill())) return { refused: 'not-allowed' }
  return (await stores.decide(merchantId, decision, author.actor)) ?? { refused: 'no-store' }
}
