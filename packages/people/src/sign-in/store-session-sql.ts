import { HOUR_MS } from '@cofre/contracts'
import type { ActOrigin } from '../model/act.js'
import { hashSessionId } from '../model/digest.js'
import {
  TRIES,
  addressKey,
  browserKey,
  countFailure,
  endCount,
  isKnownBrowser,
  rememberBrowser,
} from './lockout-sql.js'
import type { Origin } from '../model/people.js'
import {
  SESSION_LIFETIME_MS,
  type SessionDeps,
  endSession,
  newSessionId,
  recordUse,
} from './session-sql.js'
import type { Db, Unit } from '../model/unit.js'

/** An unused session is over after this time. */
const SESSION_IDLE_MS = HOUR_MS

/** A store, and the secret with which its user signed in. */
export interface StoreSignIn {
  readonly storeId: string
  /** Identifies the secret without revealing it. */
  readonly secretMark: string
}

export interface StoreSession extends StoreSignIn {
  readonly idHash: string
  readonly usedAtMs: number
  readonly expiresAtMs: number
}

/** Sandbox sessions of users with a store's secret, and the limit of their tries. */
export interface StoreSessions {
  /**
   * Counts an attempt as failed before its outcome is known. Returns the wait in milliseconds; zero
   * if the attempt is allowed.
   */
  begin(storeId: string, from: Origin): Promise<number>
  /** Ends the count after a successful attempt, and remembers the browser. */
  succeed(storeId: string, from: Origin): Promise<void>
  /** Called after a successful attempt; the id is for the browser's cookie. */
  open(signIn: StoreSignIn, from: ActOrigin): Promise<string>
  /** The caller checks that the secret still signs. */
  find(idHash: string): Promise<StoreSession | undefined>
  /** Called for a user's requests, not for an open page's own polls. */
  recordUse(session: StoreSession): Promise<void>
  end(idHash: string): Promise<void>
  endOf(storeId: string): Promise<void>
}

export function createSqlStoreSessions({ database, clock }: SessionDeps): StoreSessions {
  return {
    begin: (storeId, from) =>
      database.transact(async (trx) => {
        const key = await countKey(trx, storeId, from)
        const { waitMs } = await countFailure(trx, { key, limit: TRIES }, clock.now())
        return waitMs
      }),

    succeed: (storeId, from) =>
      database.transact(async (trx) => {
        await endCount(trx, await countKey(trx, storeId, from))
        await rememberBrowser({ trx, nowMs: clock.now() }, storeId, from.visitId)
      }),

    open: (signIn, from) =>
      database.transact((trx) => openStoreSession({ trx, nowMs: clock.now() }, signIn, from)),

    async find(idHash) {
      const nowMs = clock.now()
      const row = await database.reader
        .selectFrom('console_sessions')
        .select(['merchant_id', 'secret_mark', 'used_at', 'expires_at'])
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', nowMs)
        .where('used_at', '>', nowMs - SESSION_IDLE_MS)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { merchant_id: storeId, secret_mark: secretMark } = row
      if (storeId === null || secretMark === null) return undefined
      return { idHash, storeId, secretMark, usedAtMs: row.used_at, expiresAtMs: row.expires_at }
    },

    recordUse: ({ idHash, usedAtMs }) =>
      recordUse(database, idHash, { usedAtMs, nowMs: clock.now() }),

    end: (idHash) => database.transact((trx) => endSession(trx, idHash)),

    async endOf(storeId) {
      await database.transact((trx) =>
        trx.deleteFrom('console_sessions').where('merchant_id', '=', storeId).execute(),
      )
    },
  }
}

async function openStoreSession(
  { trx, nowMs }: Pick<Unit, 'trx' | 'nowMs'>,
  { storeId, secretMark }: StoreSignIn,
  from: ActOrigin,
): Promise<string> {
  const sessionId = newSessionId()
  const idHash = hashSessionId(sessionId)
  await trx
    .insertInto('console_sessions')
    .values({
      id_hash: idHash,
      first_id_hash: idHash,
      person_id: null,
      merchant_id: storeId,
      secret_mark: secretMark,
      created_at: nowMs,
      used_at: nowMs,
      expires_at: nowMs + SESSION_LIFETIME_MS,
      stepped_up_at: null,
      address: from.address,
      browser: from.browser,
    })
    .execute()
  return sessionId
}

/**
 * A browser that has signed in before has its own count, regardless of guesses from its address.
 */
async function countKey(trx: Db, storeId: string, { address, visitId }: Origin): Promise<string> {
  return (await isKnownBrowser(trx, storeId, visitId))
    ? browserKey(storeId, visitId)
    : addressKey(storeId, address)
}
