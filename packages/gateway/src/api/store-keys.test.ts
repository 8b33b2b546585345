import { DAY_MS, MINUTE_MS, STORE_SCOPES, Secret, type StoreScope } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, type TestGateway, openTestGateway } from '../gateway.fixture.js'
import { servesRooms } from '../rooms.fixture.js'
import { sendSigned, signedByLibrary } from './request/message-signature.fixture.js'

const OPERATOR = 'operator:ana'
const SEARCH = ['GET', '/transactions/1'] as const
const NOT_FOUND = { status: 404, codes: [20614] }
const WRONG = { status: 401, codes: [10003] }
const secretOf = (id: string): Secret<string> => new Secret(`the secret of ${id}`)

describe('the keys of a store', () => {
  let test: TestGateway
  let machineMs = NOW_MS
  beforeEach(async () => {
    const [sqlite] = TEST_ENGINES
    machineMs = NOW_MS
    test = await openTestGateway(sqlite!, {
      ...servesRooms,
      machineClock: { now: () => machineMs },
    })
  })
  afterEach(() => test.close())

  const add = (id: string, scopes: readonly StoreScope[], endsAtMs?: number) =>
    test.parts.merchants.addKey(
      MERCHANT.id,
      { id, name: id, scopes, secret: secretOf(id), endsAtMs },
      OPERATOR,
    )
  const signedBy = (id: string) => ({ merchant: { ...MERCHANT, secret: secretOf(id) } })
  const search = (id: string) => test.send(...SEARCH, signedBy(id))
  const searchNaming = async (storeId: string, id: string) =>
    await sendSigned(test, SEARCH, {
      headers: await signedByLibrary(...SEARCH, {
        storeId,
        secret: secretOf(id).reveal(),
        createdMs: machineMs,
      }),
    })

  it('each sign in the specification’s form, beside the first', async () => {
    await add('k-00000001', ['read'])
    await add('k-00000002', ['read', 'pay'])
    expect(await search('k-00000001')).toMatchObject(NOT_FOUND)
    expect(await search('k-00000002')).toMatchObject(NOT_FOUND)
    expect(await test.send(...SEARCH)).toMatchObject(NOT_FOUND)
    expect(await search('k-00000003')).toMatchObject(WRONG)
  })

  it('are named by keyid in a signature of RFC 9421, or are any of the store’s', async () => {
    await add('k-00000001', ['read'])
    await add('k-00000002', ['read'])
    const { id } = MERCHANT
    expect(await searchNaming(`${id}/k-00000001`, 'k-00000001')).toMatchObject(NOT_FOUND)
    expect(await searchNaming(id, 'k-00000001')).toMatchObject(NOT_FOUND)
    for (const named of [
      `${id}/k-00000002`,
      `${id}/first`,
      `${id}/k-00000003`,
      `${id}/k-00000001/x`,
      'x/k-00000001',
    ])
      expect(await searchNaming(named, 'k-00000001')).toMatchObject(WRONG)
  })

  it('stop signing at their end, and at once when a person ends them', async () => {
    await add('k-00000001', ['read'], NOW_MS + DAY_MS)
    await add('k-00000002', ['read'])
    expect(await search('k-00000001')).toMatchObject(NOT_FOUND)
    machineMs = NOW_MS + DAY_MS
    expect(await search('k-00000001')).toMatchObject(WRONG)
    expect(await search('k-00000002')).toMatchObject(NOT_FOUND)
    await test.parts.merchants.endKey(MERCHANT.id, 'k-00000002', OPERATOR)
    expect(await search('k-00000002')).toMatchObject(WRONG)
  })

  it('sign nothing of a disabled store', async () => {
    await add('k-00000001', ['read'])
    await test.parts.merchants.change(MERCHANT.id, { enabled: false }, OPERATOR)
    expect(await search('k-00000001')).toMatchObject(WRONG)
  })

  it('have their last use written once a minute, also when many requests come at once', async () => {
    await add('k-00000001', ['read'])
    const usedAt = async () => {
      const { keys } = await test.parts.merchants.keysOf(MERCHANT.id)
      return keys.map(({ usedAtMs }) => usedAtMs)
    }
    expect(await usedAt()).toEqual([undefined, undefined])
    await Promise.all(Array.from({ length: 5 }, () => search('k-00000001')))
    for (const [laterMs, keptMs] of [
      [MINUTE_MS - 1, 0],
      [MINUTE_MS, MINUTE_MS],
    ] as const) {
      machineMs = NOW_MS + laterMs
      await search('k-00000001')
      expect(await usedAt()).toEqual([undefined, NOW_MS + keptMs])
    }
  })

  const ROUTES: readonly (readonly [StoreScope, string, string])[] = [
    ['pay', 'POST', '/transactions'],
    ['read', 'GET', '/transactions?reference=x'],
    ['read', 'GET', '/transactions/1'],
    ['read', 'GET', '/card'],
    ['read', 'GET', '/card/installments'],
    ['read', 'GET', '/card/bin/411111'],
    ['refund', 'POST', '/refunds'],
    ['read', 'GET', '/refunds'],
    ['read', 'GET', '/interest'],
    ['configure', 'POST', '/interest/changes'],
    ['read', 'GET', '/payments'],
    ['read', 'POST', '/payments/searches'],
    ['read', 'GET', '/payments/1'],
    ['pay', 'POST', '/payments/1/cancellation'],
    ['pay', 'POST', '/payments/1/capture'],
    ['configure', 'POST', '/payment-links'],
    ['read', 'GET', '/payment-links'],
    ['read', 'GET', '/payment-links/x'],
    ['configure', 'POST', '/payment-links/x/revocations'],
    ['pay', 'POST', '/saved-cards'],
    ['read', 'POST', '/saved-cards/searches'],
    ['read', 'GET', '/saved-cards/x'],
    ['configure', 'POST', '/saved-cards/x/deletion'],
    ['read', 'GET', '/events'],
    ['read', 'GET', '/events/x'],
    ['configure', 'POST', '/events/x/deliveries'],
    ['configure', 'POST', '/event-endpoints'],
    ['read', 'GET', '/event-endpoints'],
    ['read', 'GET', '/event-endpoints/x'],
    ['configure', 'POST', '/event-endpoints/x/changes'],
    ['configure', 'POST', '/event-endpoints/x/secret-rotations'],
    ['configure', 'POST', '/event-endpoints/x/deletion'],
  ]
  it.each(ROUTES)('need %s for %s %s', async (scope, method, target) => {
    const others = STORE_SCOPES.filter((other) => other !== scope)
    await add('k-00000001', others)
    await add('k-00000002', [scope])
    const body = method === 'POST' ? {} : undefined
    const refused = await test.send(method, target, { ...signedBy('k-00000001'), body })
    expect(refused).toMatchObject({ status: 403, codes: [90031] })
    expect(refused.text).toContain(`precisa de \`${scope}\``)
    const admitted = await test.send(method, target, { ...signedBy('k-00000002'), body })
    expect(admitted.codes).not.toContain(90031)
    expect(admitted.codes).not.toContain(10003)
  })

  const DELETIONS = [
    ['DELETE', '/saved-cards/x', 90604],
    ['DELETE', '/event-endpoints/x', 90625],
  ] as const
  it.each(DELETIONS)('need configure for %s %s', async (method, target, notFound) => {
    const asked = async (id: string) =>
      await sendSigned(test, [method, target], {
        headers: {
          ...(await signedByLibrary(method, target, { secret: secretOf(id).reveal() })),
          accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
        },
      })
    await add('k-00000001', ['read', 'pay', 'refund'])
    await add('k-00000002', ['configure'])
    expect(await asked('k-00000001')).toMatchObject({ status: 403, codes: [90031] })
    expect(await asked('k-00000002')).toMatchObject({ status: 404, codes: [notFound] })
  })

  it('are tried above on every route, but on those for payers and the API’s document', () => {
    const tried = [...ROUTES.map(([, ...route]) => route), ...DELETIONS]
    const isTried = (method: string, path: string): boolean =>
      tried.some(([by, target]) => by === method && fits(path, target))
    const others = test.app.routes
      .filter(({ method, path }) => method !== 'ALL' && !isTried(method, path))
      .map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(others)]).toEqual([
      'GET /b/:boleto',
      'GET /q/:image',
      'GET /a/:publicId',
      'GET /a/:publicId/return',
      'POST /a/:publicId/return',
      'GET /openapi.json',
    ])
  })
})

/** True if a route's path, like `/refunds/:id`, serves a target. */
function fits(path: string, target: string): boolean {
  const [parts, given] = [path, target.split('?')[0] ?? ''].map((text) => text.split('/'))
  return (
    parts?.length === given?.length &&
    parts?.every((part, i) => part.startsWith(':') || part === given?.[i]) === true
  )
}
