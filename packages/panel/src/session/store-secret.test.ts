import { DAY_MS, Secret } from '@cofre/contracts'
import { livePreviousSecret } from '@cofre/gateway/room'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MERCHANT } from '../../../gateway/src/gateway.fixture.js'
import {
  STORE,
  TEST_MERCHANT,
  type TestSandbox,
  openTestSandbox,
} from '../../../sandbox/src/sandbox.fixture.js'
import { type SecretKeeper, isSignedIn, rotateSecret, signIn } from './store-secret.js'

const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }
const SECRET = TEST_MERCHANT.secret

let test: TestSandbox
const depsOf = (secretKeeper?: SecretKeeper) => ({
  backOffice: test.gateway.backOffice,
  clock: test.machine,
  ...(secretKeeper !== undefined && { secretKeeper }),
})
const enter = (secret: string, storeId = STORE) => signIn(depsOf(), storeId, new Secret(secret))
const rotate = (secret: string) => rotateSecret(depsOf(), STORE, new Secret(secret))
/** The new secret of a rotation that must succeed. */
const rotated = async (secret: string): Promise<string> => {
  const next = await rotate(secret)
  if (typeof next === 'string') throw new Error(next)
  return next.reveal()
}
const previousUntilMs = async () => {
  const merchant = await test.gateway.backOffice.findMerchant(STORE)
  return livePreviousSecret(merchant!, test.machine.nowMs)?.untilMs
}

// The gateway's own suites run the statements on both engines.
const ENGINES = TEST_ENGINES.filter(({ name }) => name === 'sqlite')

for (const engine of ENGINES) {
  describe(`a sign-in to the panel on ${engine.name}`, () => {
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await test.gateway.saveMerchant(OTHER)
    })
    afterEach(() => test.close())

    it('accepts the secret of a store, and during a rotation either of two', async () => {
      const secret = SECRET.reveal()
      for (const wrong of ['', 'x', `${secret} `, secret.toUpperCase()])
        expect(await enter(wrong)).toBeUndefined()
      expect(await enter(secret, 'nobody')).toBeUndefined()
      expect(await enter('', 'nobody')).toBeUndefined()
      expect(await enter(secret)).toMatchObject({ storeId: STORE })
      expect(await previousUntilMs()).toBeUndefined()
      const next = await rotated(secret)
      expect(next).toMatch(/^[\w-]{43}$/)
      for (const live of [secret, next]) expect(await enter(live)).toMatchObject({ storeId: STORE })
      expect(await previousUntilMs()).toBe(test.machine.nowMs + DAY_MS)
      test.machine.nowMs += DAY_MS
      expect(await enter(secret)).toBeUndefined()
      expect(await previousUntilMs()).toBeUndefined()
    })

    it('ends with its secret: at once, or when the overlap of a rotation is over', async () => {
      const { machine } = test
      const { merchants } = test.parts
      const first = (await enter(SECRET.reveal()))!
      expect(JSON.stringify(first)).not.toContain(SECRET.reveal())
      await merchants.rotateSecret(STORE, new Secret('the second'), {
        previousUntilMs: machine.nowMs + DAY_MS,
        actor: 'panel',
      })
      expect(await isSignedIn(depsOf(), first)).toBe(true)
      machine.nowMs += DAY_MS
      expect(await isSignedIn(depsOf(), first)).toBe(false)

      const second = (await enter('the second'))!
      expect(await isSignedIn(depsOf(), second)).toBe(true)
      expect(await isSignedIn(depsOf(), { ...second, storeId: 'store-2' })).toBe(false)
      await merchants.rotateSecret(STORE, new Secret('the third'), {
        previousUntilMs: machine.nowMs,
        actor: 'panel',
      })
      expect(await isSignedIn(depsOf(), second)).toBe(false)
    })

    it('ends when its store is disabled', async () => {
      const signedIn = (await enter(SECRET.reveal()))!
      await test.parts.merchants.change(STORE, { enabled: false }, 'panel')
      expect(await isSignedIn(depsOf(), signedIn)).toBe(false)
    })

    it('rotates the secret for its current secret, not for one that a rotation replaced', async () => {
      const secret = SECRET.reveal()
      for (const wrong of ['', 'x', `${secret} `]) expect(await rotate(wrong)).toBe('not-current')
      expect(await previousUntilMs()).toBeUndefined()
      const second = await rotated(secret)
      expect(await rotate(secret)).toBe('not-current')
      expect(await rotated(second)).not.toBe(second)
    })

    it('rotates no secret of a disabled store', async () => {
      await test.parts.merchants.change(STORE, { enabled: false }, 'panel')
      expect(await rotate(SECRET.reveal())).toBe('not-current')
    })

    it.each(['\0', `${STORE}\0`, '\ud800', '\u{10ffff}', 'x'.repeat(60_000), "' OR 1=1 --"])(
      'refuses an id that cannot be a store’s: %j',
      async (storeId) => {
        expect(await enter(SECRET.reveal(), storeId)).toBeUndefined()
      },
    )

    it('refuses a disabled store', async () => {
      await test.gateway.saveMerchant({ ...OTHER, enabled: false })
      expect(await enter(OTHER.secret.reveal(), 'store-2')).toBeUndefined()
    })
  })
}

describe('a secret with another keeper', () => {
  beforeEach(async () => {
    test = await openTestSandbox(TEST_ENGINES[0]!)
  })
  afterEach(() => test.close())

  it('is not rotated when the configuration sets it', async () => {
    const keep = vi.fn(() => Promise.resolve())
    const deps = depsOf({ fixedBy: () => 'THE_SECRET', has: () => true, save: keep })
    expect(await rotateSecret(deps, STORE, SECRET)).toBe('fixed')
    expect(keep).not.toHaveBeenCalled()
    expect(await enter(SECRET.reveal())).toBeDefined()
  })

  it('is not rotated when the other keeper fails', async () => {
    const keep = () => Promise.reject(new Error('the disk is full'))
    const deps = depsOf({ fixedBy: () => undefined, has: () => true, save: keep })
    await expect(rotateSecret(deps, STORE, SECRET)).rejects.toThrow('the disk is full')
    expect(await previousUntilMs()).toBeUndefined()
  })
})
