import type { Clock, Environment, RequestPolicy } from '@cofre/contracts'
import {
  type DeskStores,
  type InterestRefusal,
  type SettingDecision,
  withInterest,
} from '@cofre/gateway/room'
import { readFieldOrigin, withOrigin, withoutOrigin } from './model/field-origins.js'
import { type SettingProblems, interestMark, limitsOf, shopChange } from './model/shop-settings.js'
import type { SettingAuthor, SettingsResult, StoreSettings } from './model/store-settings.js'

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
  if (!(await author.isStillAllowed())) return { refused: 'not-allowed' }
  return (await stores.decide(merchantId, decision, author.actor)) ?? { refused: 'no-store' }
}
