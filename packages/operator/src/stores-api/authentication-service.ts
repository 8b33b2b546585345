import { verify } from 'node:crypto'
import { ApiError, type Clock, type Log, hasSignature } from '@cofre/contracts'
import {
  type RandomBelow,
  type ReceivedRequest,
  type RequestNonce,
  badFormat,
  nonceOf,
  readMessage,
  requireFresh,
} from '@cofre/gateway/room'
import { type OperatorKey, publicKeyOf } from './model/operator-key.js'
import type { LogRefusedUse, RequestedStore } from './refused-uses.js'
import type { OperatorKeys } from './sql/operator-key-sql.js'

export interface AuthenticationDeps {
  readonly log: Log
  readonly keys: Pick<OperatorKeys, 'find' | 'used'>
  readonly machineClock: Clock
  /** The addresses of this API that may be signed. */
  readonly origins: readonly string[]
  readonly randomBelow: RandomBelow
  readonly refused: LogRefusedUse
  /** True if an address is in one of the networks. */
  readonly isAmong: (networks: readonly string[], address: string) => boolean
}

/** An operator's request. */
export interface OperatorSigner {
  readonly key: OperatorKey
  /** The first commit of a `POST` must record it. */
  readonly nonce: RequestNonce
}

/** The sender of a request, and its path's place. */
export interface OperatorSending {
  readonly address: string
  readonly place: RequestedStore
}

/** The name of an operator's key where stores' ids stand: no store has a slash. */
export function senderOf({ id }: Pick<OperatorKey, 'id'>): string {
  return `operator/${id}`
}

/**
 * The operator's key that signed the request, by RFC 9421 with Ed25519 and a nonce, and nothing
 * else.
 * @throws ApiError header_authorization_*, signature_expired, operator_address_refused
 */
export async function authenticateOperator(
  deps: AuthenticationDeps,
  request: ReceivedRequest,
  sent: OperatorSending,
): Promise<OperatorSigner> {
  const { keys, machineClock, origins, randomBelow, isAmong } = deps
  if (!hasSignature(request.header('signature-input') ?? ''))
    throw new ApiError('header_authorization_missing')
  if ((request.header('authorization') ?? '') !== '') throw badFormat('both')
  const message = readMessage(request, { origins, algorithm: 'ed25519' })
  const key = await keys.find(message.signature.keyid)
  const isSigned =
    key !== undefined &&
    message.bases.some((base) => verify(null, Buffer.from(base), publicKeyOf(key), message.bytes))
  if (!isSigned) throw new ApiError('header_authorization_invalid')
  const nonce = nonceOf(message, senderOf(key), randomBelow)
  if (nonce === undefined) throw badFormat('nonce')
  const nowMs = machineClock.now()
  requireFresh(message, request, nowMs)
  if (key.endsAtMs !== undefined && key.endsAtMs <= nowMs) {
    await deps.refused({ key, ...sent, why: 'ended' })
    throw new ApiError('header_authorization_invalid')
  }
  const { address } = sent
  if (key.addresses.length > 0 && !isAmong(key.addresses, address)) {
    await deps.refused({ key, ...sent, why: 'address' })
    throw new ApiError([{ name: 'operator_address_refused', cause: 'address', named: { address } }])
  }
  await recordKeyUse(deps, key)
  return { key, nonce }
}

/** A request passes even if its key's use cannot be written, as while a disk is full. */
async function recordKeyUse({ keys, log }: AuthenticationDeps, key: OperatorKey): Promise<void> {
  try {
    await keys.used(key)
  } catch (error) {
    log.warn({ error, key: key.id }, 'the last use of an operator’s key was not recorded')
  }
}
