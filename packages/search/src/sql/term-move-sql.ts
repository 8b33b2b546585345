import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { NO_FACTS } from '../model/payment-facts.js'
import { addTerms, deleteTerm, knownFacts, readFacts, termRows } from './payment-index-sql.js'

type Db = Connection<GatewayTables>

/**
 * Moves the terms of payments. They are found by each payment's facts, which must be moved after
 * them: no index of so large a table has the codes.
 */
export async function moveTerms(from: Db, to: Db, codes: readonly number[]): Promise<void> {
  const known = [...(await knownFacts(from, codes)).values()]
  const rows = known.flatMap((payment) => termRows(payment, readFacts(payment.stored), NO_FACTS))
  await addTerms(to, rows)
  await Promise.all(rows.map((row) => from.run(deleteTerm(row))))
}
