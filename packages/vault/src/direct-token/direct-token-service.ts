import type { KeyObject } from 'node:crypto'
import { ApiError, type Failure, isSecurityCode, wrongCardFields } from '@cofre/contracts'
import { type JWK, compactDecrypt } from 'jose'
import { auditEntry } from '../audit/audit-entry.js'
import type { DataKeys, SealingDeps } from '../data-key/data-key-service.js'
import { bindKey, open, seal } from '../keys/sealed-value.js'
import { type Session, type SessionPrivateKey, sessionContext } from '../session/session.js'
import type { SessionStore } from '../session/session-store.js'
import {
  DIRECT_TOKEN_LIFETIME_MS,
  type Deposited,
  type DirectToken,
  digestOf,
  directTokenContext,
  parsePayload,
  serializePayload,
  sessionIdOf,
} from './direct-token.js'
import { findDirectToken, insertDeposit, insertDepositOfRow } from './direct-token-sql.js'

export interface DirectTokenDeps extends SealingDeps {
  readonly sessions: SessionStore
}

/**
 * Decrypts the card of a token, or a saved card's security code, seals it, and erases the session's
 * private key: from then on the token cannot be decrypted again. A repeated deposit of the same
 * token changes nothing.
 * @throws ApiError `direct_token_invalid`, `session_not_found`, `card_invalid`
 */
export async function depositDirectToken(deps: DirectTokenDeps, token: string): Promise<void> {
  const sessionId = sessionIdOf(token)
  if (sessionId === undefined) throw new ApiError('direct_token_invalid')
  const digest = digestOf(token)
  const session = await deps.sessions.find(sessionId)
  if (session === undefined || session.expiresAtMs <= deps.clock.now()) {
    const deposited = await findDirectToken(deps.database.reader, digest)
    if (deposited !== undefined && deposited.expires_at_ms > deps.clock.now()) return
    throw new ApiError('session_not_found')
  }
  const deposited = await decrypt(deps.dataKeys, session, token)
  refuseWrongCard(deposited, deps.clock.now())
  await storeToken(deps, session, await sealDeposit(deps, { token, digest }, deposited))
}

/** One error for every reason, so that answers reveal nothing about the key or the plaintext. */
async function decrypt(dataKeys: DataKeys, session: Session, token: string): Promise<Deposited> {
  const plaintext = await decryptFor(dataKeys, session, token)
  const deposited = plaintext && parsePayload(plaintext)
  if (deposited === undefined) throw new ApiError('direct_token_invalid')
  return deposited
}

/** The plaintext that was encrypted to a session; undefined if its key does not open it. */
export async function decryptFor(
  dataKeys: DataKeys,
  session: Session,
  encrypted: string,
): Promise<Uint8Array | undefined> {
  const privateKey = await privateKeyOf(dataKeys, session)
  try {
    return (await compactDecrypt(encrypted, privateKey)).plaintext
  } catch {
    return undefined
  }
}

async function privateKeyOf(
  dataKeys: DataKeys,
  { id, privateKey, sealedPrivateKey }: Session,
): Promise<KeyObject | JWK> {
  if (privateKey !== undefined) return privateKey
  const plain = open(
    await dataKeys.thatSealed(sealedPrivateKey),
    sealedPrivateKey,
    sessionContext(id),
  )
  return { ...(JSON.parse(plain.toString()) as SessionPrivateKey) }
}

function refuseWrongCard(deposited: Deposited, nowMs: number): void {
  const failures = wrongFields(deposited, nowMs).map((property): Failure => ({
    name: 'card_invalid',
    property,
    constraint: 'invalid',
  }))
  if (failures.length > 0) throw new ApiError(failures)
}

/** The length of a security code alone is checked when its card is known. */
function wrongFields(deposited: Deposited, nowMs: number): readonly string[] {
  if (deposited.kind === 'card') return wrongCardFields(deposited.card.reveal(), nowMs)
  return isSecurityCode(deposited.code.reveal()) ? [] : ['cvv']
}

/** Only the token opens the deposit: until the shop pays, the vault's own keys are not enough. */
async function sealDeposit(
  { dataKeys, clock }: DirectTokenDeps,
  { token, digest }: { readonly token: string; readonly digest: string },
  deposited: Deposited,
): Promise<DirectToken> {
  const key = bindKey(await dataKeys.ofThisHour('direct-tokens'), token)
  const sealed_card = seal(key, serializePayload(deposited), directTokenContext(digest))
  return { digest, sealed_card, expires_at_ms: clock.now() + DIRECT_TOKEN_LIFETIME_MS }
}

async function storeToken(
  { database, sessions, clock }: DirectTokenDeps,
  { id }: Session,
  token: DirectToken,
): Promise<void> {
  const event = { actor: 'page', action: 'direct_token.deposited', outcome: 'accepted' } as const
  const entry = auditEntry({ ...event, record: token.digest }, clock.now())
  const deposit = { token, entry }
  if (sessions.areRows) {
    if (await insertDepositOfRow(database, id, deposit)) return
  } else if (await sessions.erase(id)) {
    await insertDeposit(database, deposit)
    return
  }
  // Another deposit spent the session meanwhile. It may be one of this same token that is not
  // committed yet.
  const kept = await database.transact((trx) => findDirectToken(trx, token.digest))
  if (kept === undefined) throw new ApiError('session_not_found')
}
