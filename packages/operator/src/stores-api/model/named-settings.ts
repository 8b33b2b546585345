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
    uncaptured: request.uncaptured,
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

/** Settings that need a scope of their own, unless they get their strictest value. */
const GUARDED = [
  { name: 'raw-cards', strictest: false, scope: 'stores:raw-cards' },
  { name: 'card-references', strictest: 'refuse', scope: 'stores:card-references' },
  { name: 'rules', strictest: 'specification', scope: 'stores:lenient-rules' },
  { name: 'refunds', strictest: 'none', scope: 'stores:refunds' },
] as const satisfies readonly {
  readonly name: keyof StoreSettingsRequest
  readonly strictest: unknown
  readonly scope: OperatorScope
}[]

/** The scopes that the named settings need. */
export function scopesFor(request: StoreSettingsRequest): readonly OperatorScope[] {
  return GUARDED.flatMap(({ name, strictest, scope }) => {
    const value = request[name]
    return value === undefined || value === strictest ? [] : [scope]
  })
}
