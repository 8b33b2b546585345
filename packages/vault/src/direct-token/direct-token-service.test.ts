import { Buffer } from 'node:buffer'
import { DAY_MS, DIRECT_TOKEN_LENGTH_MAX, type SessionAnswer } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { compactDecrypt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDataKeys } from '../data-key/data-key-service.js'
import { DIGEST_REMEMBERED_MS } from './direct-token-sql.js'
import { type SealedText, SealError, open } from '../keys/sealed-value.js'
import { SESSION_LIFETIME_MS } from '../session/session.js'
import { createSqlSessionStore } from '../session/session-store-sql.js'
import {
  CARD,
  type TestVault,
  openTestVault,
  orderFor,
  payloadOf,
  tokenFor,
} from '../vault.fixture.js'

const failure = (name: string) => ({ failures: [expect.objectContaining({ name })] })

/** Replaces one of the five parts of a token. */
function withPart(token: string, index: number, change: (part: string) => string): string {
  return token
    .split('.')
    .map((part, i) => (i === index ? change(part) : part))
    .join('.')
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function withHeader(token: string, changes: Record<string, unknown>): string {
  return withPart(token, 0, (part) => {
    const header = JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    return encode({ ...header, ...changes })
  })
}

const flipFirst = (part: string): string => (part.startsWith('A') ? 'B' : 'A') + part.slice(1)

for (const engine of TEST_ENGINES) {
  describe(`Direct tokens on ${engine.name}`, () => {
    let test: TestVault
    let session: SessionAnswer

    beforeEach(async () => {
      test = await openTestVault(engine)
      session = await test.vault.openSession()
    })
    afterEach(() => test.database.close())

    it('opens sessions with an id, a public key and a lifetime of 15 minutes', () => {
      expect(session).toEqual({
        id: expect.stringMatching(/^[\w-]{22}$/) as string,
        'public-key': {
          kty: 'EC',
          crv: 'P-256',
          x: expect.stringMatching(/^[\w-]{43}$/) as string,
          y: expect.stringMatching(/^[\w-]{43}$/) as string,
        },
        'expires-in': 900,
      })
    })

    it('takes a token once per session', async () => {
      await test.vault.depositDirectToken(await tokenFor(session))
      const second = test.vault.depositDirectToken(await tokenFor(session))
      await expect(second).rejects.toMatchObject(failure('session_not_found'))
    })

    it('answers the same token deposited again as before', async () => {
      const token = await tokenFor(session)
      await test.vault.depositDirectToken(token)
      await expect(test.vault.depositDirectToken(token)).resolves.toBeUndefined()
      await test.vault.authorize(orderFor(token))
      await expect(test.vault.depositDirectToken(token)).resolves.toBeUndefined()
    })

    it('lets exactly one of many concurrent deposits on a session succeed', async () => {
      const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenFor(session)))
      const results = await Promise.allSettled(
        tokens.map((token) => test.vault.depositDirectToken(token)),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('answers concurrent deposits of one token alike', async () => {
      const token = await tokenFor(session)
      const deposits = Array.from({ length: 10 }, () => test.vault.depositDirectToken(token))
      await expect(Promise.all(deposits)).resolves.toHaveLength(10)
    })

    it('keeps nothing that decrypts a deposited token', async () => {
      const token = await tokenFor(session)
      await expect(findPrivateKey(test, session.id)).resolves.toBeDefined()
      await test.vault.depositDirectToken(token)
      await expect(findPrivateKey(test, session.id)).resolves.toBeUndefined()
      expect(await test.memorySessions?.find(session.id)).toBeUndefined()
      expect(await test.database.reader.selectFrom('sessions').selectAll().execute()).toEqual([])
    })

    it('could decrypt the token until then, so that the promise above means something', async () => {
      const privateKey = await findPrivateKey(test, session.id)
      const { plaintext } = await compactDecrypt(await tokenFor(session), privateKey ?? {})
      expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(CARD)
    })

    it('takes a token whose key is kept only as sealed text', async () => {
      const found = await test.memorySessions?.find(session.id)
      if (found !== undefined) {
        const { id, sealedPrivateKey, expiresAtMs } = found
        await test.memorySessions?.insert({ id, sealedPrivateKey, expiresAtMs })
      }
      const token = await tokenFor(session)
      await expect(test.vault.depositDirectToken(token)).resolves.toBeUndefined()
      await expect(test.vault.authorize(orderFor(token))).resolves.toMatchObject({})
    })

    it('keeps no key but the sealed one where other processes may take the deposit', async () => {
      const sessions = test.memorySessions ?? createSqlSessionStore(test.database)
      const found = await sessions.find(session.id)
      expect(found?.privateKey !== undefined).toBe(test.memorySessions !== undefined)
    })

    it('refuses a session that expired', async () => {
      const token = await tokenFor(session)
      test.clock.nowMs += SESSION_LIFETIME_MS
      await expect(test.vault.depositDirectToken(token)).rejects.toMatchObject(
        failure('session_not_found'),
      )
    })

    it('refuses a session it never opened', async () => {
      const token = await tokenFor({ ...session, id: 'AAAAAAAAAAAAAAAAAAAAAA' })
      await expect(test.vault.depositDirectToken(token)).rejects.toMatchObject(
        failure('session_not_found'),
      )
    })

    it('refuses a session row moved under another id', async () => {
      const other = await test.vault.openSession()
      await moveSession(test, session.id, other.id)
      const deposit = test.vault.depositDirectToken(await tokenFor({ ...session, id: other.id }))
      await expect(deposit).rejects.toThrow(SealError)
    })

    const badTokens: [
      string,
      (good: string, session: SessionAnswer) => string | Promise<string>,
    ][] = [
      ['empty', () => ''],
      ['not compact', () => 'hello'],
      ['of four parts', (good) => good.slice(0, good.lastIndexOf('.'))],
      ['of six parts', (good) => `${good}.AAAA`],
      [
        'longer than any token',
        (good) => withPart(good, 3, (p) => p.padEnd(DIRECT_TOKEN_LENGTH_MAX, 'A')),
      ],
      ['followed by a line break', (good) => `${good}\n`],
      ['with an encrypted key', (good) => withPart(good, 1, () => 'AAAA')],
      ['with a header that is not JSON', (good) => withPart(good, 0, () => 'AAAA')],
      ['with a header that is not UTF-8', (good) => withPart(good, 0, () => '_____w')],
      ['with an array as header', (good) => withPart(good, 0, () => encode([]))],
      ['with another IV', (good) => withPart(good, 2, flipFirst)],
      ['with a shorter IV', (good) => withPart(good, 2, (part) => part.slice(4))],
      ['with another ciphertext', (good) => withPart(good, 3, flipFirst)],
      ['with a shorter ciphertext', (good) => withPart(good, 3, (part) => part.slice(4))],
      ['with another tag', (good) => withPart(good, 4, flipFirst)],
      ['with a shorter tag', (good) => withPart(good, 4, (part) => part.slice(4))],
      ['with zip', (good) => withHeader(good, { zip: 'DEF' })],
      ['truly compressed', (_, session) => tokenFor(session, CARD, { zip: 'DEF' })],
      ['with crit', (good) => withHeader(good, { crit: ['exp'], exp: 1 })],
      ['with apu', (good) => withHeader(good, { apu: 'AAAA' })],
      ['with apv', (good) => withHeader(good, { apv: 'AAAA' })],
      ['with an unknown header', (good) => withHeader(good, { typ: 'JWE' })],
      ['with a jwk', (good) => withHeader(good, { jwk: {} })],
      ['of another alg', (good) => withHeader(good, { alg: 'ECDH-ES+A256KW' })],
      ['of alg dir', (good) => withHeader(good, { alg: 'dir' })],
      ['of another enc', (good) => withHeader(good, { enc: 'A128GCM' })],
      ['truly of another enc', (_, session) => tokenFor(session, CARD, { enc: 'A128GCM' })],
      ['without kid', (good) => withHeader(good, { kid: undefined })],
      ['with a number as kid', (good) => withHeader(good, { kid: 1 })],
      ['with a kid that holds NUL', (good) => withHeader(good, { kid: 'a\0b' })],
      ['without epk', (good) => withHeader(good, { epk: undefined })],
      [
        'with an epk off the curve',
        (good) => withHeader(good, { epk: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } }),
      ],
      [
        'with an epk on another curve',
        (good) => withHeader(good, { epk: { kty: 'OKP', crv: 'X25519', x: 'AAAA' } }),
      ],
      [
        'encrypted to another session',
        async (_, session) => tokenFor({ ...(await test.vault.openSession()), id: session.id }),
      ],
      ['of a number', (_, session) => tokenFor(session, 4)],
      ['of a list', (_, session) => tokenFor(session, [CARD])],
      ['of a card without CVV', (_, session) => tokenFor(session, { ...CARD, cvv: undefined })],
      ['of a card with a numeric year', (_, session) => tokenFor(session, { ...CARD, year: 2030 })],
      [
        'of a card with an unknown field',
        (_, session) => tokenFor(session, { ...CARD, name: 'M' }),
      ],
      ['of a card with an empty store', (_, session) => tokenFor(session, payloadOf(CARD, ''))],
    ]

    it.each(badTokens)('refuses a token %s, and keeps the session', async (_, makeBad) => {
      const good = await tokenFor(session)
      const bad = await makeBad(good, session)
      await expect(test.vault.depositDirectToken(bad)).rejects.toMatchObject(
        failure('direct_token_invalid'),
      )
      await expect(test.vault.depositDirectToken(good)).resolves.toBeUndefined()
    })

    it.each([
      ['number', { number: '4111111111111112' }],
      ['cvv', { cvv: '91' }],
      ['year', { year: '2020' }],
      ['month', { month: '13' }],
    ])('refuses a card with a wrong %s, by name', async (property, wrong) => {
      const token = await tokenFor(session, { ...CARD, ...wrong })
      await expect(test.vault.depositDirectToken(token)).rejects.toMatchObject({
        failures: [{ name: 'card_invalid', property }],
      })
    })

    it('forgets expired sessions and tokens when swept', async () => {
      const token = await test.deposit()
      test.clock.nowMs += SESSION_LIFETIME_MS - 1
      expect(await test.vault.sweep()).toEqual({ sessions: 0, directTokens: 0 })
      test.clock.nowMs += 1
      expect(await test.vault.sweep()).toEqual({ sessions: 1, directTokens: 1 })
      await expect(test.vault.depositDirectToken(token)).rejects.toMatchObject(
        failure('session_not_found'),
      )
      const { reader } = test.database
      expect(await reader.selectFrom('sessions').selectAll().execute()).toEqual([])
      const kept = () => reader.selectFrom('direct_tokens').select('sealed_card').execute()
      expect(await kept()).toEqual([{ sealed_card: null }])
      test.clock.nowMs += DIGEST_REMEMBERED_MS
      await test.vault.sweep()
      expect(await kept()).toEqual([])
    })

    it('keeps no card a day longer when the clock was set back by a day', async () => {
      await test.deposit()
      test.clock.nowMs -= DAY_MS
      expect(await test.vault.sweep()).toMatchObject({ directTokens: 1 })
    })
  })
}

/** Opens a session's private key, if the stores and the keys still hold it. */
async function findPrivateKey(test: TestVault, id: string): Promise<object | undefined> {
  const sealed = await findSealedKey(test, id)
  if (sealed === undefined) return undefined
  const key = await createDataKeys(test.deps).thatSealed(sealed)
  const context = { purpose: 'session', recordId: id } as const
  return JSON.parse(open(key, sealed, context).toString()) as object
}

async function findSealedKey(test: TestVault, id: string): Promise<SealedText | undefined> {
  if (test.memorySessions !== undefined)
    return (await test.memorySessions.find(id))?.sealedPrivateKey
  const { reader } = test.database
  const row = await reader
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sealed_private_key
}

async function moveSession(test: TestVault, from: string, to: string): Promise<void> {
  const sealedPrivateKey = await findSealedKey(test, from)
  if (sealedPrivateKey === undefined) throw new Error('no such session')
  const expiresAtMs = test.clock.nowMs + SESSION_LIFETIME_MS
  if (test.memorySessions !== undefined) {
    await test.memorySessions.insert({ id: to, sealedPrivateKey, expiresAtMs })
    return
  }
  await test.database.transact((trx) =>
    trx
      .updateTable('sessions')
      .set({ sealed_private_key: sealedPrivateKey })
      .where('id', '=', to)
      .execute(),
  )
}
