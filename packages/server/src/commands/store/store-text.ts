// The settings of a store in the output of commands.
import { INSTALLMENTS_MAX, USUAL_LANGUAGE } from '@cofre/contracts'
import { type SettingValue, type StoreChange } from '@cofre/gateway'
import { LIMIT_SETTINGS } from '@cofre/operator'

export function shownDeclines(limit: SettingValue | undefined): SettingValue {
  return limit === 0 ? 'off' : (limit ?? 'usual')
}

/** Meanings of settings without a value. */
const UNSET: Readonly<Record<string, SettingValue>> = {
  signature: 'any',
  surplus: 'refund',
  uncaptured: 'void',
  language: USUAL_LANGUAGE,
  notificationUrl: 'none',
  installmentsMax: INSTALLMENTS_MAX,
  savedCards: 'fixed',
  unknownFields: 'say',
  cardChecks: 'usual',
}
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  mayUseRawCards: 'rawCards',
  installmentsMax: 'installments',
}

/** Settings in the form of `store list --json`. */
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

/** Old and new values. As JSON, so that a name can't break a line or imitate other text. */
export function settingsText(settings: StoreChange['settings']): string {
  return Object.entries(shownSettings(settings))
    .map(([name, { from, to }]) => {
      const before = from === undefined ? '' : `${JSON.stringify(from)} -> `
      return `${name} ${before}${JSON.stringify(to)}`
    })
    .join(', ')
}
