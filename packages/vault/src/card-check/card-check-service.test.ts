import {
  type CardCheck,
  type CheckedCard,
  DAY_MS,
  type Decline,
  HOUR_MS,
  MINUTE_MS,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestAccount, type TestProcess, startProcess } from '../authorization/charging.fixture.js'
import {
  CARD,
  DECLINE,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
} from '../vault.fixture.js'
import { findStoredCard } from '../saved-card/stored-card-service.js'
import { checkCard } from './card-check-service.js'
import { CHECK_RETENTION_MS, CHECKS_MAX } from './card-check.js'
import { countUncharged, forgetChecks } from './card-check-sql.js'

const PAYER = {
  name: 'Maria da Silva',
  document: '12345678909',
  email: 'Maria@Example.com',
  ip: '203.0.113.7',
}
const declinedFor = (decline: Decline) =>
  ({ kind: 'done', value: { outcome: 'declined', decline } }) as const
const LOST = { kind: 'unknown', detail: 'the answer was lost' } as const
const REFUSED = { kind: 'refused', detail: 'not in the contract' } as const
const AWAY = { kind: 'not-sent', cause: 'no-connection', detail: 'no connection' } as const
const refusedFor = (reason: string) => ({ kind: 'refused', reason })

for (const engine of TEST_ENGINES)
  describe(`a card checked without a charge, on ${engine.name}`, () => {
    let test: TestVault
    let one: TestAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new TestAccount('one').withCheck()
      vault = startProcess(test, [one])
    })
    afterEach(() => test.database.close())

    const checkOf = (token: string, changes: Partial<CardCheck> = {}): CardCheck => ({
      environment: 'production',
      merchantId: 'store-1',
      token,
      payer: PAYER,
      countedAddress: PAYER.ip,
      saveCard: true,
      ...changes,
    })
    const check = async (changes: Partial<CardCheck> = {}, card = CARD) =>
      await checkCard(vault.deps, checkOf(await test.deposit(card), changes))
    const savedIn = (answer: unknown) => (answer as CheckedCard).savedCard?.code ?? ''
    const savedCards = () => test.database.reader.selectFrom('saved_cards').selectAll().execute()
    /** Another payer at another address, who shares no limit with the others. */
    const other = (name: string, ip: string): Partial<CardCheck> => ({
      payer: { ...PAYER, document: name, email: `${name}@example.com`, ip },
      countedAddress: ip,
    })

    it('is saved, usable at once, and charged later as a saved card', async () => {
      const answer = await check()
      expect(answer).toMatchObject({
        kind: 'answered',
        outcome: 'approved',
        card: { brand: 'visa', bin: '41111111', lastFour: '1111' },
        savedCard: { brand: 'visa', lastFour: '1111', expirationDate: '2030-12', isActive: true },
      })
      expect(one.checks).toMatchObject([{ brand: 'visa', payer: PAYER }])
      expect(one.checks[0]?.card.reveal()).toEqual(CARD)
      expect(one.requests).toEqual([])
      await vault.authorize(orderByCode(savedIn(answer), { payerEmail: PAYER.email }))
      expect(one.requests[0]?.storedCredential).toMatchObject({
        use: 'later',
        networkTransactionId: 'network of the check',
      })
    })

    it('gets the same answer again with its token, and no further check', async () => {
      const asked = checkOf(await test.deposit())
      const first = await checkCard(vault.deps, asked)
      expect(await checkCard(vault.deps, asked)).toEqual(first)
      expect(one.checks).toHaveLength(1)
      const used = { ...refusedFor('token_invalid') }
      const stranger = { ...PAYER, email: 'joao@example.com' }
      expect(await checkCard(vault.deps, { ...asked, payer: stranger })).toEqual(used)
      expect(await checkCard(vault.deps, { ...asked, merchantId: 'store-2' })).toEqual(used)
      const code = savedIn(first)
      await test.vault.deleteSavedCard('production', 'store-1', code)
      expect(await checkCard(vault.deps, asked)).toEqual(used)
    })

    it('is answered with the card that its payer had saved before', async () => {
      const first = await check()
      const second = await check({}, { ...CARD, month: '01', year: '2035' })
      expect(savedIn(second)).toBe(savedIn(first))
      expect(second).toMatchObject({ savedCard: { expirationDate: '2035-01' } })
      expect(await savedCards()).toHaveLength(1)
    })

    it('is not saved when it is declined, and its decline counts as that of a charge', async () => {
      one.withCheck(declinedFor({ reason: 'stolen_card', retry: { kind: 'never' } }))
      const asked = checkOf(await test.deposit())
      const answer = await checkCard(vault.deps, asked)
      expect(answer).toMatchObject({ outcome: 'declined', decline: { reason: 'stolen_card' } })
      expect(await checkCard(vault.deps, asked)).toEqual(answer)
      expect(await savedCards()).toEqual([])
      const charge = await vault.authorize(orderFor(await test.deposit()))
      expect(charge).toMatchObject({ decline: { reason: 'retry_not_allowed' } })
      expect(await check()).toMatchObject({ decline: { reason: 'retry_not_allowed' } })
      expect(one.checks).toHaveLength(1)
    })

    it('is not saved when the answer is lost, then or later, and is not checked again', async () => {
      one.withCheck(LOST)
      const asked = checkOf(await test.deposit())
      expect(await checkCard(vault.deps, asked)).toMatchObject({ outcome: 'unknown' })
      expect(await checkCard(vault.deps, asked)).toMatchObject({ outcome: 'unknown' })
      await vault.followUp()
      expect(one.checks).toHaveLength(1)
      expect(await savedCards()).toEqual([])
    })

    it('is committed without its card before its acquirer is asked', async () => {
      one.during = async () => {
        const dump = await dumpDatabase(test.database)
        expect(JSON.parse(dump)).toContainEqual([
          expect.objectContaining({ outcome: 'asked', saved_card_code: null }) as unknown,
        ])
        const tokens = await test.database.reader.selectFrom('direct_tokens').selectAll().execute()
        expect(tokens).toMatchObject([{ sealed_card: null }])
        expect(dump).not.toContain(CARD.number)
      }
      expect(await check()).toMatchObject({ outcome: 'approved' })
      expect.assertions(4)
    })

    it('of a process that died is unknown after a minute', async () => {
      const asked = checkOf(await test.deposit())
      const { promise: isAsked, resolve } = Promise.withResolvers<undefined>()
      const { promise: isAnswered, resolve: answer } = Promise.withResolvers<undefined>()
      one.during = async () => {
        resolve(undefined)
        await isAnswered
      }
      const first = checkCard(vault.deps, asked)
      await isAsked
      expect(await checkCard(vault.deps, asked)).toEqual(refusedFor('in_progress'))
      test.clock.nowMs += MINUTE_MS
      expect(await checkCard(vault.deps, asked)).toMatchObject({ outcome: 'unknown' })
      answer(undefined)
      const late = await first
      expect(late).toMatchObject({ outcome: 'unknown' })
      expect(late).not.toHaveProperty('savedCard.code')
      expect(await savedCards()).toEqual([])
    })

    it('is made once, of many requests with its token', async () => {
      const asked = checkOf(await test.deposit())
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => checkCard(vault.deps, asked)),
      )
      expect(answers.filter(({ kind }) => kind === 'answered')).not.toHaveLength(0)
      expect(one.checks).toHaveLength(1)
    })

    it('goes to the next account if the first checks no such card, or was not reached', async () => {
      const two = new TestAccount('two').withCheck(AWAY)
      const three = new TestAccount('three').withCheck()
      const none = new TestAccount('none')
      one.withCheck(REFUSED)
      vault = startProcess(test, [none, one, two, three])
      expect(await check()).toMatchObject({ outcome: 'approved' })
      expect([one, two, three].map(({ checks }) => checks.length)).toEqual([1, 1, 1])
    })

    it.each([
      ['check_not_supported', () => [new TestAccount('none')]],
      ['check_not_supported', () => [new TestAccount('one').withCheck(REFUSED)]],
      ['acquirer_unavailable', () => [new TestAccount('one').withCheck(AWAY)]],
    ])('is refused as %s, and its token stays good', async (reason, accounts) => {
      vault = startProcess(test, accounts())
      const asked = checkOf(await test.deposit())
      expect(await checkCard(vault.deps, asked)).toEqual(refusedFor(reason))
      vault = startProcess(test, [one])
      expect(await checkCard(vault.deps, asked)).toMatchObject({ outcome: 'approved' })
    })

    it('is refused for an excluded BIN, another store’s token, or none', async () => {
      expect(await check({ refusedBins: ['411111'] })).toEqual(refusedFor('bin_refused'))
      const token = await test.deposit(CARD, 'store-2')
      expect(await checkCard(vault.deps, checkOf(token))).toEqual(refusedFor('token_invalid'))
      expect(await checkCard(vault.deps, checkOf('4111'))).toEqual(refusedFor('token_invalid'))
      const sandbox = { environment: 'sandbox' } as const
      expect(await checkCard(vault.deps, checkOf('4111', sandbox))).toMatchObject({
        tokenFault: 'malformed',
      })
    })

    it.each([
      ['e-mail', { document: '39053344705', ip: '203.0.113.8' }],
      ['document', { email: 'other@example.com', ip: '203.0.113.8' }],
      ['address', { email: 'other@example.com', document: '39053344705' }],
    ])('is refused after five in an hour by the payer’s %s', async (_, different) => {
      const payer = { ...PAYER, ...different }
      const changes = { payer, countedAddress: payer.ip }
      for (let i = 0; i < CHECKS_MAX; i++)
        expect(await check(i % 2 === 0 ? {} : changes)).toMatchObject({ outcome: 'approved' })
      const asked = checkOf(await test.deposit())
      expect(await checkCard(vault.deps, asked)).toEqual(refusedFor('too_many_checks'))
      expect(one.checks).toHaveLength(CHECKS_MAX)
      expect(await check({ merchantId: 'store-2' })).toMatchObject({ outcome: 'approved' })
      expect(await check(other('11144477735', '203.0.113.99'))).toMatchObject({
        outcome: 'approved',
      })
      test.clock.nowMs += HOUR_MS
      expect(await check()).toMatchObject({ outcome: 'approved' })
    })

    it('passes exactly five of those that arrive together, from whatever payers', async () => {
      const asked: CardCheck[] = []
      for (let i = 0; i < CHECKS_MAX + 1; i++) {
        const payer = other(`1114447773${i}`, PAYER.ip)
        asked.push(checkOf(await test.deposit(), payer))
      }
      const answers = await Promise.all(asked.map((one) => checkCard(vault.deps, one)))
      const passed = answers.filter(({ kind }) => kind === 'answered')
      expect(passed).toHaveLength(CHECKS_MAX)
      expect(answers.filter(({ kind }) => kind === 'refused')).toEqual([
        refusedFor('too_many_checks'),
      ])
      expect(one.checks).toHaveLength(CHECKS_MAX)
    })

    it('counts requests that arrive together, whatever their answer', async () => {
      one.withCheck(...Array.from({ length: CHECKS_MAX * 3 }, () => declinedFor(DECLINE)))
      const tokens: string[] = []
      for (let i = 0; i < CHECKS_MAX * 3; i++) tokens.push(await test.deposit())
      await Promise.all(tokens.map((token) => checkCard(vault.deps, checkOf(token))))
      expect(one.checks).toHaveLength(CHECKS_MAX)
    })

    it('keeps no payer in the clear, and is forgotten after a week', async () => {
      const asked = checkOf(await test.deposit())
      await checkCard(vault.deps, asked)
      const dump = (await dumpDatabase(test.database)).toLowerCase()
      for (const secret of ['maria', PAYER.document, PAYER.ip, CARD.number])
        expect(dump).not.toContain(secret)
      const kept = () => test.database.reader.selectFrom('card_checks').selectAll().execute()
      await forgetChecks(test.database, test.clock.nowMs + CHECK_RETENTION_MS - 1)
      expect(await kept()).toHaveLength(1)
      await forgetChecks(test.database, test.clock.nowMs + CHECK_RETENTION_MS)
      expect(await kept()).toEqual([])
    })

    it('is counted for operators while it is not charged, from a day on', async () => {
      const code = savedIn(await check())
      await check(other('11144477735', '203.0.113.99'))
      const { reader } = test.database
      expect(await countUncharged(reader, test.clock.nowMs)).toEqual({ production: 0, sandbox: 0 })
      test.clock.nowMs += DAY_MS
      const counted = () => countUncharged(reader, test.clock.nowMs)
      expect(await counted()).toEqual({ production: 2, sandbox: 0 })
      await vault.authorize(orderByCode(code, { payerEmail: PAYER.email }))
      expect(await counted()).toEqual({ production: 1, sandbox: 0 })
    })

    it('leaves no digest of a text that is no token in the audit log', async () => {
      expect(await checkCard(vault.deps, checkOf(CARD.number))).toEqual(refusedFor('token_invalid'))
      const entries = await test.database.reader
        .selectFrom('audit_log')
        .select(['record', 'outcome'])
        .where('action', '=', 'card.checked')
        .execute()
      expect(entries).toEqual([{ record: 'no token', outcome: 'token_invalid' }])
    })

    it('is in the audit log, with its saved card', async () => {
      const code = savedIn(await check())
      const entries = await test.database.reader
        .selectFrom('audit_log')
        .select(['action', 'actor', 'record', 'outcome'])
        .where('action', 'in', ['card.checked', 'saved_card.saved'])
        .orderBy('action')
        .execute()
      const actor = 'store:store-1'
      expect(entries).toMatchObject([
        { action: 'card.checked', actor, outcome: 'approved' },
        { action: 'saved_card.saved', actor, record: code, outcome: 'saved' },
      ])
    })

    it('is approved by the simulated acquirer of a store without an account, and not saved unless asked', async () => {
      const { deps } = startProcess(test, [])
      const played = { sandbox: one }
      const asked = checkOf(await test.deposit(), { environment: 'sandbox', saveCard: false })
      const answer = await checkCard({ ...deps, played }, asked)
      expect(answer).toMatchObject({ outcome: 'approved' })
      expect(answer).not.toHaveProperty('savedCard.code')
      expect(await savedCards()).toEqual([])
      const code = savedIn(
        await checkCard(
          { ...deps, played },
          checkOf(await test.deposit(), { environment: 'sandbox' }),
        ),
      )
      const key = { environment: 'sandbox', merchantId: 'store-1', code } as const
      expect(await findStoredCard(deps, key)).toMatchObject({ isActive: true })
    })
  })
