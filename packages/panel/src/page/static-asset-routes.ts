import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { etag } from 'hono/etag'

const CONTENT_TYPES = {
  'panel.css': 'text/css; charset=UTF-8',
  'panel.js': 'text/javascript; charset=UTF-8',
  'icon.svg': 'image/svg+xml',
} as const

type AssetName = keyof typeof CONTENT_TYPES

const YEAR_S = 365 * 24 * 60 * 60
const VERSION_LENGTH = 12

interface Asset {
  readonly body: string
  readonly contentType: string
  readonly version: string
}

const ASSETS: ReadonlyMap<string, Asset> = new Map(
  Object.entries(CONTENT_TYPES).map(([name, contentType]) => {
    const body = readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8')
    const version = createHash('sha256').update(body).digest('hex').slice(0, VERSION_LENGTH)
    return [name, { body, contentType, version }]
  }),
)

/** The address of a file, different for every version of it. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${ASSETS.get(name)?.version ?? ''}`
}

/** The panel's own files, which browsers keep as long as their version is asked for. */
export function staticAssetRoutes(): Hono {
  const app = new Hono()
  app.use(etag())
  app.get('/:name', (c) => {
    const asset = ASSETS.get(c.req.param('name'))
    if (asset === undefined) return c.text('not found', 404)
    const isVersioned = c.req.query('v') === asset.version
    c.header('Content-Type', asset.contentType)
    c.header('Cache-Control', isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    return c.body(asset.body)
  })
  return app
}
