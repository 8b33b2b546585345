import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { TEST_ENGINES } from '@cofre/sql/testing'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import type { Library, LibraryRelease } from './library-routes.js'
import { createVaultRoutes } from './vault-routes.js'

const MINUTES_CACHE = 'public, max-age=300, must-revalidate'
const YEAR_CACHE = 'public, max-age=31536000, immutable'
const SCRIPT = 'payment.cofre.min.js'

const release = (version: string): LibraryRelease => ({
  version,
  isFinal: true,
  files: [
    { name: SCRIPT, content: new TextEncoder().encode(`var Cofre={version:'${version}'}`) },
    { name: `${SCRIPT}.map`, content: new TextEncoder().encode('{"version":3}') },
  ],
})
const LIBRARY: Library = { current: release('0.2.0'), earlier: [release('0.1.0')] }
const integrityOf = (text: string): string =>
  `sha384-${createHash('sha384').update(text).digest('base64')}`
const INTEGRITY = integrityOf(`var Cofre={version:'0.2.0'}`)

let test: TestVault
let routes: Hono

beforeAll(async () => {
  const [engine] = TEST_ENGINES
  if (engine === undefined) throw new Error('no engine')
  test = await openTestVault(engine)
  routes = createVaultRoutes(test.vault, { log: test.log, library: LIBRARY })
})
afterAll(() => test.database.close())

const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  await routes.request(path, { headers })

describe('The library', () => {
  it.each([
    [`/${SCRIPT}`, '0.2.0', MINUTES_CACHE],
    [`/v/0.2.0/${SCRIPT}`, '0.2.0', YEAR_CACHE],
    [`/v/0.1.0/${SCRIPT}`, '0.1.0', YEAR_CACHE],
  ])('is served at %s in version %s, to be kept for %s', async (path, version, cache) => {
    const response = await get(path)
    const text = await response.text()
    expect(text).toBe(`var Cofre={version:'${version}'}`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': cache,
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
      etag: `W/"${integrityOf(text)}"`,
    })
  })

  it('is not kept under a version that is not released yet', async () => {
    const draft = { ...LIBRARY, current: { ...LIBRARY.current, isFinal: false } }
    const unreleased = createVaultRoutes(test.vault, { log: test.log, library: draft })
    const cacheOf = async (version: string): Promise<string | null> =>
      (await unreleased.request(`/v/${version}/${SCRIPT}`)).headers.get('Cache-Control')
    expect([await cacheOf('0.2.0'), await cacheOf('0.1.0')]).toEqual(['no-cache', YEAR_CACHE])
  })

  it.each([`/${SCRIPT}.map`, `/v/0.1.0/${SCRIPT}.map`])('has a source map at %s', async (path) => {
    const response = await get(path)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ version: 3 })
  })

  it.each([
    [`W/"${INTEGRITY}"`, 304],
    [`"${INTEGRITY}"`, 304],
    [`"other", W/"${INTEGRITY}"`, 304],
    ['*', 304],
    ['"other"', 200],
  ])('answers a copy with the tag %s with %d', async (tag, status) => {
    for (const path of [`/${SCRIPT}`, `/v/0.2.0/${SCRIPT}`]) {
      const response = await get(path, { 'If-None-Match': tag })
      expect(response.status).toBe(status)
      expect(response.headers.get('ETag')).toBe(`W/"${INTEGRITY}"`)
    }
  })

  it.each([
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'],
    ['identity', null],
    ['gzip;q=0, identity', null],
    ['br', null],
  ])('is sent to a client that accepts %j with the encoding %j', async (accepted, encoding) => {
    const response = await get(`/v/0.2.0/${SCRIPT}`, { 'Accept-Encoding': accepted })
    expect(response.headers.get('Content-Encoding')).toBe(encoding)
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = (encoding === null ? bytes : gunzipSync(bytes)).toString()
    expect(integrityOf(text)).toBe(INTEGRITY)
  })

  it('has a manifest with the integrity, URL and size of every file', async () => {
    const response = await get('/integrity.json')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Cache-Control')).toBe(MINUTES_CACHE)
    const manifest = (await response.json()) as {
      current: string
      files: { version: string; url: string; integrity: string; bytes: number }[]
    }
    expect(manifest.current).toBe('0.2.0')
    expect(manifest.files.map(({ url }) => url)).toEqual([
      `v/0.2.0/${SCRIPT}`,
      `v/0.2.0/${SCRIPT}.map`,
      `v/0.1.0/${SCRIPT}`,
      `v/0.1.0/${SCRIPT}.map`,
    ])
    for (const { url, integrity, bytes } of manifest.files) {
      const text = await (await get(`/${url}`)).text()
      expect([integrityOf(text), text.length]).toEqual([integrity, bytes])
    }
  })

  it('answers HEAD and preflights, and refuses to be written', async () => {
    const head = await routes.request(`/${SCRIPT}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const preflight = await routes.request(`/${SCRIPT}`, { method: 'OPTIONS' })
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, OPTIONS')
    for (const path of ['/integrity.json', `/v/0.1.0/${SCRIPT}`])
      expect((await routes.request(path, { method: 'POST' })).status).toBe(405)
  })

  it.each([`/v/0.3.0/${SCRIPT}`, '/v/0.1.0/', `/v/${SCRIPT}`, '/payment.other.min.js'])(
    'is not at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it('is not served by a vault that has none', async () => {
    const bare = createVaultRoutes(test.vault, { log: test.log })
    expect((await bare.request('/integrity.json')).status).toBe(404)
  })
})
