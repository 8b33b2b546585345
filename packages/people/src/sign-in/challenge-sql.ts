import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS, Secret } from '@cofre/contracts'
import { digestOf } from '../model/digest.js'
import type { ChallengeFor, Challenges } from '../model/people.js'
import type { PeopleDeps, PeopleSealing } from '../model/unit.js'

const KEY_BYTES = 32
const NONCE_BYTES = 32
const CHALLENGE_LIVES_MS = 5 * MINUTE_MS
/** The record id under which a process's key is sealed; no person has it. */
const KEY_RECORD = 'challenges'

/**
 * Challenges for passkeys, bound to a browser, a purpose and the signed-in person. A stranger may
 * request one, so it is not stored until it is used. It contains its expiry, and the key that
 * signed it, sealed for the installation's other processes.
 */
export function createSqlChallenges({
  database,
  clock,
  sealing,
}: Omit<PeopleDeps, 'passwords'>): Challenges {
  const own = ownKey(sealing)
  return {
    create(bound) {
      const { key, sealed } = own()
      const nonce = randomBytes(NONCE_BYTES).toString('base64url')
      const until = String(clock.now() + CHALLENGE_LIVES_MS)
      const text = [nonce, until, signatureOf(key, { nonce, until }, bound), sealed].join(' ')
      return Promise.resolve(Buffer.from(text).toString('base64url'))
    },

    async consume(challenge, bound) {
      const [nonce = '', until = '', signature = '', sealed = ''] = Buffer.from(
        challenge,
        'base64url',
      )
        .toString()
        .split(' ')
      const key = openKey(sealing, sealed)
      if (key === undefined) return false
      const expected = signatureOf(key, { nonce, until }, bound)
      if (!isSame(signature, expected) || Number(until) <= clock.now()) return false
      const { numInsertedOrUpdatedRows } = await database.transact((trx) =>
        trx
          .insertInto('console_challenges')
          .values({ nonce_hash: digestOf(nonce), expires_at: Number(until) })
          .onConflict((conflict) => conflict.column('nonce_hash').doNothing())
          .executeTakeFirst(),
      )
      return Number(numInsertedOrUpdatedRows) > 0
    },
  }
}

interface OwnKey {
  readonly key: Secret<string>
  readonly sealed: string
}

/** Drawn and sealed on first use, once per process. */
function ownKey(sealing: PeopleSealing): () => OwnKey {
  let own: OwnKey | undefined
  return () => {
    if (own === undefined) {
      const key = new Secret(randomBytes(KEY_BYTES).toString('base64url'))
      own = { key, sealed: sealing.wrap(KEY_RECORD, key) }
    }
    return own
  }
}

/** Undefined if the challenge is forged, or the installation's key has changed. */
function openKey(sealing: PeopleSealing, sealed: string): Secret<string> | undefined {
  try {
    return sealing.unwrap(KEY_RECORD, sealed)
  } catch {
    return undefined
  }
}

function signatureOf(
  key: Secret<string>,
  { nonce, until }: { readonly nonce: string; readonly until: string },
  { purpose, visitId, personId }: ChallengeFor,
): string {
  const text = JSON.stringify([nonce, until, purpose, visitId, personId ?? null])
  return createHmac('sha256', key.reveal()).update(text).digest('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
