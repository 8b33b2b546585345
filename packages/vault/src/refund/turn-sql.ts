// The right to call an acquirer about a charge.
import { CHARGE_LEASE_MS, type CardCharge, type ChargeKey } from '../authorization/card-charge.js'
import { type OrderedCharge, findCharge } from '../authorization/card-charge-sql.js'
import type { VaultConnection } from '../database/vault-database.js'

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** Finds a charge, and locks it until the unit of work ends. */
export async function lockCharge(
  trx: VaultConnection,
  key: ChargeKey,
): Promise<OrderedCharge | undefined> {
  const locked = await trx
    .selectFrom('card_charges')
    .select('transaction_code')
    .where((of) => of.and(keyOf(key)))
    .forUpdate()
    .executeTakeFirst()
  return locked && (await findCharge(trx, key))
}

/** Stores the acquirer's name for a payment, if it was unknown. */
export async function namePayment(
  trx: VaultConnection,
  key: ChargeKey,
  paymentId: string,
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ payment_id: paymentId })
    .where((of) => of.and(keyOf(key)))
    .where('payment_id', 'is', null)
    .execute()
}

/** Takes a turn for the caller, or extends it. The caller has locked the charge. */
export async function leaseTurn<Charge extends CardCharge>(
  trx: VaultConnection,
  charge: Charge,
  nowMs: number,
): Promise<Charge> {
  // No other lease has the same end.
  const leaseUntilMs = Math.max(nowMs + CHARGE_LEASE_MS, charge.leaseUntilMs + 1)
  await setLease(trx, charge, leaseUntilMs)
  return { ...charge, leaseUntilMs }
}

/** Ends a turn, unless another has begun. */
export async function endTurn(trx: VaultConnection, turn: CardCharge): Promise<void> {
  await setLease(trx, turn, 0)
}

async function setLease(
  trx: VaultConnection,
  { key, leaseUntilMs }: CardCharge,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ lease_until_ms: untilMs })
    .where((of) => of.and(keyOf(key)))
    .where('lease_until_ms', '=', leaseUntilMs)
    .execute()
}
