import {
  type Environment,
  INSTALLMENTS_MAX,
  type StoreElement,
  type StoreKeyElement,
  USUAL_LANGUAGE,
} from '@cofre/contracts'
import {
  type Merchant,
  type ShownKey,
  formatTimestamp,
  mayCheckCards,
  timestampOrNull,
} from '@cofre/gateway/room'

/** A store in an answer: all of its settings, the usual ones too. */
export function storeElement(store: Merchant, environment: Environment): StoreElement {
  return {
    id: store.id,
    environment,
    suspended: !store.enabled,
    name: store.name,
    refunds: store.refunds,
    rules: store.rules,
    'raw-cards': store.mayUseRawCards,
    'card-references': store.refusesCardReferences ? 'refuse' : 'allow',
    signature: store.signature ?? 'any',
    surplus: store.surplus ?? 'refund',
    uncaptured: store.uncaptured ?? 'void',
    'card-checks': mayCheckCards(store, environment) ? 'on' : 'off',
    language: store.language ?? USUAL_LANGUAGE,
    'notification-url': store.notificationUrl ?? null,
    installments: store.installmentsMax ?? INSTALLMENTS_MAX,
    'payer-declines': shownLimit(store.payerDeclines),
    'address-declines': shownLimit(store.addressDeclines),
    'bin-declines': shownLimit(store.binDeclines),
    'field-origins': [...store.fieldOrigins],
    'fields-bin': store.showsBin ? 'show' : 'hide',
    ...(environment === 'sandbox' && {
      'saved-cards': store.savedCards ?? 'fixed',
      'unknown-fields': store.unknownFields ?? 'say',
    }),
  }
}

function shownLimit(limit: number | undefined): 'usual' | 'off' | number {
  return limit === 0 ? 'off' : (limit ?? 'usual')
}

/** A key in an answer, without its secret. */
export function keyElement(key: ShownKey, machineNowMs: number): StoreKeyElement {
  const { previousUntilMs = 0 } = key
  return {
    key: key.id,
    name: key.name,
    scopes: [...key.scopes],
    'date-created': formatTimestamp(key.createdAtMs),
    'date-last-used': timestampOrNull(key.usedAtMs),
    'date-end': timestampOrNull(key.endsAtMs),
    'previous-secret-until':
      previousUntilMs > machineNowMs ? formatTimestamp(previousUntilMs) : null,
  }
}
