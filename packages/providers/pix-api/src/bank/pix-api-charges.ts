import type { PixTxid } from '@cofre/provider-kit/bank'
import type { CallPriority } from '@cofre/provider-kit/outbound'
import type { z } from 'zod'
import type { PixApiAccount } from './pix-api-account.js'
import { ANOTHER_NAME, type PixApiAnswer, type PixApiCaller, settled } from './pix-api-calls.js'
import { type PixApiCharge, removalRequest } from './pix-api-wire.js'

/** The properties by which a charge is identified and compared. */
type ComparableCharge = Pick<PixApiCharge, 'txid' | 'pixKey' | 'amountMinor'> & {
  readonly state: string
}

/** Charges of one kind at a bank: immediate (`cob`), or with a due date (`cobv`). */
export interface ChargeKind<Charge> {
  readonly resource: 'cob' | 'cobv'
  readonly answer: z.ZodType<Charge>
}

interface ChargesOf<Charge> {
  readonly kind: ChargeKind<Charge>
  readonly account: Pick<PixApiAccount, 'pixKey'>
  readonly call: PixApiCaller
  readonly settleWithinMs: number
}

type ChargeToOpen = Pick<PixApiCharge, 'amountMinor'> & {
  readonly txid: PixTxid
  readonly body: object
}

/** Each may be repeated under the same txid. */
export interface PixApiCharges<Charge> {
  /** Refused if the bank then has a different charge under the txid, which is removed. */
  open(asked: ChargeToOpen): Promise<PixApiAnswer<Charge>>
  find(txid: PixTxid, priority: CallPriority): Promise<PixApiAnswer<Charge>>
  /** Done with the charge's current state. */
  remove(txid: PixTxid, priority: CallPriority): Promise<PixApiAnswer<Charge>>
}

export function createCharges<Charge extends ComparableCharge>(
  context: ChargesOf<Charge>,
): PixApiCharges<Charge> {
  const { call, kind } = context
  const find: PixApiCharges<Charge>['find'] = async (txid, priority) => {
    const { resource, answer } = kind
    const operation = `${resource}.find`
    const path = `/${txid}`
    const found = await call({ operation, method: 'GET', resource, path, answer, priority })
    return found.kind === 'done' && found.value.txid !== txid ? ANOTHER_NAME : found
  }
  const remove = createRemoval(context, find)
  return { find, remove, open: createOpening(context, { find, remove }) }
}

function createOpening<Charge extends ComparableCharge>(
  { account, call, kind, settleWithinMs: withinMs }: ChargesOf<Charge>,
  { find, remove }: Pick<PixApiCharges<Charge>, 'find' | 'remove'>,
): PixApiCharges<Charge>['open'] {
  return async ({ txid, amountMinor, body }) => {
    const { resource, answer: schema } = kind
    const about = { operation: `${resource}.create`, resource, path: `/${txid}`, answer: schema }
    const answer = await settled({
      withinMs,
      send: () => call({ ...about, method: 'PUT', body }),
      find: () => find(txid, 'waited_for'),
    })
    if (answer.kind !== 'done') return answer
    const charge = answer.value
    const hasOurKey = bareKey(charge.pixKey ?? account.pixKey) === bareKey(account.pixKey)
    if (charge.txid === txid && charge.amountMinor === amountMinor && hasOurKey) return answer
    const removed = await remove(txid, 'waited_for')
    const isGone = removed.kind === 'done' && removed.value.state === 'removed'
    const end = isGone ? 'it was removed at the bank' : 'it could not be removed at the bank'
    return { kind: 'refused', detail: `the bank holds another charge under this txid; ${end}` }
  }
}

/** A bank may format a key with its own punctuation or capitals. */
function bareKey(pixKey: string): string {
  return pixKey.toLowerCase().replace(/[\s().-]/g, '')
}

function createRemoval<Charge extends ComparableCharge>(
  { call, kind: { answer, resource } }: ChargesOf<Charge>,
  find: PixApiCharges<Charge>['find'],
): PixApiCharges<Charge>['remove'] {
  return async (txid, priority) => {
    const about = { operation: `${resource}.remove`, resource, path: `/${txid}`, answer, priority }
    const patch = () => call({ ...about, method: 'PATCH', body: removalRequest })
    const first = await patch()
    if (first.kind !== 'unknown' && first.kind !== 'refused') return first
    const found = await find(txid, priority)
    if (found.kind !== 'done') return first
    if (found.value.state !== 'open') return found
    // Still open: the request was refused, or never arrived.
    return first.kind === 'unknown' ? patch() : first
  }
}
