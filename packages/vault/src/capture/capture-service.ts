// Captures and voids of authorized charges: the first one that is committed wins.
import type { CaptureAnswer, CardCaptureOrder, CardVoidOrder } from '@cofre/contracts'
import { findCharge } from '../authorization/card-charge-sql.js'
import type { VaultDatabase } from '../database/vault-database.js'

export interface CaptureDeps {
  readonly database: VaultDatabase
}

/** Captures or voids a charge. A repeated request gets its present state. */
export async function endAuthorized(
  { database }: CaptureDeps,
  order: CardCaptureOrder | CardVoidOrder,
): Promise<CaptureAnswer> {
  const charge = await findCharge(database.reader, order)
  if (charge === undefined) return { kind: 'no_charge' }
  throw new Error('no account captures charges later')
}
