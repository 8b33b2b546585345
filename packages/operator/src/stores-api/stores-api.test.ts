import { type KeyObject, generateKeyPairSync } from 'node:crypto'
import { DAY_MS, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, type TestGateway } from '../../../gateway/src/gateway.fixture.js'
import { OPERATOR_SCOPES, readPublicKey } from './model/operator-key.js'
import { type Asked, type TestStoresApi, openStoresApi } from './stores-api.fixture.js'

const STORES = '/production/stores'
const NAMED = { id: 'loja', name: 'Loja Um' }

const secretOf = (json: Record<string, unknown>): Secret<string> => new Secret(String(json.secret))
const searchedBy = async (test: TestGateway, secret: Secret<string>) => {
  const merchant = { ...MERCHANT, id: 'loja', secret }
  return (await test.send('GET', '/transactions/1', { merchant })).status
}
const ACCEPTED = 404
const REFUSED = 401

for (const engine of TEST_ENGINES) {
  describe(`stores by API, on ${engine.name}`, () => {
    let test: TestStoresApi
    beforeEach(async () => {
      test = await openStoresApi(engine)
    })
    afterEach(() => test.close())

    it('are created in their environment, and sign at once', async () => {
      const created = await test.ask('POST', STORES, { body: NAMED })
      expect(created).toMatchObject({
        status: 201,
        json: {
          store: {
            ...NAMED,
            environment: 'production',
            suspended: false,
            refunds: 'full-and-partial',
          },
        },
      })
      expect(created.headers.get('location')).toBe('/production/stores/loja')
      expect(await searchedBy(test.production, secretOf(created.json))).toBe(ACCEPTED)
      expect(await searchedBy(test.sandbox, secretOf(created.json))).toBe(REFUSED)
      expect(await test.ask('POST', STORES, { body: NAMED })).toMatchObject({
        status: 409,
        codes: [90702],
      })
      expect(await test.ask('POST', '/sandbox/stores', { body: NAMED })).toMatchObject({
        status: 201,
        json: { store: { 'saved-cards': 'fixed' } },
      })
    })

    it('have their secret in the first answer alone, and nowhere in the clear', async () => {
      const asked = { body: NAMED, idempotencyKey: 'created-once' }
      const first = await test.ask('POST', STORES, asked)
      const again = await test.ask('POST', STORES, asked)
      expect(again).toMatchObject({ status: 201, json: { secret: null, store: NAMED } })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      const secret = secretOf(first.json).reveal()
      expect(secret).toMatch(/^[\w-]{51}$/)
      const { reader } = test.production.database
      for (const table of ['idempotency_keys', 'store_keys', 'store_changes', 'acts'] as const)
        expect(JSON.stringify(await reader.selectFrom(table).selectAll().execute())).not.toContain(
          secret,
        )
      expect(test.production.logged.join('\n')).not.toContain(secret)
    })

    // The answer is lost, then the same request is sent again.
    const sentTwice = async (target: string, asked: Asked, fault: 'beforeAct' | 'afterAct') => {
      const request = { ...asked, idempotencyKey: `sent-twice-to-${target}` }
      test.faults[fault] = true
      expect(await test.ask('POST', target, request)).toMatchObject({ status: 500 })
      test.faults[fault] = false
      test.time.nowMs += MINUTE_MS
      return await test.ask('POST', target, request)
    }

    it.each(['beforeAct', 'afterAct'] as const)(
      'keep the secret in service when a rotation fails %s and is sent again',
      async (fault) => {
        const created = await test.ask('POST', STORES, { body: NAMED })
        const rotation = `${STORES}/loja/keys/first/rotation`
        const rotated = await sentTwice(rotation, { body: {} }, fault)
        expect(rotated.status).toBe(200)
        expect(await searchedBy(test.production, secretOf(rotated.json))).toBe(ACCEPTED)
        expect(await searchedBy(test.production, secretOf(created.json))).toBe(ACCEPTED)
        const next = await test.ask('POST', rotation, { body: {} })
        expect(await searchedBy(test.production, secretOf(next.json))).toBe(ACCEPTED)
        expect(await searchedBy(test.production, secretOf(rotated.json))).toBe(ACCEPTED)
        expect(await searchedBy(test.production, secretOf(created.json))).toBe(REFUSED)
      },
    )

    it('keep the secret of notifications when its draw is sent again', async () => {
      const created = await test.ask('POST', STORES, { body: NAMED })
      const draw = `${STORES}/loja/notification-secret`
      const startMs = test.time.nowMs
      const drawn = await sentTwice(draw, { body: {} }, 'afterAct')
      const store = await test.production.gateway.stores.find('loja')
      expect(store?.notificationSecret).toMatchObject({
        secret: secretOf(drawn.json),
        previousSecret: { secret: secretOf(created.json), untilMs: startMs + DAY_MS },
      })
      expect(Date.parse(String(drawn.json['previous-secret-until']))).toBe(startMs + DAY_MS)
    })

    it('and their keys are made once, however often they are requested', async () => {
      const made = await sentTwice(STORES, { body: {} }, 'afterAct')
      expect(made).toMatchObject({ status: 201, json: { store: { refunds: 'full-and-partial' } } })
      const { id } = made.json.store as { readonly id: string }
      const { json } = await test.ask('GET', STORES)
      expect(json.stores).toMatchObject([{ id: MERCHANT.id }, { id }])
      const named = await sentTwice(`${STORES}/`, { body: NAMED }, 'afterAct')
      expect(named).toMatchObject({ status: 201, json: { store: NAMED } })
      expect(await searchedBy(test.production, secretOf(named.json))).toBe(ACCEPTED)
      await test.ask('POST', `${STORES}/loja/suspension`)
      const body = { name: 'ERP', scopes: ['read'] }
      const added = await sentTwice(`${STORES}/loja/keys`, { body }, 'afterAct')
      expect(added).toMatchObject({ status: 201, json: { key: { name: 'ERP' } } })
      await test.ask('POST', `${STORES}/loja/resumption`)
      expect(await searchedBy(test.production, secretOf(added.json))).toBe(ACCEPTED)
      const shown = await test.ask('GET', `${STORES}/loja`)
      expect(shown.json.keys).toMatchObject([
        { key: 'first' },
        { key: (added.json.key as { readonly key: string }).key },
      ])
    })

    it('are not made by an Idempotency-Key that made another before', async () => {
      const asked = { body: {}, idempotencyKey: 'used-each-day' }
      const keys = `${STORES}/${MERCHANT.id}/keys`
      expect((await test.ask('POST', STORES, asked)).status).toBe(201)
      const body = { name: 'ERP', scopes: ['read'] }
      const addingKey = { body, idempotencyKey: 'keys-each-day' }
      expect((await test.ask('POST', keys, addingKey)).status).toBe(201)
      await test.production.database.transact((trx) => trx.deleteFrom('idempotency_keys').execute())
      expect((await test.ask('POST', STORES, asked)).codes).toEqual([90012])
      expect((await test.ask('POST', keys, addingKey)).codes).toEqual([90012])
    })

    it('are changed even if the end of the act is not logged', async () => {
      test.faults.endOfAct = true
      expect(await test.ask('POST', STORES, { body: NAMED })).toMatchObject({ status: 201 })
      expect(await test.ask('POST', STORES, { body: NAMED })).toMatchObject({ codes: [90702] })
      expect(test.production.logged.join('\n')).toContain('the end of an act was not logged')
    })

    it('are suspended and resumed at once', async () => {
      const created = await test.ask('POST', STORES, { body: NAMED })
      const suspended = await test.ask('POST', `${STORES}/loja/suspension`)
      expect(suspended).toMatchObject({ status: 200, json: { store: { suspended: true } } })
      expect(await searchedBy(test.production, secretOf(created.json))).toBe(REFUSED)
      await test.ask('POST', `${STORES}/loja/resumption`)
      expect(await searchedBy(test.production, secretOf(created.json))).toBe(ACCEPTED)
    })

    it('change settings and rules, which are logged with the key that did', async () => {
      const keyId = await test.addKey()
      await test.ask('POST', STORES, { body: NAMED, keyId })
      const body = {
        'raw-cards': true,
        refunds: 'full',
        rules: 'lenient',
        signature: 'rfc9421',
        'payer-declines': 'off',
        'notification-url': 'https://loja.example/n',
        'field-origins': ['https://loja.example', 'https://loja.example'],
      }
      test.time.nowMs += SECOND_MS
      const changed = await test.ask('POST', `${STORES}/loja/settings`, { body, keyId })
      const store = { ...body, 'field-origins': ['https://loja.example'] }
      expect(changed).toMatchObject({ status: 200, json: { store } })
      expect(await test.ask('GET', `${STORES}/loja`)).toMatchObject({ json: { store } })
      const usual = { signature: 'any', 'payer-declines': 'usual', 'notification-url': 'none' }
      test.time.nowMs += SECOND_MS
      const after = await test.ask('POST', `${STORES}/loja/settings`, { body: usual, keyId })
      expect(after.json).toMatchObject({ store: { ...usual, 'notification-url': null } })
      const changes = await test.production.gateway.stores.listChanges({ id: 'loja', limit: 9 })
      const actor = `operator-key:${keyId}`
      expect(changes.map((change) => [change.actor, change.action])).toEqual([
        [actor, 'changed'],
        [actor, 'changed'],
        [actor, 'created'],
      ])
      const { items } = await test.production.gateway.people.acts.list('loja', { limit: 9 })
      expect(items.map((act) => [act.actor, act.action, act.outcome, act.address])).toEqual([
        [actor, 'operator:store-set', 'done', '192.0.2.1'],
        [actor, 'operator:store-set', 'done', '192.0.2.1'],
        [actor, 'operator:store-create', 'done', '192.0.2.1'],
      ])
    })

    it('get keys and secrets, each shown once', async () => {
      const { json: created } = await test.ask('POST', STORES, { body: NAMED })
      const body = { name: 'ERP', scopes: ['read'], until: new Date(NOW_MS + DAY_MS).toISOString() }
      const added = await test.ask('POST', `${STORES}/loja/keys`, { body })
      expect(added).toMatchObject({ status: 201, json: { key: { name: 'ERP', scopes: ['read'] } } })
      const { key } = added.json.key as { readonly key: string }
      expect(await searchedBy(test.production, secretOf(added.json))).toBe(ACCEPTED)
      const rotated = await test.ask('POST', `${STORES}/loja/keys/${key}/rotation`, {
        body: { 'at-once': true },
      })
      expect(await searchedBy(test.production, secretOf(added.json))).toBe(REFUSED)
      expect(await searchedBy(test.production, secretOf(rotated.json))).toBe(ACCEPTED)
      await test.ask('POST', `${STORES}/loja/keys/${key}/end`)
      expect(await searchedBy(test.production, secretOf(rotated.json))).toBe(REFUSED)
      const first = `${STORES}/loja/keys/first/end`
      expect(await test.ask('POST', first)).toMatchObject({ status: 409, codes: [90707] })
      const drawn = await test.ask('POST', `${STORES}/loja/notification-secret`, { body: {} })
      expect(drawn).toMatchObject({ status: 200, json: { secret: expect.any(String) as string } })
      expect(await test.ask('POST', first)).toMatchObject({ status: 200 })
      expect(await searchedBy(test.production, secretOf(created))).toBe(REFUSED)
      const shown = await test.ask('GET', `${STORES}/loja`)
      expect(shown.json).toMatchObject({
        keys: [{ key: 'first' }, { key, 'date-end': expect.any(String) as string }],
        'notification-secret-drawn': expect.any(String) as string,
      })
      for (const { secret } of [created, added.json, rotated.json, drawn.json])
        expect(shown.text).not.toContain(String(secret))
    })

    it('are listed by pages', async () => {
      for (const id of ['c', 'a', 'b']) await test.ask('POST', STORES, { body: { id } })
      const ids: string[] = []
      let cursor: unknown = ''
      do {
        const after = cursor === '' ? '' : `&cursor=${String(cursor)}`
        const { json } = await test.ask('GET', `${STORES}?limit=2${after}`)
        ids.push(...(json.stores as readonly { readonly id: string }[]).map(({ id }) => id))
        cursor = json['next-cursor']
      } while (cursor !== null)
      expect(ids).toEqual(['a', 'b', 'c', MERCHANT.id])
    })
  })
}

