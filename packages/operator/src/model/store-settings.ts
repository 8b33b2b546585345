import type {
  InterestRefusal,
  MerchantSettings,
  StoreChange,
  WantedInterest,
} from '@cofre/gateway/room'
import type { LimitSetting, SettingProblems, WantedSettings } from './shop-settings.js'

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
