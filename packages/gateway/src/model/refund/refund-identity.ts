// The names that distinguish a refund from the others of its transaction, here and at the provider
// that sends the money.
import { createHash } from 'node:crypto'
import { DAY_MS, type RefundStatus } from '@cofre/contracts'

/** The beginning of the name of each refund that the gateway requests from a bank. */
export const REFUND_NAME_PREFIX = 'cofre'
const BANK_NAME_LENGTH_MAX = 35

interface Named {
  readonly id: number
  readonly transactionCode: number
  /** The merchant's own identifier. */
  readonly reference: string | undefined
  readonly identity: string | undefined
}

/**
 * The name of a refund at a bank, made of its request's data. A request that is repeated after a
 * database was restored names the refund that the bank has.
 */
export function bankRefundId({ id, identity, reference, transactionCode }: Named): string {
  // Release 0.2 distinguished refunds only by their reference.
  const name = identity ?? reference
  if (name === undefined) return `${REFUND_NAME_PREFIX}${id}`
  const digest = createHash('sha256').update(`${transactionCode} ${name}`).digest('hex')
  return `${REFUND_NAME_PREFIX}${digest}`.slice(0, BANK_NAME_LENGTH_MAX)
}

/** The key of a refund's request: the same key always means the same refund. */
export interface RefundKey {
  /** A keyed digest, which the refund's row has as long as it is stored. */
  readonly digest: string
  /** The reference of this very request's refund, if release 0.2 inserted it: without a digest. */
  readonly referenceBy02: string | undefined
}

interface RequestedRefund extends Omit<Named, 'identity'> {
  readonly amountMinor: number
  readonly notifyUrl: string
  readonly requestedAtMs: number
}

/** A refund that the transaction has. */
interface Known extends RequestedRefund, Named {
  readonly status: RefundStatus
  readonly providerRefundId: string | undefined
}

/** How long an equal request without a key counts as a repetition. */
const REPETITION_MS = DAY_MS

/**
 * The refund that a request means among those of its transaction. `known`: one that this key has
 * started before. `equal`: one that a request without a key may repeat. `new`: another one.
 */
export type RefundMatch<Refund> =
  | { readonly kind: 'known' | 'equal'; readonly earlier: Refund }
  | { readonly kind: 'new'; readonly identity: string | undefined }

export function matchRefund<Refund extends Known>(
  asked: RequestedRefund,
  refunds: readonly Refund[],
  key?: RefundKey,
): RefundMatch<Refund> {
  if (key === undefined) return matchWithoutKey(asked, refunds)
  const identity = `k${key.digest}`
  const earlier = refunds.find(
    (one) => hasIdentity(one, { ...asked, identity }) || isBy02(one, asked, key),
  )
  return earlier === undefined ? { kind: 'new', identity } : { kind: 'known', earlier }
}

/** A provider may have a refund that a restored database has forgotten. */
function hasIdentity(one: Known, named: Named): boolean {
  return named.identity === one.identity || one.providerRefundId === bankRefundId(named)
}

function isBy02(one: Known, asked: RequestedRefund, { referenceBy02 }: RefundKey): boolean {
  return (
    referenceBy02 !== undefined &&
    one.identity === undefined &&
    one.reference === referenceBy02 &&
    one.amountMinor === asked.amountMinor &&
    // Empty if a restored database had forgotten it.
    (one.notifyUrl === '' || one.notifyUrl === asked.notifyUrl)
  )
}

function matchWithoutKey<Refund extends Known>(
  asked: RequestedRefund,
  refunds: readonly Refund[],
): RefundMatch<Refund> {
  const alike = refunds.filter((one) => isAlike(one, asked))
  let identity = plainIdentity(asked, 0)
  for (let nth = 1; identity !== undefined; nth++) {
    const named = { ...asked, identity }
    const holder = refunds.find((one) => hasIdentity(one, named))
    if (holder === undefined) break
    alike.push(holder)
    identity = plainIdentity(asked, nth)
  }
  const earlier = alike.find(
    ({ status, requestedAtMs }) =>
      status !== 'REJECTED' && asked.requestedAtMs - requestedAtMs < REPETITION_MS,
  )
  return earlier === undefined ? { kind: 'new', identity } : { kind: 'equal', earlier }
}

function isAlike(one: Known, asked: RequestedRefund): boolean {
  const isOfStore = one.providerRefundId === undefined
  return isOfStore && one.amountMinor === asked.amountMinor && one.reference === asked.reference
}

/** Without a reference, a restored database could recognize nothing. */
function plainIdentity(
  { amountMinor, reference }: RequestedRefund,
  nth: number,
): string | undefined {
  if (reference === undefined) return undefined
  const parts = JSON.stringify([reference, amountMinor, nth])
  return `p${createHash('sha256').update(parts).digest('base64url')}`
}
