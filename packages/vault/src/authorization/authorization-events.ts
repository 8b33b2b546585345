import type { CardRefusal, SavedCardSummary } from '@cofre/contracts'
import type { AuditEvent } from '../audit/audit-entry.js'
import type { AuthorizationKey, KnownOutcome, OpenAuthorization } from './authorization.js'

type Ordered = Pick<OpenAuthorization, 'environment' | 'transactionCode' | 'merchantId'>

/** What the audit log says of an order that was answered. */
export function authorizationEvent(
  { environment, transactionCode, merchantId }: Ordered,
  outcome: KnownOutcome | CardRefusal,
): AuditEvent {
  return {
    actor: `store:${merchantId}`,
    action: 'card.authorized',
    environment,
    merchantId,
    record: transactionCode,
    outcome,
  }
}

/** What the audit log says of an order whose outcome is stored. */
export function outcomeEvents(
  order: Ordered,
  outcome: KnownOutcome,
  savedCard: SavedCardSummary | undefined,
): AuditEvent[] {
  const authorized = authorizationEvent(order, outcome)
  if (savedCard === undefined) return [authorized]
  const saved = { action: 'saved_card.saved', record: savedCard.code, outcome: 'saved' } as const
  return [authorized, { ...authorized, ...saved }]
}

/** What the audit log says when somebody asks what became of an order. */
export function recallEvent(
  { environment, transactionCode }: AuthorizationKey,
  outcome: 'found' | 'void',
): AuditEvent {
  return {
    actor: 'gateway',
    action: 'authorization.recalled',
    environment,
    record: transactionCode,
    outcome,
  }
}

/** What the audit log says when the card that an order saved may be used. */
export function activationEvent({ environment }: AuthorizationKey, code: string): AuditEvent {
  return {
    actor: 'gateway',
    action: 'saved_card.activated',
    environment,
    record: code,
    outcome: 'active',
  }
}