describe('a request of an operator', () => {
  let test: TestStoresApi
  beforeEach(async () => {
    test = await openStoresApi(TEST_SQLITE)
  })
  afterEach(() => test.close())

  const WINDOW_MS = 5 * MINUTE_MS
  it.each<[string, Asked, number, number]>([
    ['of an unknown key', { keyId: 'op-99999999' }, 401, 10003],
    ['without a nonce', { params: ['created', 'keyid', 'alg'] }, 401, 10002],
    ['without the algorithm', { params: ['created', 'keyid', 'nonce'] }, 401, 10002],
    ['with a store’s signature', { alg: 'hmac-sha256' }, 401, 10002],
    ['with Authorization too', { headers: { authorization: 'loja:00' } }, 401, 10002],
    ['without a signature', { headers: { 'signature-input': undefined } }, 401, 10001],
    ['too old', { createdMs: NOW_MS - WINDOW_MS - SECOND_MS }, 401, 90016],
    ['of the future', { createdMs: NOW_MS + WINDOW_MS + SECOND_MS }, 401, 90016],
    ['without Accept', { headers: { accept: undefined } }, 406, 10201],
    [
      'of version 1',
      { headers: { accept: 'application/vnd.cofre.v1+json; charset=UTF-8' } },
      406,
      10209,
    ],
  ])('is refused %s', async (_, asked, status, code) => {
    expect(await test.ask('GET', STORES, asked)).toMatchObject({ status, codes: [code] })
  })

  it('counts once, and names its Idempotency-Key', async () => {
    const asked = { body: NAMED, nonce: 'the-same-nonce-of-two' }
    expect(await test.ask('POST', STORES, asked)).toMatchObject({ status: 201 })
    const other = { ...asked, body: { id: 'other' } }
    expect(await test.ask('POST', STORES, other)).toMatchObject({ status: 401, codes: [90017] })
    const bare = { body: { id: 'x' }, idempotencyKey: undefined }
    expect(await test.ask('POST', STORES, bare)).toMatchObject({ status: 400, codes: [90011] })
  })

  it('is answered even if the use of its key is not recorded', async () => {
    test.faults.use = true
    expect(await test.ask('GET', STORES)).toMatchObject({ status: 200 })
    expect(test.production.logged.join('\n')).toContain('was not recorded')
  })

  it('is refused once its key has ended, and from another address', async () => {
    const ending = await test.addKey({ endsAtMs: NOW_MS + DAY_MS })
    const bound = await test.addKey({ addresses: ['192.0.2.7'] })
    expect(await test.ask('GET', STORES, { keyId: ending })).toMatchObject({ status: 200 })
    expect(await test.ask('GET', STORES, { keyId: bound })).toMatchObject({ codes: [90709] })
    expect(
      test.production.logged.find((line) => line.includes('address it does not allow')),
    ).toMatch(new RegExp(`(?=.*${bound})(?=.*192\\.0\\.2\\.1)`))
    const there = { keyId: bound, address: '192.0.2.7' }
    expect(await test.ask('GET', STORES, there)).toMatchObject({ status: 200 })
    test.time.nowMs += DAY_MS
    expect(await test.ask('GET', STORES, { keyId: ending })).toMatchObject({ codes: [10003] })
    expect(await test.keys.end(bound)).toBe(true)
    expect(await test.ask('GET', STORES, there)).toMatchObject({ codes: [10003] })
  })

  it('is in the log of acts when a known key may not make it, and of strangers never', async () => {
    const { acts } = test.production.gateway.people
    const logged = async (keyId: string) => {
      const query = { actor: `operator-key:${keyId}`, limit: 9 } as const
      const { items } = await acts.list(MERCHANT.id, query)
      return items.map(({ action, outcome, detail, address }) => [action, outcome, detail, address])
    }
    const store = `${STORES}/${MERCHANT.id}`
    const reader = await test.addKey({ scopes: ['stores:read'] })
    const suspend = () => test.ask('POST', `${store}/suspension`, { keyId: reader })
    for (let i = 0; i < 3; i++) expect(await suspend()).toMatchObject({ codes: [90708] })
    const entry = ['operator:refused', 'refused']
    const missing = { why: 'scope', scope: 'stores:write' }
    expect(await logged(reader)).toEqual([[...entry, missing, '192.0.2.1']])
    test.time.nowMs += 10 * MINUTE_MS
    await suspend()
    expect(await logged(reader)).toEqual([
      [...entry, { ...missing, attemptsBefore: 2 }, '192.0.2.1'],
      [...entry, missing, '192.0.2.1'],
    ])

    const bound = await test.addKey({ addresses: ['192.0.2.7'] })
    await test.ask('GET', store, { keyId: bound })
    expect(await logged(bound)).toEqual([[...entry, { why: 'address' }, '192.0.2.1']])
    const ended = await test.addKey()
    await test.keys.end(ended)
    expect(await test.ask('GET', store, { keyId: ended })).toMatchObject({ codes: [10003] })
    expect(await logged(ended)).toEqual([[...entry, { why: 'ended' }, '192.0.2.1']])

    const rows = () => test.production.database.reader.selectFrom('acts').selectAll().execute()
    const before = (await rows()).length
    expect(await test.ask('GET', store, { keyId: 'op-00000000' })).toMatchObject({ codes: [10003] })
    const forged = { keyId: reader, body: undefined, alg: 'hmac-sha256' } as const
    await test.ask('GET', store, forged)
    expect(await rows()).toHaveLength(before)
  })

  const BODIES = [
    ['stores:read', 'GET', STORES, undefined],
    ['stores:read', 'GET', `${STORES}/${MERCHANT.id}`, undefined],
    ['stores:write', 'POST', STORES, {}],
    ['stores:secrets', 'POST', STORES, {}],
    ['stores:write', 'POST', `${STORES}/${MERCHANT.id}/settings`, { name: 'x' }],
    ['stores:raw-cards', 'POST', `${STORES}/${MERCHANT.id}/settings`, { 'raw-cards': true }],
    [
      'stores:card-references',
      'POST',
      `${STORES}/${MERCHANT.id}/settings`,
      { 'card-references': 'allow' },
    ],
    ['stores:lenient-rules', 'POST', `${STORES}/${MERCHANT.id}/settings`, { rules: 'lenient' }],
    ['stores:refunds', 'POST', `${STORES}/${MERCHANT.id}/settings`, { refunds: 'full' }],
    ['stores:refunds', 'POST', STORES, { refunds: 'full' }],
    ['stores:write', 'POST', `${STORES}/${MERCHANT.id}/suspension`, undefined],
    ['stores:write', 'POST', `${STORES}/${MERCHANT.id}/resumption`, undefined],
    ['stores:secrets', 'POST', `${STORES}/${MERCHANT.id}/keys`, { name: 'x', scopes: ['pay'] }],
    ['stores:secrets', 'POST', `${STORES}/${MERCHANT.id}/keys/first/rotation`, {}],
    ['stores:secrets', 'POST', `${STORES}/${MERCHANT.id}/keys/first/end`, undefined],
    ['stores:secrets', 'POST', `${STORES}/${MERCHANT.id}/notification-secret`, {}],
  ] as const
  it.each(BODIES)('needs %s for %s %s %j', async (scope, method, target, body) => {
    const keyId = await test.addKey({ scopes: OPERATOR_SCOPES.filter((one) => one !== scope) })
    const refused = await test.ask(method, target, { body, keyId })
    expect(refused).toMatchObject({ status: 403, codes: [90708] })
    expect(refused.text).toContain(scope)
    expect(test.production.logged.find((line) => line.includes('beyond its scopes'))).toMatch(
      new RegExp(`(?=.*${keyId})(?=.*${scope})(?=.*192\\.0\\.2\\.1)`),
    )
    expect((await test.ask(method, target, { body })).codes).not.toContain(90708)
  })

  it('makes a store stricter without further scopes', async () => {
    const keyId = await test.addKey({ scopes: ['stores:write'] })
    const body = {
      'raw-cards': false,
      'card-references': 'refuse',
      rules: 'specification',
      refunds: 'none',
    }
    const changed = await test.ask('POST', `${STORES}/${MERCHANT.id}/settings`, { body, keyId })
    expect(changed).toMatchObject({ status: 200, json: { store: body } })
  })

  it('receives every failure of a body at once', async () => {
    const body = {
      id: 'a/b',
      name: '\u0007',
      refunds: 'some',
      'raw-cards': 'yes',
      'notification-url': 'http://localhost/x',
      installments: 3,
      'bin-declines': -1,
      'field-origins': ['https://ok.example', 'ftp://x'],
      'saved-cards': 'own',
    }
    const answer = await test.ask('POST', STORES, { body })
    expect(answer.status).toBe(400)
    const errors = answer.json.errors as readonly { readonly property: string }[]
    expect(errors.map(({ property }) => property)).toEqual([
      'id',
      'name',
      'refunds',
      'raw-cards',
      'notification-url',
      'installments',
      'bin-declines',
      'field-origins[1]',
      'saved-cards',
    ])
    expect(new Set(answer.codes)).toEqual(new Set([90701]))
    const key = { name: '', scopes: ['all'], until: '2020-01-01T00:00:00Z' }
    const keys = await test.ask('POST', `${STORES}/${MERCHANT.id}/keys`, { body: key })
    expect(keys.codes).toEqual([90704, 90704, 90704])
  })

  it.each<[string, Record<string, unknown>, string]>([
    [STORES, { id: 'b', refund: 'none' }, 'refund'],
    [`${STORES}/${MERCHANT.id}/settings`, { rawCards: false }, 'rawCards'],
    [`${STORES}/${MERCHANT.id}/keys`, { name: 'x', scopes: ['pay'], ends: '2099-01-01' }, 'ends'],
    [`${STORES}/${MERCHANT.id}/keys/first/rotation`, { atOnce: true }, 'atOnce'],
    [`${STORES}/${MERCHANT.id}/notification-secret`, { at_once: true }, 'at_once'],
  ])('is refused at %s with a misspelt field: %j', async (target, body, property) => {
    const before = await test.ask('GET', `${STORES}/${MERCHANT.id}`)
    const refused = await test.ask('POST', target, { body, headers: { 'accept-language': 'en' } })
    expect(refused).toMatchObject({ status: 400, codes: [90020] })
    expect(refused.json).toMatchObject({ errors: [{ property, constraint: 'unknown' }] })
    expect(refused.text).toContain('nothing was done')
    expect((await test.ask('GET', `${STORES}/${MERCHANT.id}`)).json).toEqual(before.json)
  })

  it.each([
    ['GET', '/elsewhere/stores', 404, [90001]],
    ['GET', '/production', 404, [90001]],
    ['DELETE', STORES, 405, [90002]],
    ['GET', `${STORES}/nobody`, 404, [90703]],
    ['GET', `${STORES}/a%00b`, 404, [90703]],
    ['POST', `${STORES}/nobody/suspension`, 404, [90703]],
    ['POST', `${STORES}/nobody/keys/first/end`, 404, [90703]],
    ['POST', `${STORES}/${MERCHANT.id}/keys/k-00000000/end`, 404, [90706]],
    ['POST', `${STORES}/${MERCHANT.id}/keys/notifications/end`, 404, [90706]],
    ['GET', `${STORES}?limit=0`, 400, [90611]],
    ['GET', `${STORES}?filter=x`, 400, [90015]],
  ])('%s %s is answered %i', async (method, target, status, codes) => {
    expect(await test.ask(method, target)).toMatchObject({ status, codes })
  })

  it('never fails, whatever its body is', async () => {
    const keys = fc.constantFrom('id', 'name', 'refunds', 'field-origins', 'scopes', '__proto__')
    const bodies = fc.oneof(
      fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
    )
    const targets = fc.constantFrom(
      STORES,
      `${STORES}/${MERCHANT.id}/settings`,
      `${STORES}/${MERCHANT.id}/keys`,
      `${STORES}/${MERCHANT.id}/keys/first/rotation`,
    )
    await fc.assert(
      fc.asyncProperty(targets, bodies, async (target, body) => {
        const answer = await test.ask('POST', target, { body })
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
  })
})

const pemOf = (key: KeyObject): string =>
  (key.type === 'private'
    ? key.export({ format: 'pem', type: 'pkcs8' })
    : key.export({ format: 'pem', type: 'spki' })
  ).toString()

describe('a public key', () => {
  it.each([
    ['nothing', '', 'no public key'],
    ['a private key', pemOf(generateKeyPairSync('ed25519').privateKey), 'private key'],
    ['of another type', pemOf(generateKeyPairSync('x25519').publicKey), 'not Ed25519'],
  ])('is not %s', (_, pem, why) => {
    expect(readPublicKey(pem)).toEqual({ wrong: expect.stringContaining(why) as string })
  })
})
