import type { StoreSettingsRequest } from '@cofre/contracts'
import type { NamedSettings } from '../../model/operator-settings.js'
import type { OperatorScope } from './operator-key.js'

/** The settings of a request's body. */
export function namedSettings(request: StoreSettingsRequest): NamedSettings {
  return {
    name: request.name,
    rawCards: request['raw-cards'],
    refunds: request.refunds,
    rules: request.rules,
    cardReferences: request['card-references'],
    signature: request.signature,
    surplus: request.surplus,
    cardChecks: request['card-checks'],
    language: request.language,
    notificationUrl: request['notification-url'],
    installments: request.installments,
    payerDeclines: limitOf(request['payer-declines']),
    addressDeclines: limitOf(request['address-declines']),
    binDeclines: limitOf(request['bin-declines']),
    fieldsBin: request['fields-bin'],
    savedCards: request['saved-cards'],
    unknownFields: request['unknown-fields'],
  }
}

/** 0 is no limit. */
function limitOf(limit: StoreSettingsRequest['payer-declines']): number | 'usual' | undefined {
  return limit === 'off' ? 0 : limit
}

/** Settings that need a scope of their own. */
const GUARDED: Partial<Record<keyof StoreSettingsRequest, OperatorScope>> = {
  'raw-cards': 'stores:raw-cards',
  'card-references': 'stores:card-references',
  rules: 'stores:lenient-rules',
  refunds: 'stores:refunds',
}

/** The scopes that the named settings need. */
export function scopesFor(request: StoreSettingsRequest): readonly OperatorScope[] {
  return Object.entries(GUARDED).flatMap(([name, scope]) => (name in request ? [scope] : []))
}
