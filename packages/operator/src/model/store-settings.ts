import type {
  InterestRefusal,
  MerchantSettings,
  StoreChange,
  WantedInterest,
} from '@cofre/gateway/room'
import type { LimitSetting, SettingProblems, WantedSettings } from './shop-settings.js'

/** The author of a store's change in the console: `panel` has signed in with its secret. */
export interface SettingAuthor {
  readonly actor: `person:${string}` | 'panel'
  /** Called at the time of the change: a role may have changed since the page was shown. */
  readonly isStillAllowed: () => Promise<boolean>
}

/** A change with the mark of the interest that its form showed: see `interestMark`. */
export interface MarkedInterest extends WantedInterest {
  readonly mark: string
}

/** The changed settings, or why none changed. */
export type SettingsResult<Refusal> =
  | { readonly changed: StoreChange['settings'] }
  | { readonly refused: Refusal | 'not-allowed' | 'no-store' }

/** The shop's own settings. The log of stores records each change with its author. */
export interface StoreSettings {
  /** The effective limits of a store's declines; undefined without one. */
  readonly declineLimits: (
    store: Pick<MerchantSettings, LimitSetting>,
  ) => Readonly<Record<LimitSetting, number | undefined>>
  /** Changes a store's interest on installments. */
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
  /** @param text - As copied by a person. */
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
