// A store's settings as an operator names them, by a command or by the API of operators.
import {
  type RefundRight,
  type RequestRules,
  type TransactionLanguage,
  USUAL_LANGUAGE,
} from '@cofre/contracts'
import type { MerchantSettings } from '@cofre/gateway/room'
import { LIMIT_SETTINGS, type LimitSetting } from './shop-settings.js'

/** A limit of declines: 0 is none. */
export type NamedLimits = Readonly<Partial<Record<LimitSetting, number | 'usual' | undefined>>>

/** The settings to change; an absent one stays as it is. */
export interface NamedSettings extends NamedLimits {
  readonly name?: string | undefined
  readonly rawCards?: boolean | undefined
  readonly refunds?: RefundRight | undefined
  readonly rules?: RequestRules | undefined
  readonly cardReferences?: 'allow' | 'refuse' | undefined
  readonly signature?: 'any' | 'rfc9421' | undefined
  readonly surplus?: 'keep' | 'refund' | undefined
  readonly uncaptured?: 'void' | 'capture' | undefined
  readonly cardChecks?: 'on' | 'off' | undefined
  readonly language?: TransactionLanguage | undefined
  /** `none` clears it. */
  readonly notificationUrl?: string | undefined
  readonly installments?: number | 'usual' | undefined
  readonly fieldsBin?: 'show' | 'hide' | undefined
  readonly savedCards?: 'own' | 'fixed' | undefined
  readonly unknownFields?: 'say' | 'refuse' | undefined
}

/** Names and values as stores keep them: what is usual has no value. */
export function settingsNamed(named: NamedSettings): Partial<MerchantSettings> {
  const { name, rawCards, refunds, rules, cardReferences, fieldsBin } = named
  const { signature, surplus, language, notificationUrl, installments } = named
  const { cardChecks, savedCards, uncaptured, unknownFields } = named
  return {
    ...(name !== undefined && { name }),
    ...(rawCards !== undefined && { mayUseRawCards: rawCards }),
    ...(refunds !== undefined && { refunds }),
    ...(rules !== undefined && { rules }),
    ...(cardReferences !== undefined && { refusesCardReferences: cardReferences === 'refuse' }),
    ...(fieldsBin !== undefined && { showsBin: fieldsBin === 'show' }),
    ...(signature !== undefined && { signature: signature === 'any' ? undefined : signature }),
    ...(surplus !== undefined && { surplus: surplus === 'refund' ? undefined : surplus }),
    ...(uncaptured !== undefined && {
      uncaptured: uncaptured === 'void' ? undefined : uncaptured,
    }),
    ...(cardChecks !== undefined && { cardChecks }),
    ...(language !== undefined && {
      language: language === USUAL_LANGUAGE ? undefined : language,
    }),
    ...(notificationUrl !== undefined && {
      notificationUrl: notificationUrl === 'none' ? undefined : notificationUrl,
    }),
    ...(installments !== undefined && {
      installmentsMax: installments === 'usual' ? undefined : installments,
    }),
    ...(savedCards !== undefined && {
      savedCards: savedCards === 'fixed' ? undefined : savedCards,
    }),
    ...(unknownFields !== undefined && {
      unknownFields: unknownFields === 'say' ? undefined : unknownFields,
    }),
    ...limitsNamed(named),
  }
}

/** The settings of a new store for which none are named. */
export function newStoreSettings(
  id: string,
  named: NamedSettings,
): Omit<MerchantSettings, 'fieldOrigins'> {
  return {
    name: id,
    enabled: true,
    mayUseRawCards: false,
    refunds: 'full-and-partial',
    rules: 'specification',
    refusesCardReferences: false,
    showsBin: false,
    ...settingsNamed(named),
  }
}

function limitsNamed(named: NamedLimits): Partial<MerchantSettings> {
  const limits = LIMIT_SETTINGS.flatMap((setting) => {
    const limit = named[setting]
    return limit === undefined ? [] : [[setting, limit === 'usual' ? undefined : limit] as const]
  })
  return Object.fromEntries(limits)
}
