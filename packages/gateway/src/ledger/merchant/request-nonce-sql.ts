import {
  type Connection,
  type Database,
  type Statement,
  prepare,
  prepareCondition,
} from '@cofre/sql'
import { forget } from '@cofre/work'
import { expressionBuilder } from 'kysely'
import type { IntentPart } from '../../method/intent-part.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import type { GatewayTables, RequestNonceRow } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

const insertIfNew = prepare((db: Db, row: RequestNonceRow) =>
  db
    .insertInto('request_nonces')
    .values(row)
    .onConflict((conflicting) => conflicting.doNothing()),
)

/** The request that used a nonce. */
export type NonceUse = Omit<RequestNonceRow, 'merchant_id' | 'until'>

/** Finds a row if this request of the store has used the nonce. */
export function useOfNonce(db: Db, use: NonceUse & Pick<RequestNonceRow, 'merchant_id'>) {
  return db
    .selectFrom('request_nonces')
    .select('request_id')
    .where('merchant_id', '=', use.merchant_id)
    .where('nonce', '=', use.nonce)
    .where('request_id', '=', use.request_id)
}

const findUse = prepare((db: Db, use: Omit<RequestNonceRow, 'until'>) => useOfNonce(db, use))

const isUsed = prepareCondition((db: Db, use: Omit<RequestNonceRow, 'until'>) =>
  expressionBuilder<GatewayTables>().exists(useOfNonce(db, use)),
)

export function nonceUseOf({ nonce, requestId }: RequestNonce): NonceUse {
  return { nonce, request_id: requestId }
}

/**
 * Records a nonce, unless the store has used it. Commit it with the request's other statements,
 * never alone, and then check {@link isNonceRecorded}.
 */
export function recordNonce(nonce: RequestNonce): Statement {
  const { merchantId, untilMs } = nonce
  return insertIfNew({ ...nonceUseOf(nonce), merchant_id: merchantId, until: untilMs })
}

/** True if this request has used its nonce. */
export async function isNonceRecorded(db: Db, nonce: RequestNonce): Promise<boolean> {
  const use = { ...nonceUseOf(nonce), merchant_id: nonce.merchantId }
  return (await db.run(findUse(use))).rows.length > 0
}

/** Records a nonce in a unit of work. False if another request has used it. */
export async function useNonce(trx: Db, nonce: RequestNonce | undefined): Promise<boolean> {
  if (nonce === undefined) return true
  const { written } = await trx.run(recordNonce(nonce))
  // The request may have tried before, with a number that was taken.
  return written === 1 || (await isNonceRecorded(trx, nonce))
}

export function createSqlNonceStore(database: Database<GatewayTables>) {
  const { reader } = database
  return {
    /**
     * Records a request's nonce with its intent, which is refused if another request has used it.
     */
    intentPart: (nonce: RequestNonce): IntentPart => ({
      before: () => [recordNonce(nonce)],
      guard: () => isUsed({ ...nonceUseOf(nonce), merchant_id: nonce.merchantId }),
      refusal: async () => ((await isNonceRecorded(reader, nonce)) ? undefined : 'nonce_used'),
      isOfRequest: true,
    }),

    /** Deletes nonces whose signatures are too old, in batches. */
    forget: (machineNowMs: number) =>
      forget(database, {
        table: 'request_nonces',
        key: ['merchant_id', 'nonce'],
        where: (of) => of('until', '<', machineNowMs),
      }),
  }
}
