import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../create-vault.js'
import { generateKeyRing, parseKeyRing } from '../keys/key-ring.js'
import { SealError } from '../keys/sealed-value.js'
import { createVaultAdministration } from '../vault-administration.js'
import { CARD, type TestVault, openTestVault, orderByCode, orderFor } from '../vault.fixture.js'
import { CHAIN_START, type ChainLink, headText, parseHead } from './audit-entry.js'

const ENTRIES_PER_PAGE = 1000

const broken = (position: number, reason: string) => ({ kind: 'broken', position, reason })

for (const engine of TEST_ENGINES) {
  describe(`The audit log on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    const administration = () => createVaultAdministration(test.deps)
    const verify = (known?: ChainLink) => administration().verifyAuditLog(known)

    async function fill(count: number): Promise<void> {
      for (let record = 1; record <= count; record++) {
        await administration().recordEvent({
          actor: 'operator:test',
          action: 'key.added',
          record: String(record),
          outcome: 'current',
        })
        test.clock.nowMs += 1
      }
      await test.vault.sweep()
    }

    async function headNow(): Promise<ChainLink> {
      const verdict = await verify()
      if (verdict.kind === 'broken') throw new Error('broken')
      return verdict.head
    }

    /** Writes into the table, as only an attacker does. */
    async function tamper(position: number, change: { record?: string; position?: number }) {
      await test.database.transact((trx) =>
        trx.updateTable('audit_log').set(change).where('position', '=', position).execute(),
      )
    }

    async function remove(...positions: number[]): Promise<void> {
      await test.database.transact((trx) =>
        trx.deleteFrom('audit_log').where('position', 'in', positions).execute(),
      )
    }

    /** Adds a copy of the first entry, as the last one with its position. */
    async function slipIn(place: { position: number }): Promise<void> {
      const { reader } = test.database
      const first = reader.selectFrom('audit_log').selectAll().where('position', '=', 1)
      const entry = await first.executeTakeFirstOrThrow()
      await test.database.transact((trx) =>
        trx
          .insertInto('audit_log')
          .values({ ...entry, id: 'zzz', ...place })
          .execute(),
      )
    }

    it('records the actor, the action, its object, time and outcome', async () => {
      test.acquirer.answers = ['approved', 'declined']
      const first = orderFor(await test.deposit(), { saveCard: true })
      const answer = await test.vault.authorize(first)
      const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
      await test.vault.authorize(orderByCode(code))
      await test.vault.authorize(orderFor('never.deposited'))
      await test.vault.recallAuthorization('sandbox', '77')
      await test.vault.deleteSavedCard('production', 'store-1', code)
      const entries = await administration().listAuditLog({ limit: 10 })
      const reported = entries.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`)
      expect(reported.toSorted()).toEqual([
        'gateway authorization.recalled void',
        'page direct_token.deposited accepted',
        'store:store-1 card.authorized approved',
        'store:store-1 card.authorized declined',
        'store:store-1 card.authorized token_invalid',
        'store:store-1 saved_card.deleted deleted',
        'store:store-1 saved_card.saved saved',
      ])
      expect(entries).toContainEqual({
        id: expect.any(String) as string,
        atMs: test.clock.nowMs,
        actor: 'store:store-1',
        action: 'card.authorized',
        environment: 'production',
        merchantId: 'store-1',
        record: first.transactionCode,
        outcome: 'approved',
      })
    })

    it('records an activation once', async () => {
      test.acquirer.answers = ['pending']
      const order = orderFor(await test.deposit(), { saveCard: true })
      await test.vault.authorize(order)
      await test.vault.activateSavedCard('production', order.transactionCode)
      await test.vault.activateSavedCard('production', order.transactionCode)
      const filter = { limit: 10, action: 'saved_card.activated' }
      expect(await administration().listAuditLog(filter)).toHaveLength(1)
    })

    it('has no entry for an action that was undone', async () => {
      const token = await test.deposit()
      await Promise.all(Array.from({ length: 10 }, () => test.vault.authorize(orderFor(token))))
      const filter = { limit: 100, action: 'card.authorized' }
      const outcomes = (await administration().listAuditLog(filter)).map(({ outcome }) => outcome)
      expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'token_invalid')).toHaveLength(9)
    })

    it('never repeats what a caller calls a code', async () => {
      await test.vault.deleteSavedCard('production', 'store-1', CARD.number)
      const source = { kind: 'code', code: CARD.number } as const
      await test.vault.authorize(orderFor('', { source }))
      const entries = await administration().listAuditLog({ limit: 10 })
      expect(entries).toHaveLength(1)
      expect(JSON.stringify(entries)).not.toContain(CARD.number)
    })

    it('is intact when it was not changed, and when it is empty', async () => {
      expect(await verify()).toEqual({ kind: 'intact', head: { position: 0, mac: '' } })
      await fill(5)
      const head = await headNow()
      expect(head.position).toBe(5)
      expect(await verify(head)).toEqual({ kind: 'intact', head })
      expect(parseHead(headText(head))).toEqual(head)
    })

    it('is one chain, although many processes chain it at once', async () => {
      const vaults = Array.from({ length: 4 }, () => createVault(test.deps))
      const work = vaults.map(async (vault) => {
        for (let i = 0; i < 5; i++) {
          await vault.recallAuthorization('sandbox', `${i}${String(vaults.indexOf(vault))}`)
          await vault.sweep()
        }
      })
      await Promise.all(work)
      expect(await verify()).toMatchObject({ kind: 'intact', head: { position: 20 } })
    })

    it('chains more than one transaction takes, and walks more than one page', async () => {
      const { clock } = test
      await test.database.transact(async (trx) => {
        const entry = {
          at_ms: clock.nowMs,
          actor: 'page',
          action: 'direct_token.deposited',
          environment: null,
          merchant_id: null,
          outcome: 'accepted',
          position: null,
          mac: null,
        } as const
        const entries = Array.from({ length: 1001 }, (_, i) => ({
          ...entry,
          id: String(i + 1).padStart(6, '0'),
          record: String(i + 1),
        }))
        await trx.insertInto('audit_log').values(entries).execute()
      })
      expect(await verify()).toMatchObject({ kind: 'intact', head: { position: 1001 } })
      await tamper(1001, { record: 'another' })
      expect(await verify()).toEqual(broken(1001, 'changed'))
    })

    it('shows a changed entry', async () => {
      await fill(5)
      await tamper(3, { record: 'another' })
      expect(await verify()).toEqual(broken(3, 'changed'))
    })

    it('shows two entries that were swapped', async () => {
      await fill(5)
      await tamper(2, { position: 99 })
      await tamper(4, { position: 2 })
      await tamper(99, { position: 4 })
      expect(await verify()).toEqual(broken(2, 'changed'))
    })

    it('shows an entry that was removed, and the first one too', async () => {
      await fill(5)
      await remove(4)
      expect(await verify()).toEqual(broken(4, 'missing'))
      await remove(1)
      expect(await verify()).toEqual(broken(1, 'missing'))
    })

    it('shows an entry that was slipped in', async () => {
      await fill(3)
      await slipIn({ position: 2 })
      expect(await verify()).toEqual(broken(3, 'changed'))
    })

    it('shows an entry that was slipped in before the first, or between two pages', async () => {
      await fill(1)
      await slipIn({ position: 0 })
      expect(await verify()).toEqual(broken(1, 'changed'))
      await remove(0)
      await slipIn({ position: -7 })
      expect(await verify()).toEqual(broken(1, 'changed'))
      await remove(-7)
      await fill(ENTRIES_PER_PAGE)
      await slipIn({ position: ENTRIES_PER_PAGE })
      expect(await verify()).toEqual(broken(ENTRIES_PER_PAGE + 1, 'changed'))
    })

    it('shows that its end was cut off', async () => {
      await fill(5)
      await remove(4, 5)
      expect(await verify()).toEqual(broken(4, 'missing'))
    })

    it('shows a cleanly cut end only with a head that was kept elsewhere', async () => {
      await fill(3)
      const early = await headNow()
      await fill(2)
      const head = await headNow()
      await remove(4, 5)
      await test.database.transact((trx) => trx.updateTable('audit_head').set(early).execute())
      expect(await verify()).toEqual({ kind: 'intact', head: early })
      expect(await verify(early)).toEqual({ kind: 'intact', head: early })
      expect(await verify(head)).toEqual(broken(4, 'missing'))
      await fill(4)
      expect(await verify(head)).toEqual(broken(5, 'another_head'))
    })

    it('shows an entry of a history that was cut off and is put into another', async () => {
      await fill(3)
      const early = await headNow()
      await fill(2)
      const { reader } = test.database
      const rows = await reader.selectFrom('audit_log').selectAll().execute()
      const fifth = rows.find(({ position }) => position === 5)
      if (fifth === undefined) throw new Error('no entry')
      await remove(4, 5)
      await test.database.transact((trx) => trx.updateTable('audit_head').set(early).execute())
      await fill(3)
      await remove(5)
      await test.database.transact((trx) => trx.insertInto('audit_log').values(fifth).execute())
      expect(await verify()).toEqual(broken(5, 'changed'))
    })

    it('shows that the record of its head is gone', async () => {
      await fill(2)
      await test.database.transact((trx) => trx.deleteFrom('audit_head').execute())
      expect(await verify()).toEqual(broken(0, 'missing'))
    })

    it('cannot be chained again with the database alone, without the keys', async () => {
      await fill(2)
      const stranger = { ...test.deps, keys: parseKeyRing(generateKeyRing()) }
      await expect(createVault(stranger).sweep()).rejects.toThrow(SealError)
    })

    it('cannot be rewritten behind the back of a vault that runs', async () => {
      await fill(3)
      const head = await headNow()
      const errors = () => test.log.lines.filter((line) => line.includes('written anew'))
      await test.vault.sweep()
      expect(errors()).toEqual([])
      // This needs no keys: the vault itself chains entries without a place.
      await tamper(2, { record: 'another' })
      await test.database.transact(async (trx) => {
        await trx.updateTable('audit_log').set({ position: null, mac: null }).execute()
        await trx.updateTable('audit_head').set(CHAIN_START).execute()
      })
      await test.vault.sweep()
      expect(await verify()).toMatchObject({ kind: 'intact', head: { position: 3 } })
      expect(await verify(head)).toEqual(broken(3, 'another_head'))
      expect(errors()).toHaveLength(1)
      expect(errors()[0]).toContain(headText(head))
      await test.vault.sweep()
      expect(errors()).toHaveLength(2)
    })

    it('is missed by a vault that runs, when its end or its head is gone', async () => {
      await fill(3)
      const errors = () => test.log.lines.filter((line) => line.includes('written anew'))
      await remove(3)
      await test.vault.sweep()
      expect(errors()).toHaveLength(1)
      await test.database.transact((trx) => trx.deleteFrom('audit_head').execute())
      await expect(test.vault.sweep()).rejects.toThrow('has lost the record of its head')
    })

    it('logs the head, to be kept elsewhere', async () => {
      await fill(2)
      expect(test.log.lines.join()).toContain(headText(await headNow()))
      const lines = test.log.lines.length
      await test.vault.sweep()
      expect(test.log.lines).toHaveLength(lines)
    })

    it('is listed by kind, record and time, the newest first', async () => {
      await fill(5)
      const list = async (filter: object) =>
        (await administration().listAuditLog({ limit: 3, ...filter })).map(({ record }) => record)
      expect(await list({})).toEqual(['5', '4', '3'])
      expect(await list({ record: '2' })).toEqual(['2'])
      expect(await list({ action: 'key.split' })).toEqual([])
      expect(await list({ sinceMs: test.clock.nowMs - 2 })).toEqual(['5', '4'])
    })
  })
}
