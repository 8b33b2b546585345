import { DAY_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MERCHANT } from '../../../gateway/src/gateway.fixture.js'
import { STORE, TEST_MERCHANT, type TestSandbox, openTestSandbox } from '../sandbox.fixture.js'
import { SecretFixedError } from './test-desk.js'

const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }

for (const engine of TEST_ENGINES) {
  describe(`a sign-in at the test desk on ${engine.name}`, () => {
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await test.gateway.saveMerchant(OTHER)
    })
    afterEach(() => test.close())

    it('knows a store by its secret, in a rotation by either of two', async () => {
      const { desk } = test
      const secret = TEST_MERCHANT.secret.reveal()
      for (const wrong of ['', 'x', `${secret} `, secret.toUpperCase()])
        expect(await desk.signIn(STORE, wrong)).toBeUndefined()
      expect(await desk.signIn('nobody', secret)).toBeUndefined()
      expect(await desk.signIn('nobody', '')).toBeUndefined()
      expect(await desk.signIn(STORE, secret)).toMatchObject({ storeId: STORE })
      expect(await desk.credentials(STORE)).toEqual({
        storeId: STORE,
        storeName: 'Loja Um',
        previousUntilMs: undefined,
        fixedBy: undefined,
      })
      const rotation = (await desk.rotateSecret(STORE, secret))!
      expect(rotation.previousUntilMs).toBe(test.machine.nowMs + DAY_MS)
      expect(rotation.secret).toMatch(/^[\w-]{43}$/)
      for (const live of [secret, rotation.secret])
        expect(await desk.signIn(STORE, live)).toMatchObject({ storeId: STORE })
      const { previousUntilMs } = rotation
      expect(await desk.credentials(STORE)).toMatchObject({ previousUntilMs })
      test.machine.nowMs += DAY_MS
      expect(await desk.signIn(STORE, secret)).toBeUndefined()
      expect(await desk.credentials(STORE)).toMatchObject({ previousUntilMs: undefined })
    })

    it('ends a sign-in with its secret: at once, or when the overlap of a rotation is over', async () => {
      const { desk, machine } = test
      const { merchants } = test.parts
      const signIn = (await desk.signIn(STORE, TEST_MERCHANT.secret.reveal()))!
      expect(JSON.stringify(signIn)).not.toContain(TEST_MERCHANT.secret.reveal())
      await merchants.rotateSecret(STORE, new Secret('the second'), {
        previousUntilMs: machine.nowMs + DAY_MS,
        actor: 'panel',
      })
      expect(await desk.isSignedIn(signIn)).toBe(true)
      machine.nowMs += DAY_MS
      expect(await desk.isSignedIn(signIn)).toBe(false)

      const second = (await desk.signIn(STORE, 'the second'))!
      expect(await desk.isSignedIn(second)).toBe(true)
      expect(await desk.isSignedIn({ ...second, storeId: 'store-2' })).toBe(false)
      await merchants.rotateSecret(STORE, new Secret('the third'), {
        previousUntilMs: machine.nowMs,
        actor: 'panel',
      })
      expect(await desk.isSignedIn(second)).toBe(false)
    })

    it('ends a sign-in when its store is disabled', async () => {
      const signIn = (await test.desk.signIn(STORE, TEST_MERCHANT.secret.reveal()))!
      await test.parts.merchants.change(STORE, { enabled: false }, 'panel')
      expect(await test.desk.isSignedIn(signIn)).toBe(false)
    })

    it('draws a new secret for who has the current one, not the one that a rotation replaced', async () => {
      const { desk } = test
      const secret = TEST_MERCHANT.secret.reveal()
      for (const wrong of ['', 'x', `${secret} `])
        expect(await desk.rotateSecret(STORE, wrong)).toBeUndefined()
      expect(await desk.credentials(STORE)).toMatchObject({ previousUntilMs: undefined })
      const second = (await desk.rotateSecret(STORE, secret))!
      expect(await desk.rotateSecret(STORE, secret)).toBeUndefined()
      expect(await desk.rotateSecret(STORE, second.secret)).toBeDefined()
    })

    it('draws no secret for a store that is not enabled', async () => {
      await test.parts.merchants.change(STORE, { enabled: false }, 'panel')
      expect(await test.desk.rotateSecret(STORE, TEST_MERCHANT.secret.reveal())).toBeUndefined()
    })

    it.each(['\0', `${STORE}\0`, '\ud800', '\u{10ffff}', 'x'.repeat(60_000), "' OR 1=1 --"])(
      'knows no store of an id that cannot be one: %j',
      async (storeId) => {
        expect(await test.desk.signIn(storeId, TEST_MERCHANT.secret.reveal())).toBeUndefined()
      },
    )

    it('does not know a store that is not enabled', async () => {
      await test.gateway.saveMerchant({ ...OTHER, enabled: false })
      expect(await test.desk.signIn('store-2', OTHER.secret.reveal())).toBeUndefined()
    })
  })
}

describe('a secret that the operator has fixed', () => {
  it('is not rotated, and the reason is told', async () => {
    const keep = vi.fn(() => Promise.resolve())
    const test = await openTestSandbox(TEST_ENGINES[0]!, { fixedBy: () => 'THE_SECRET', keep })
    expect(await test.desk.credentials(STORE)).toMatchObject({ fixedBy: 'THE_SECRET' })
    const rotation = test.desk.rotateSecret(STORE, TEST_MERCHANT.secret.reveal())
    await expect(rotation).rejects.toThrow(SecretFixedError)
    expect(keep).not.toHaveBeenCalled()
    expect(await test.desk.signIn(STORE, TEST_MERCHANT.secret.reveal())).toBeDefined()
    await test.close()
  })

  it('is not rotated either when the other keeper of it fails', async () => {
    const keep = () => Promise.reject(new Error('the disk is full'))
    const test = await openTestSandbox(TEST_ENGINES[0]!, { fixedBy: () => undefined, keep })
    const rotation = test.desk.rotateSecret(STORE, TEST_MERCHANT.secret.reveal())
    await expect(rotation).rejects.toThrow('the disk is full')
    expect(await test.desk.credentials(STORE)).toMatchObject({ previousUntilMs: undefined })
    await test.close()
  })
})
