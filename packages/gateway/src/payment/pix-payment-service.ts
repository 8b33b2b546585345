import { ApiError, DAY_MS, SECOND_MS } from '@cofre/contracts'
import { payerCode } from '../model/payment-rail/br-code.js'
import type {
  PixBank,
  PixBankAnswer,
  PixBankCharge,
  PixChargeOrder,
} from '../model/payment-rail/pix-bank.js'
import { type PixCharge, nextLookAtMs } from '../model/payment-rail/pix-charge.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { bankOfAccount } from './account-bank-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { recordCharge } from './pix-look-service.js'

const LIFETIME_MS = DAY_MS

/** What a charge is asked for with. */
export interface ChargeRequest {
  readonly charge: Pick<PixCharge, 'accountId' | 'txid'>
  readonly payerName: string
  /** An earlier request may have opened it. */
  readonly isRepeat: boolean
}

/**
 * Asks the bank of an account for a charge, and commits that its payer can pay.
 * @throws ApiError service_unavailable when there is no charge that may be shown. The intent is
 * gone when that is proven; else a worker removes the charge and then the intent.
 */
export async function payByPix(
  deps: GatewayDeps,
  intent: Transaction,
  payment: ChargeRequest,
): Promise<Transaction> {
  const { accountId } = payment.charge
  const failed = (detail: unknown, message: string): ApiError => {
    deps.log.warn({ transaction: intent.code, account: accountId, error: detail }, message)
    return new ApiError('service_unavailable')
  }
  const bank = await bankOfAccount(deps, accountId).catch(async (error: unknown) => {
    // An earlier request had asked the bank: then a worker finishes what it has left.
    if (!payment.isRepeat) await deps.transactions.withdrawIntent(intent)
    throw failed(error, 'an account cannot be used')
  })
  const answer = await askForCharge(bank, orderOf(intent, payment), payment.isRepeat)
  if (answer.kind === 'unknown') {
    await deps.pixCharges.doubt(intent.code)
    throw failed(answer.detail, 'a bank did not say whether it opened a charge')
  }
  if (answer.kind !== 'done') {
    await deps.transactions.withdrawIntent(intent)
    throw failed('detail' in answer ? answer.detail : 'absent', 'a bank did not open a charge')
  }
  const shown = await showCharge(deps, intent, { bank, charge: answer.value, accountId })
  if (typeof shown !== 'string') return shown
  await removeUnseen(deps, intent, payment.charge)
  throw failed(shown, 'a charge of a bank cannot be shown')
}

function orderOf(intent: Transaction, { charge, payerName }: ChargeRequest): PixChargeOrder {
  return {
    txid: charge.txid,
    amountMinor: intent.amountMinor,
    lifetimeSeconds: LIFETIME_MS / SECOND_MS,
    payerName,
    payerDocument: intent.payerDocument,
    description: intent.description,
  }
}

/**
 * A lost answer is found under the same name. Refused or unavailable means that the bank has no
 * charge of that name.
 */
async function askForCharge(
  bank: PixBank,
  order: PixChargeOrder,
  isRepeat: boolean,
): Promise<PixBankAnswer<PixBankCharge>> {
  const find = async () => await bank.findCharge(order.txid, 'payer-waits')
  const unknownOf = (answer: PixBankAnswer<PixBankCharge>): PixBankAnswer<PixBankCharge> => ({
    kind: 'unknown',
    detail: 'detail' in answer ? answer.detail : 'not found yet',
  })
  if (isRepeat) {
    const found = await find()
    if (found.kind !== 'absent') return found.kind === 'done' ? found : unknownOf(found)
  }
  const answer = await bank.openCharge(order)
  if (answer.kind !== 'unknown') return answer
  const found = await find()
  return found.kind === 'done' ? found : unknownOf(found)
}

interface ShownCharge {
  readonly bank: PixBank
  readonly charge: PixBankCharge
  readonly accountId: string
}

/** The transaction that waits for its payer; else why nobody may see the charge. */
async function showCharge(
  { clock, machineClock, pixCharges, transactions }: GatewayDeps,
  intent: Transaction,
  { bank, charge, accountId }: ShownCharge,
): Promise<Transaction | string> {
  if (charge.state === 'removed') return 'it was removed'
  if (charge.amountMinor !== intent.amountMinor) return 'it has another amount'
  const shown = payerCode(charge, bank.receiver)
  if (shown.kind === 'contradiction') return shown.detail
  const openedAtMs = machineClock.now()
  const bankExpiresAtMs = charge.expiresAtMs ?? openedAtMs + LIFETIME_MS
  const times = { openedAtMs, bankExpiresAtMs }
  const opened = await pixCharges.open(
    intent,
    { ...times, firstLookAtMs: nextLookAtMs(times, 0, openedAtMs) },
    { atMs: clock.now(), paymentDetails: { kind: 'pix', code: shown.code, accountId } },
  )
  if (opened !== undefined) return opened
  const current = await transactions.findByCode(intent.code)
  return current?.open === false ? current : 'it was given up meanwhile'
}

/**
 * Removes at its bank a charge that no payer has seen, and then its intent. Not before the bank has
 * said that it is gone; repeated until then.
 * @returns whether that is done
 */
export async function removeUnseen(
  deps: GatewayDeps,
  intent: Transaction,
  { accountId, txid }: Pick<PixCharge, 'accountId' | 'txid'>,
): Promise<boolean> {
  const { log, pixCharges, transactions } = deps
  // From its commit on, no other request can show the charge.
  if (!(await pixCharges.beginRemoval(intent.code))) return true
  const bank = await bankOfAccount(deps, accountId)
  const removed = await bank.removeCharge(txid)
  if (removed.kind === 'absent') return await transactions.withdrawIntent(intent)
  if (removed.kind !== 'done' || removed.value.state === 'open') {
    const error = 'detail' in removed ? removed.detail : removed.kind
    log.info({ transaction: intent.code, account: accountId, error }, 'a charge is not removed yet')
    return false
  }
  const { payments, state } = removed.value
  if (state === 'removed' && payments.length === 0) return await transactions.withdrawIntent(intent)
  const recorded = await recordCharge(deps, intent.code, {
    payments,
    ended: 'CANCELLED',
    isUnseen: true,
  })
  return recorded !== undefined
}
