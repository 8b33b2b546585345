// Orders that wait for their payer to be authenticated by the card's bank.
import type { AuthenticationAction, CardAuthentication } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { type SealContext, open, seal } from '../keys/sealed-value.js'
import type {
  AnsweredOrder,
  Arrived,
  ChargeContent,
  SettledAuthorization,
} from './authorization.js'
import { findAuthentication, insertAuthentication } from './card-authentication-sql.js'
import { AUTHENTICATION_MS } from './card-charge.js'
import { type ChargedOrder, endOrder, fingerprintOf } from './charge-end-service.js'

type OfOrder = Pick<Arrived, 'environment' | 'merchantId' | 'transactionCode'>

/** An authentication that is about to be stored with its order. */
export interface NewWait {
  readonly authentication: CardAuthentication
  readonly store: (trx: VaultConnection) => Promise<void>
}

/** Seals the payer's next step. The returned function stores it, inside a transaction. */
export async function prepareWait(
  deps: SealingDeps,
  order: OfOrder,
  { action, content }: { readonly action: AuthenticationAction; readonly content: ChargeContent },
): Promise<NewWait> {
  const expiresAtMs = deps.clock.now() + AUTHENTICATION_MS
  // This hour's key outlives it.
  const key = await deps.dataKeys.ofThisHour('authorizations')
  const sealedAction = seal(key, JSON.stringify(action), contextOf(order, 'action'))
  const fingerprint = await fingerprintOf(deps, order, content)
  return {
    authentication: { action, expiresAtMs },
    store: (trx) => insertAuthentication(trx, order, { sealedAction, expiresAtMs, fingerprint }),
  }
}

interface AskedOrder {
  readonly order: ChargedOrder
  readonly content: ChargeContent
}

/** Lets a charge wait for its payer, and erases its card; undefined if it has ended. */
export async function beginAuthentication(
  deps: SealingDeps,
  { order, content }: AskedOrder,
  action: AuthenticationAction,
): Promise<AnsweredOrder | undefined> {
  const { authentication, store } = await prepareWait(deps, order, { action, content })
  const answer = await endOrder(
    deps,
    { order, content },
    { outcome: 'pending', payment: undefined, decline: undefined, surplus: [], also: store },
  )
  return answer && { ...answer, authentication }
}

/**
 * The stored answer to an order, with the payer's next step while the vault waits for the payer.
 * There is none while a result is still to be judged: a payer is never authenticated twice.
 */
export async function answerWithAction(
  { clock, database, dataKeys }: SealingDeps,
  order: SettledAuthorization,
): Promise<AnsweredOrder> {
  const { answer } = order
  if (answer.outcome !== 'pending') return answer
  const waiting = await findAuthentication(database.reader, order)
  if (waiting?.sealedAction === undefined || waiting.expiresAtMs <= clock.now()) return answer
  if (waiting.sealedResult !== undefined) return answer
  const { sealedAction, expiresAtMs } = waiting
  const key = await dataKeys.thatSealed(sealedAction)
  const text = open(key, sealedAction, contextOf(order, 'action')).toString()
  return {
    ...answer,
    authentication: { action: JSON.parse(text) as AuthenticationAction, expiresAtMs },
  }
}

/** The context that a sealed part of an authentication is bound to. */
export function contextOf(
  { environment, merchantId, transactionCode: recordId }: OfOrder,
  part: 'action' | 'result',
): SealContext {
  return { purpose: `authentication-${part}`, environment, merchantId, recordId }
}
