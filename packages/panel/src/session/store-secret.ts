import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, Secret } from '@cofre/contracts'
import { type Merchant, liveSecrets } from '@cofre/gateway/room'
import type { StoreSession, StoreSessions, StoreSignIn } from '@cofre/people'
import type { StoreDesk } from '../model/console-desk.js'

/** A second holder of stores' secrets, as the test store's file. */
export interface SecretKeeper {
  /** The configuration variable that sets the store's secret; undefined if it may be rotated. */
  fixedBy(storeId: string): string | undefined
  /** True for a store whose secret it holds: one for both environments, changed in the sandbox. */
  has(storeId: string): boolean
  /** Saves a new secret before the sandbox does. A rejection stops the rotation. */
  save(storeId: string, secret: Secret<string>): Promise<void>
}

export interface StoreSecretDeps {
  readonly backOffice: StoreDesk
  /** The machine's clock: it limits how long a replaced secret still signs. */
  readonly clock: Clock
  readonly secretKeeper?: SecretKeeper
}

export const SECRET_BYTES = 32

/** Undefined if the credentials are wrong. Compares in constant time. */
export async function signIn(
  { backOffice }: StoreSecretDeps,
  storeId: string,
  secret: Secret<string>,
): Promise<StoreSignIn | undefined> {
  const merchant = await backOffice.signIn(storeId, secret.reveal())
  return merchant && { storeId, secretMark: markOf(storeId, secret) }
}

/** True if a sign-in's secret still signs for its store, and the store is enabled. */
export async function isSignedIn(
  { backOffice, clock }: StoreSecretDeps,
  { storeId, secretMark }: StoreSignIn,
): Promise<boolean> {
  const merchant = await backOffice.findMerchant(storeId)
  if (merchant?.enabled !== true) return false
  const secrets = liveSecrets(merchant, clock.now())
  return secrets.some((secret) => isSameMark(secretMark, markOf(storeId, secret)))
}

export interface StoreSessionDeps extends Omit<StoreSecretDeps, 'secretKeeper'> {
  readonly storeSessions: StoreSessions
}

/** Undefined if there is no session, it has ended, or its secret no longer signs. */
export async function findStoreSession(
  deps: StoreSessionDeps,
  idHash: string,
): Promise<StoreSession | undefined> {
  const session = await deps.storeSessions.find(idHash)
  if (session === undefined || (await isSignedIn(deps, session))) return session
  await deps.storeSessions.end(idHash)
  return undefined
}

/**
 * Draws a new secret; the current one signs for another 24 hours. Requires the current secret, not
 * one that merely still signs after a rotation: the rotation may be a defence against its owner.
 */
export async function rotateSecret(
  { backOffice, secretKeeper }: StoreSecretDeps,
  storeId: string,
  current: Secret<string>,
): Promise<Secret<string> | 'fixed' | 'not-current'> {
  if (secretKeeper?.fixedBy(storeId) !== undefined) return 'fixed'
  const merchant = await backOffice.findMerchant(storeId)
  const isCurrent =
    merchant?.enabled === true &&
    isSameMark(markOf(storeId, current), markOf(storeId, merchant.secret))
  if (!isCurrent) return 'not-current'
  const secret = new Secret(randomBytes(SECRET_BYTES).toString('base64url'))
  await secretKeeper?.save(storeId, secret)
  // The write checks again: an operator may have replaced the secret meanwhile.
  const previousUntilMs = await backOffice.rotateSecret(storeId, secret, current)
  return previousUntilMs === undefined ? 'not-current' : secret
}

/** Identifies a store's current secret without revealing it. */
export function secretMark({ id, secret }: Pick<Merchant, 'id' | 'secret'>): string {
  return markOf(id, secret)
}

export function isMarkOf(merchant: Pick<Merchant, 'id' | 'secret'>, mark: string): boolean {
  return isSameMark(mark, secretMark(merchant))
}

function markOf(storeId: string, secret: Secret<string>): string {
  const text = JSON.stringify(['panel session', storeId])
  return createHmac('sha256', secret.reveal()).update(text).digest('base64url')
}

function isSameMark(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
