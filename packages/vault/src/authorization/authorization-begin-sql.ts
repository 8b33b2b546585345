import { type Database, columnsOf, prepare, valuesOf } from '@cofre/sql'
import { appendEntry } from '../audit/audit-sql.js'
import { type DeclinesSince, hasNoDecline } from '../card-testing/card-testing-sql.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealedText } from '../keys/sealed-value.js'
import type { AuthorizationKey, OpenAuthorization } from './authorization.js'
import {
  type AnsweredOutcome,
  type Key,
  NOTHING,
  type Row,
  endColumns,
  insertAbsent,
  keyOf,
} from './authorization-sql.js'
import { rowOfCharge } from './card-charge.js'

type ChargeRow = VaultTables['card_charges']

interface Spending {
  /** The token's digest. */
  readonly digest: string
}

type Guarded = Row & DeclinesSince

/** Stores an authorization only while its token is unspent. Locks the token. */
const insertIfTokenIsUnspent = prepare(
  (db: VaultConnection, { digest, fingerprint, sinceMs, ...row }: Guarded & Spending) =>
    db
      .insertInto('authorizations')
      .columns(columnsOf(row))
      .expression(
        db
          .selectFrom('direct_tokens')
          .select(valuesOf(row))
          .where('digest', '=', digest)
          .where('direct_tokens.sealed_card', 'is not', null)
          .where(hasNoDecline(db, { fingerprint, sinceMs }))
          .forUpdate(),
      )
      .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

const insertUnlessDeclined = prepare(
  (db: VaultConnection, { fingerprint, sinceMs, ...row }: Guarded) =>
    db
      .insertInto('authorizations')
      .columns(columnsOf(row))
      .expression(db.selectNoFrom(valuesOf(row)).where(hasNoDecline(db, { fingerprint, sinceMs })))
      .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing()),
)

/** Identifies the authorization that was just stored: no other has this sealed card. */
type Stored = Pick<Row, keyof Key | 'sealed_card'>

/** Spends a token only if its authorization was stored. */
const spendTokenIfBegun = prepare((db: VaultConnection, { digest, ...begun }: Stored & Spending) =>
  db
    .updateTable('direct_tokens')
    .set({ sealed_card: null })
    .where('digest', '=', digest)
    .where((token) =>
      token.exists(
        db
          .selectFrom('authorizations')
          .select('transaction_code')
          .where((authorization) => authorization.and(begun)),
      ),
    ),
)

/** Stores a charge only with its authorization. */
const insertChargeIfBegun = prepare(
  (db: VaultConnection, { sealed_card, ...row }: ChargeRow & Pick<Row, 'sealed_card'>) =>
    db
      .insertInto('card_charges')
      .columns(columnsOf(row))
      .expression(
        db
          .selectFrom('authorizations')
          .select(valuesOf(row))
          .where('authorizations.environment', '=', row.environment)
          .where('authorizations.transaction_code', '=', row.transaction_code)
          .where('authorizations.sealed_card', '=', sealed_card),
      ),
)

/** A deposited card that an order spends. */
export interface SpentToken {
  readonly digest: string
  readonly sealedCard: SealedText
}

interface Beginning {
  readonly token?: Pick<SpentToken, 'digest'> | undefined
  /** The declines that prevent it. */
  readonly unless?: DeclinesSince
}

const NO_DECLINES: DeclinesSince = { fingerprint: '', sinceMs: 0 }

/**
 * Stores an authorization with its charge, and spends the token that pays for it, if any. False,
 * with nothing changed, if the authorization's key is taken, the token is spent, or the card was
 * declined. True for exactly one caller, even when called concurrently.
 */
export async function beginAuthorization(
  database: Database<VaultTables>,
  authorization: OpenAuthorization,
  { token, unless = NO_DECLINES }: Beginning = {},
): Promise<boolean> {
  const row = rowOf(authorization)
  const { charge } = authorization
  const { environment, transaction_code, sealed_card } = row
  const stored = { environment, transaction_code, sealed_card }
  const guarded = { ...row, ...unless }
  const charged = charge && {
    charged: insertChargeIfBegun({ ...rowOfCharge(charge), sealed_card }),
  }
  const { begun } = await database.commit(
    token === undefined
      ? { begun: insertUnlessDeclined(guarded), ...charged }
      : {
          begun: insertIfTokenIsUnspent({ ...guarded, digest: token.digest }),
          spent: spendTokenIfBegun({ ...stored, digest: token.digest }),
          ...charged,
        },
  )
  return begun.written === 1
}

/**
 * Stores an authorization with its outcome, without asking an acquirer. False, with nothing
 * changed, as with {@link beginAuthorization}.
 */
export async function insertSettled(
  database: Database<VaultTables>,
  authorization: OpenAuthorization,
  { entry, token, ...end }: AnsweredOutcome & { readonly token: SpentToken | undefined },
): Promise<boolean> {
  const row = { ...rowOf(authorization), ...endColumns(end), sealed_card: null }
  return await database.transact(async (trx) => {
    if (token !== undefined && !(await spendToken(trx, token.digest))) return false
    const isNew = (await trx.run(insertAbsent(row))).written === 1
    if (isNew) await appendEntry(trx, entry)
    else if (token !== undefined) await restoreToken(trx, token)
    return isNew
  })
}

/** Spends a token; false if it is spent. */
export async function spendToken(trx: VaultConnection, digest: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('direct_tokens')
    .set({ sealed_card: null })
    .where('digest', '=', digest)
    .where('sealed_card', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function restoreToken(
  trx: VaultConnection,
  { digest, sealedCard }: SpentToken,
): Promise<void> {
  await trx
    .updateTable('direct_tokens')
    .set({ sealed_card: sealedCard })
    .where('digest', '=', digest)
    .execute()
}

/** Removes an authorization that charged no payer. Its token may be spent again. */
export async function removeAuthorization(
  trx: VaultConnection,
  key: AuthorizationKey,
  token: SpentToken | undefined,
): Promise<void> {
  await trx
    .deleteFrom('authorizations')
    .where((authorization) => authorization.and(keyOf(key)))
    .execute()
  if (token !== undefined) await restoreToken(trx, token)
}

function rowOf(authorization: OpenAuthorization): Row {
  const { card } = authorization
  return {
    ...NOTHING,
    ...keyOf(authorization),
    merchant_id: authorization.merchantId,
    amount_minor: authorization.amountMinor,
    installments: authorization.installments,
    outcome: 'unknown',
    brand: card.brand,
    bin: card.bin,
    last_four: card.lastFour,
    sealed_card: authorization.sealedContent,
    save_for_payer: authorization.saveForPayer ?? null,
    created_at_ms: authorization.createdAtMs,
    knows_charges: authorization.knowsCharges ? 1 : 0,
    knows_authentication: authorization.knowsAuthentication ? 1 : 0,
    is_captured_later: authorization.isCapturedLater ? 1 : 0,
  }
}
