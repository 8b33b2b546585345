import { randomInt, timingSafeEqual } from 'node:crypto'
import { type CardDetails, type Environment, Secret } from '@cofre/contracts'
import type { VaultTables } from '../database/vault-tables.js'
import { keyedDigest } from '../keys/keyed-digest.js'
import type { SealContext, SealingKey } from '../keys/sealed-value.js'
import { type CardLinks, type LinkColumns, linksOfRow } from './card-links.js'

/** PAN and expiry: all that may be kept of a card after its authorization (PCI DSS 3.3.1). */
export type SealedCardData = Omit<CardDetails, 'cvv'>

export interface OpenedCard {
  readonly card: Secret<SealedCardData>
  readonly links: CardLinks
}

/** The content of a saved card's sealed text. */
export function serializeCard(card: Secret<SealedCardData>): string {
  const { number, month, year } = card.reveal()
  return JSON.stringify({ number, month, year })
}

/** @param row - The ids that are not sealed with the card. */
export function parseOpened(text: string, row: LinkColumns): OpenedCard {
  const { number, month, year, networkTransactionId } = JSON.parse(text) as SealedCardData & {
    readonly networkTransactionId?: string
  }
  const card = new Secret({ number, month, year })
  return { card, links: linksOfRow(row, networkTransactionId) }
}

/** A saved card at rest. */
export type SavedCard = VaultTables['saved_cards']

/** The card's owner, as a keyed digest: the vault keeps no e-mail. */
export type PayerDigest = string

export interface Payer {
  readonly environment: Environment
  readonly merchantId: string
  readonly payerEmail: string
}

const CODE_LENGTH = 32
const CODE_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 alphanumeric characters (specification, section 7.4, 210220), 190 random bits. */
export function generateSavedCardCode(): string {
  return Array.from(
    { length: CODE_LENGTH },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join('')
}

export function payerDigest(key: SealingKey, payer: Payer): PayerDigest {
  const { environment, merchantId, payerEmail } = payer
  return keyedDigest(key, ['payer', environment, merchantId, payerEmail.toLowerCase()])
}

/** Identifies a payer's card. Cards of two payers or two stores never match. */
export function cardFingerprint(key: SealingKey, payer: PayerDigest, number: string): string {
  return keyedDigest(key, ['card', payer, number])
}

export function isSameDigest(one: PayerDigest, other: PayerDigest): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export type SavedCardIdentity = Pick<Payer, 'environment' | 'merchantId'> & Pick<SavedCard, 'code'>

export function savedCardContext(card: SavedCardIdentity): SealContext {
  const { code, environment, merchantId } = card
  return { purpose: 'saved-card', environment, merchantId, recordId: code }
}
