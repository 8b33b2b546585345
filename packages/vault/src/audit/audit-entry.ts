import { type KeyObject, createHmac, randomBytes } from 'node:crypto'
import type { Environment, Secret } from '@cofre/contracts'
import type { VaultTables } from '../database/vault-tables.js'

/** The actions that an auditor asks about. */
export type AuditAction =
  | 'direct_token.deposited'
  | 'card.authorized'
  | 'card.captured'
  | 'card.voided'
  | 'authorization.recalled'
  | 'card.checked'
  | 'saved_card.saved'
  | 'saved_card.activated'
  | 'saved_card.deleted'
  | 'saved_cards.linked'
  | 'account.added'
  | 'account.rotated'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.renamed'
  | 'accounts.ordered'
  | 'key.added'
  | 'key.split'
  | 'key.removed'
  | 'data_keys.rewrapped'
  | 'audit_log.verified'
  | 'charge.resolved'
  | 'refund.resolved'
  | 'cancel.resolved'
  | 'capture.resolved'
  | 'changes.reported_again'
  | 'card_fields.set'

/**
 * The actor: a shop's page, a store, the gateway on its own, `npm start`, or an operator at the
 * command line.
 */
export type AuditActor = 'page' | 'gateway' | 'start' | `store:${string}` | `operator:${string}`

/** An action of an actor. Never holds card data, not even masked. */
export interface AuditEvent {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly environment?: Environment | undefined
  readonly merchantId?: string | undefined
  /**
   * A token's digest, a transaction's code, a saved card's code, an account's or a key's id, the
   * charges that accounts were ordered for, the time from which changes are reported again, or the
   * store whose card fields were set.
   */
  readonly record: string
  readonly outcome: string
}

/** An entry as readers see it. */
export interface AuditEntry extends AuditEvent {
  /** Ordered by time. */
  readonly id: string
  readonly atMs: number
}

/** An entry at rest. */
export type AuditRow = VaultTables['audit_log']

/** A place in the chain: the number of entries up to it, and a code over all of them. */
export interface ChainLink {
  readonly position: number
  /** HMAC-SHA-256, base64url. */
  readonly mac: string
}

/** An entry with its place in the chain. */
export type ChainedRow = AuditRow & ChainLink

export const CHAIN_START: ChainLink = { position: 0, mac: '' }

const TIME_DIGITS = 9
const RANDOM_BYTES = 8

/** The entry of an event, without a place in the chain yet. */
export function auditEntry(event: AuditEvent, atMs: number): AuditRow {
  const { actor, action, environment = null, merchantId = null, record, outcome } = event
  const time = atMs.toString(36).padStart(TIME_DIGITS, '0')
  return {
    id: `${time}-${randomBytes(RANDOM_BYTES).toString('hex')}`,
    at_ms: atMs,
    actor,
    action,
    environment,
    merchant_id: merchantId,
    record,
    outcome,
    position: null,
    mac: null,
  }
}

/**
 * The link of an entry that follows another. It is keyed: access to the database alone forges no
 * chain.
 */
export function linkAfter(previous: ChainLink, entry: AuditRow, key: Secret<KeyObject>): ChainLink {
  const position = previous.position + 1
  const { id, at_ms, actor, action, environment, merchant_id, record, outcome } = entry
  const content = [id, at_ms, actor, action, environment, merchant_id, record, outcome]
  const mac = createHmac('sha256', key.reveal())
    .update(JSON.stringify([previous.mac, position, ...content]))
    .digest('base64url')
  return { position, mac }
}

/** `<position>:<code>`. Keep it out of reach of anyone who can change the database. */
export function headText({ position, mac }: ChainLink): string {
  return `${position}:${mac}`
}

/** Undefined if the text is no head. */
export function parseHead(text: string): ChainLink | undefined {
  const { position, mac } = /^(?<position>\d{1,15}):(?<mac>[\w-]{43})$/.exec(text)?.groups ?? {}
  return position === undefined || mac === undefined
    ? undefined
    : { position: Number(position), mac }
}
