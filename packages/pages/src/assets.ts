import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.js': 'text/javascript; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=UTF-8',
}
const SHARED_FOLDER = new URL('../assets/', import.meta.url)
const YEAR_S = 365 * 24 * 60 * 60
const VERSION_LENGTH = 12

/** The files that a site's pages load. */
export interface Assets {
  /** The address of a file, different for every version of it. */
  urlOf(name: string): string
  /** Serves the files. Browsers cache each version without asking again. */
  readonly routes: Hono
}

/**
 * The files of a site's folder and those that all sites share.
 * @param root - Prefix of the site's addresses, as `/pay-page`: two sites of one origin would share
 *   `/assets`.
 */
export function openAssets(folder: URL, root = ''): Assets {
  const place = `${root}/assets`
  const files = new Map([...readFolder(SHARED_FOLDER), ...readFolder(folder)])
  const routes = new Hono()
  // Only for the assets: an ETag needs the whole response, and a stream has no end.
  routes.use(`${place}/*`, etag())
  routes.get(`${place}/:name`, (c) => {
    const file = files.get(c.req.param('name'))
    if (file === undefined) return c.text('not found', 404)
    const isVersioned = c.req.query('v') === file.version
    c.header('Content-Type', file.contentType)
    c.header('Cache-Control', isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    return c.body(file.body)
  })
  const urlOf = (name: string): string => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`no file ${name} among the assets`)
    return `${place}/${name}?v=${file.version}`
  }
  return { urlOf, routes }
}

function readFolder(folder: URL) {
  return readdirSync(folder).flatMap((name) => {
    const contentType = CONTENT_TYPES[path.extname(name)]
    if (contentType === undefined) return []
    const body = readFileSync(new URL(name, folder), 'utf8')
    const version = createHash('sha256').update(body).digest('hex').slice(0, VERSION_LENGTH)
    return [[name, { body, contentType, version }] as const]
  })
}
