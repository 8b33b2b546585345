// The settings of a store as commands show them.
import { INSTALLMENTS_MAX, USUAL_LANGUAGE } from '@cofre/contracts'
import { type SettingValue, type StoreChange } from '@cofre/gateway'
import { LIMIT_SETTINGS, type LimitSetting } from '@cofre/operator'

export type DeclineOptions = Partial<Readonly<Record<LimitSetting, number | 'usual'>>>

export function shownDeclines(limit: SettingValue | undefined): SettingValue {
  return limit === 0 ? 'off' : (limit ?? 'usual')
}

/** What a setting without a value is. */
const UNSET: Readonly<Record<string, SettingValue>> = {
  signature: 'any',
  surplus: 'refund',
  language: USUAL_LANGUAGE,
  notificationUrl: 'none',
  installmentsMax: INSTALLMENTS_MAX,
  savedCards: 'fixed',
  unknownFields: 'say',
}
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  mayUseRawCards: 'rawCards',
  installmentsMax: 'installments',
}

/** Settings as `store list --json` has them. */
export function shownSettings(settings: StoreChange['settings']): StoreChange['settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([name, change]) => {
      const { from, to } = change
      const unset = UNSET[name]
      if (LIMIT_SETTINGS.some((one) => one === name))
        return [name, { from: shownDeclines(from), to: shownDeclines(to) }]
      const shown = unset === undefined ? change : { from: from ?? unset, to: to ?? unset }
      return [SHOWN_NAMES[name] ?? name, shown]
    }),
  )
}

/** What was and what is. As JSON, so that no name breaks a line or looks like something else. */
export function settingsText(settings: StoreChange['settings']): string {
  return Object.entries(shownSettings(settings))
    .map(([name, { from, to }]) => {
      const before = from === undefined ? '' : `${JSON.stringify(from)} -> `
      return `${name} ${before}${JSON.stringify(to)}`
    })
    .join(', ')
}
