import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestGateway, openTestGateway } from '../../gateway.fixture.js'
import { servesRooms } from '../../rooms.fixture.js'
import { openApiDocument } from '../openapi/openapi-document.js'

const [sqlite] = TEST_ENGINES

interface DocumentedPaths {
  readonly paths: Readonly<
    Record<string, Record<string, { readonly parameters: { name: string; in: string }[] }>>
  >
}

/** The query parameters that each operation reads by the API's document. */
function documentedQueries() {
  const options = { mediaVendor: 'cofre', publicUrl: 'https://api.example.com' }
  const { paths } = openApiDocument(options) as DocumentedPaths
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters }]) => ({
      method,
      path,
      names: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  )
}

describe('a query parameter that nothing reads', () => {
  let test: TestGateway
  const ignored: number[] = []
  const open = async (environment: 'production' | 'sandbox') => {
    ignored.length = 0
    test = await openTestGateway(sqlite!, {
      ...servesRooms,
      environment,
      parametersIgnored: (count) => ignored.push(count),
    })
  }
  afterEach(() => test.close())

  it('is refused by its name in the sandbox, with those that are read', async () => {
    await open('sandbox')
    const target = '/transactions?reference=order-1&estado=COMPLETE&initial-orderdate=x'
    expect(await test.send('GET', target)).toMatchObject({
      status: 400,
      json: {
        errors: [
          {
            code: 90015,
            property: 'estado',
            constraint: 'unknown',
            allowed: expect.arrayContaining(['reference', 'initial-order-date']) as string[],
          },
          { code: 90015, property: 'initial-orderdate' },
        ],
      },
    })
    expect(ignored).toEqual([])
  })

  it.each([
    ['POST', '/transactions?a=1'],
    ['POST', '/refunds?a=1'],
    ['GET', '/transactions/1?a=1'],
    ['GET', '/card?a=1'],
    ['GET', '/card/installments?a=1'],
    ['GET', '/card/bin/411111?a=1'],
  ])('is refused by %s %s there', async (method, target) => {
    await open('sandbox')
    const body = method === 'POST' ? {} : undefined
    const digest = target.startsWith('/refunds') ? 'hex' : 'base64'
    expect(await test.send(method, target, { body, digest })).toMatchObject({ codes: [90015] })
  })

  it('is none that the API’s document has', async () => {
    await open('sandbox')
    for (const { method, path, names } of documentedQueries()) {
      const query = names.map((name) => `${name}=`).join('&')
      const target = `${path.replace(/\{.*\}/, '1')}?${query}`
      const { text } = await test.send(method.toUpperCase(), target)
      expect(text).not.toContain('"unknown"')
    }
  })

  it('is ignored in production, counted, and logged by name alone, each once a minute', async () => {
    await open('production')
    const search = (names: readonly string[], merchant = MERCHANT) =>
      test.send('GET', `/transactions?reference=order-1&${names.join('&')}`, { merchant })
    expect((await search(['estado=COMPLETE', '4111111111111111=1'])).status).toBe(200)
    expect((await search(['estado=COMPLETE'])).status).toBe(200)
    const other = { ...MERCHANT, id: 'store-2' }
    await test.gateway.saveMerchant(other)
    await search(['estado=COMPLETE'], other)
    await search(['statuss=COMPLETE'])
    expect(ignored).toEqual([2, 1, 1, 1])
    const logged = (store: string, parameter: string) =>
      `requests have a query parameter that nothing reads ${JSON.stringify({ store, parameter, requests: 1 })}`
    expect(test.logged.filter((line) => line.includes('query parameter'))).toEqual([
      logged('store-1', 'estado'),
      logged('store-1', 'other'),
      logged('store-2', 'estado'),
      logged('store-1', 'statuss'),
    ])
  })

  it('has at most twenty names of a store in the log', async () => {
    await open('production')
    const names = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `x${letter}=1`)
    await test.send('GET', `/transactions?reference=order-1&${names.join('&')}`)
    expect(test.logged.filter((line) => line.includes('query parameter'))).toHaveLength(21)
  })

  it('is ignored in the sandbox too for a store with lenient rules', async () => {
    await open('sandbox')
    await test.gateway.saveMerchant({ ...MERCHANT, rules: 'lenient' })
    expect((await test.send('GET', '/transactions?reference=order-1&utm=1')).status).toBe(200)
    expect(ignored).toEqual([1])
  })

  it('is no empty reference: it counts as none where nothing is refused', async () => {
    const target = '/transactions?reference=&initial-order-date=2026-11-01T00:00:00.0Z'
    await open('sandbox')
    expect(await test.send('GET', target)).toMatchObject({ status: 400, codes: [90019] })
    await test.gateway.saveMerchant({ ...MERCHANT, rules: 'lenient' })
    expect((await test.send('GET', target)).status).toBe(200)
    await test.close()
    await open('production')
    expect((await test.send('GET', target)).status).toBe(200)
  })
})
