import { FIELD_ORIGINS_MAX } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptsTarget } from '../../notifications/src/delivery/notification-target.js'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import type { Merchant } from '../../gateway/src/model/merchant/merchant.js'
import { type WantedSettings, interestMark, settingsMark } from './model/shop-settings.js'
import type { SettingAuthor } from './model/store-settings.js'
import { type TestOperator, openTestOperator } from './operator.fixture.js'

const ANA: SettingAuthor = { actor: 'person:per_ana', isStillAllowed: () => Promise.resolve(true) }
const REMOVED: SettingAuthor = { ...ANA, isStillAllowed: () => Promise.resolve(false) }
const SHOP = 'https://loja.example'
const [sqlite] = TEST_ENGINES

describe('what a shop decides of its store', () => {
  let test: TestOperator
  beforeAll(async () => {
    test = await openTestOperator(sqlite!, {
      requestPolicy: { wallets: [], acceptsNotificationUrl: (url) => acceptsTarget(url, []) },
    })
  })
  afterAll(() => test.close())
  beforeEach(() => test.gateway.saveMerchant({ ...MERCHANT, fieldOrigins: [SHOP] }))

  const office = () => test.gateway.backOffice
  const store = async (): Promise<Merchant> => (await office().findMerchant(MERCHANT.id))!
  const lastChange = async () =>
    (await test.parts.merchants.listChanges({ id: MERCHANT.id, limit: 1 }))[0]
  const asShown = async (): Promise<WantedSettings> => {
    const settings = await store()
    const { name, signature, surplus, uncaptured, language, notificationUrl } = settings
    const limits = { payerDeclines: undefined, addressDeclines: undefined, binDeclines: undefined }
    const chosen = { name, signature, surplus, uncaptured, language, notificationUrl }
    return { ...chosen, ...limits, mark: settingsMark(settings) }
  }
  const change = async (over: Partial<WantedSettings>, author = ANA) =>
    await office().changeSettings(MERCHANT.id, { ...(await asShown()), ...over }, author)

  it('changes at once, and the log of stores has who, before and after', async () => {
    const { name } = await store()
    const chosen = { surplus: 'keep', uncaptured: 'capture', signature: 'rfc9421' } as const
    const wanted = { name: 'Loja Nova', ...chosen }
    const changed = {
      name: { from: name, to: 'Loja Nova' },
      surplus: { to: 'keep' },
      uncaptured: { to: 'capture' },
      signature: { to: 'rfc9421' },
      payerDeclines: { to: 5 },
    }
    expect(await change({ ...wanted, payerDeclines: 5 })).toEqual({ changed })
    expect(await store()).toMatchObject({ ...wanted, payerDeclines: 5 })
    expect(await lastChange()).toMatchObject({ actor: ANA.actor, settings: changed })
    expect(await change({})).toEqual({ changed: {} })
  })

  it.each([
    ['no name', { name: ' ' }, { name: 'malformed' }],
    ['a name that turns what is beside it', { name: 'Loja\u202e' }, { name: 'malformed' }],
    ['a card number for a name', { name: '4111 1111 1111 1111' }, { name: 'malformed' }],
    ['more declines than usual', { payerDeclines: 11 }, { payerDeclines: 'looser' }],
    ['a limit of none', { binDeclines: 0 }, { binDeclines: 'malformed' }],
    ['a limit that is no number', { binDeclines: NaN }, { binDeclines: 'malformed' }],
    [
      'several at once',
      { name: '', addressDeclines: 31, payerDeclines: 1.5, binDeclines: 1 },
      { name: 'malformed', addressDeclines: 'looser', payerDeclines: 'malformed' },
    ],
  ] as const)('refuses %s, and changes nothing of what was sent', async (_, over, refused) => {
    const before = await store()
    expect(await change(over)).toEqual({ refused })
    expect(await store()).toEqual(before)
  })

  it('has the language and the address of what names none, until they are cleared', async () => {
    const defaults = { language: 'en-US', notificationUrl: 'https://loja.example/n' } as const
    expect(await change(defaults)).toEqual({
      changed: { language: { to: 'en-US' }, notificationUrl: { to: defaults.notificationUrl } },
    })
    expect(await store()).toMatchObject(defaults)
    expect(await change({ language: undefined, notificationUrl: undefined })).toMatchObject({
      changed: { language: { from: 'en-US', to: null }, notificationUrl: { to: null } },
    })
  })

  it.each([
    ['no address', 'loja.example'],
    ['another port', 'https://loja.example:8443/'],
    ['a private network', 'http://10.0.0.1/'],
    ['this machine', 'http://localhost/'],
    ['a password', 'https://a:b@loja.example/'],
    ['a card number', 'https://loja.example/4111111111111111'],
    ['201 characters', `https://loja.example/${'x'.repeat(180)}`],
  ])('refuses to notify %s', async (_, notificationUrl) => {
    expect(await change({ notificationUrl })).toEqual({ refused: { notificationUrl: 'malformed' } })
  })

  it('keeps an address that stays, also once it is no longer accepted', async () => {
    await test.gateway.saveMerchant({ ...MERCHANT, notificationUrl: 'http://10.0.0.1/' })
    expect(await change({ name: 'Loja Nova' })).toMatchObject({ changed: { name: {} } })
  })

  it('never becomes looser than it is: neither limits of its own nor the signature', async () => {
    await change({ payerDeclines: 3, signature: 'rfc9421' })
    expect(await change({ payerDeclines: 4, signature: undefined })).toEqual({
      refused: { payerDeclines: 'looser', signature: 'looser' },
    })
    expect(await change({ payerDeclines: 3 })).toEqual({ changed: {} })
    await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 0 })
    expect(await change({ payerDeclines: 500 })).toMatchObject({
      changed: { payerDeclines: { to: 500 } },
    })
  })

  it.each<Partial<WantedSettings>>([
    { name: 'First' },
    { language: 'es-ES' },
    { notificationUrl: `${SHOP}/first` },
  ])('is not overwritten by a form that was filled in before another change: %j', async (first) => {
    const { mark } = await asShown()
    await change(first)
    expect(await change({ name: 'Second', mark })).toEqual({ refused: 'meanwhile' })
    expect(await store()).toMatchObject(first)
  })

  it('applies the interest of the first form, and refuses the other', async () => {
    const mark = interestMark(await store())
    const wanted = { terms: { monthlyRate: 0.02, interestFree: 1 }, mark }
    const change = () => office().changeInterest(MERCHANT.id, wanted, ANA)
    expect(await change()).toMatchObject({ changed: { interest: {} } })
    expect(await lastChange()).toMatchObject({ actor: ANA.actor })
    expect(await change()).toEqual({ refused: 'meanwhile' })
  })

  it('adds and removes origins one by one, however they were copied', async () => {
    const add = (text: string) => office().addFieldOrigin(MERCHANT.id, text, ANA)
    const remove = (origin: string) => office().removeFieldOrigin(MERCHANT.id, origin, ANA)
    const both = [SHOP, 'https://www.loja.example']
    expect(await add('https://WWW.loja.example/')).toEqual({
      changed: { fieldOrigins: { from: [SHOP], to: both } },
    })
    expect(await lastChange()).toMatchObject({ actor: ANA.actor })
    expect(await add('https://www.loja.example')).toEqual({ refused: 'known' })
    for (const text of ['', 'loja.example', 'http://loja.example', 'https://loja.example/cart'])
      expect(await add(text)).toEqual({ refused: 'malformed' })
    expect(await remove(SHOP)).toMatchObject({ changed: { fieldOrigins: { from: both } } })
    expect(await remove(SHOP)).toEqual({ refused: 'unknown' })
    const full = Array.from({ length: FIELD_ORIGINS_MAX }, (_, i) => `https://s${i}.example`)
    await test.gateway.saveMerchant({ ...MERCHANT, fieldOrigins: full })
    expect(await add('https://one-more.example')).toEqual({ refused: 'too-many' })
  })

  it('keeps every origin of two people who add at the same moment', async () => {
    const origins = ['https://a.example', 'https://b.example', 'https://c.example']
    await Promise.all(origins.map((one) => office().addFieldOrigin(MERCHANT.id, one, ANA)))
    expect((await store()).fieldOrigins.toSorted()).toEqual([...origins, SHOP].toSorted())
  })

  it('is changed by no one whose role has ended since the page was shown', async () => {
    const before = await store()
    const { id } = MERCHANT
    const refused = { refused: 'not-allowed' }
    expect(await change({ name: 'Mine' }, REMOVED)).toEqual(refused)
    expect(await office().addFieldOrigin(id, 'https://evil.example', REMOVED)).toEqual(refused)
    expect(await office().removeFieldOrigin(id, SHOP, REMOVED)).toEqual(refused)
    const interest = { terms: null, mark: interestMark(before) }
    expect(await office().changeInterest(id, interest, REMOVED)).toEqual(refused)
    expect(await store()).toEqual(before)
    expect(await office().addFieldOrigin('nobody', SHOP, ANA)).toEqual({ refused: 'no-store' })
  })
})
