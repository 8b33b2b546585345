import { hash } from 'node:crypto'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Handler } from 'hono'
import { accepts } from 'hono/accepts'
import { FOR_PAGES } from './error-response.js'

/** One file of a release: a build of a script, the source map of one, or a style. */
export interface LibraryFile {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** One version of the browser library, or of the card fields. */
export interface LibraryRelease {
  readonly version: string
  /** True if its files will never change again; those of an unreleased build may. */
  readonly isFinal: boolean
  /** The file that a shop's page loads comes first, such as `payment.<vendor>.min.js`. */
  readonly files: readonly [script: LibraryFile, ...others: LibraryFile[]]
}

/** The browser library, or the card fields, as it is served. */
export interface Library {
  /** Also served at the root, under permanent names. */
  readonly current: LibraryRelease
  readonly earlier: readonly LibraryRelease[]
}

/** The value of a script tag's `integrity` attribute (W3C Subresource Integrity). */
export function integrityOf({ content }: LibraryFile): string {
  return `sha384-${hash('sha384', content, 'base64')}`
}

/** The permanent path of a release's file, relative to the vault's root. */
export function releasePath({ version }: LibraryRelease, { name }: LibraryFile): string {
  return `v/${version}/${name}`
}

/**
 * Body of `GET /integrity.json`: every file, those of the current releases first, and the version
 * behind the URLs without one.
 */
function manifestOf(libraries: readonly Library[]) {
  const currents = libraries.map(({ current }) => current)
  const earlier = libraries.flatMap((library) => library.earlier)
  const files = [...currents, ...earlier].flatMap((release) =>
    release.files.map((file) => ({
      version: release.version,
      // Relative to the manifest's own URL.
      url: releasePath(release, file),
      integrity: integrityOf(file),
      bytes: file.content.byteLength,
    })),
  )
  return { current: currents[0]?.version, files }
}

/** A page may stay open on an old copy; a new one is found within five minutes. */
const CURRENT_CACHE = 'public, max-age=300, must-revalidate'
const FINAL_CACHE = 'public, max-age=31536000, immutable'
/** Checked again each time: an old copy would not match the `integrity` of the next build. */
const DRAFT_CACHE = 'no-cache'

/** Adds a route for a path. Other methods get the answer that all routes give them. */
export type ServeGet = (method: 'GET', path: string, handler: Handler) => void

/** The script tag is on the shop's origin. */
const FOR_ANY_ORIGIN = { ...FOR_PAGES, 'Cross-Origin-Resource-Policy': 'cross-origin' } as const

/**
 * Serves every file of every version at `/v/<version>/<file>`, immutable once it is released. The
 * current version's files are also at `/<file>`. Serves `/integrity.json`, too.
 */
export function serveLibraries(serve: ServeGet, libraries: readonly Library[]): void {
  for (const { current, earlier } of libraries) {
    for (const file of current.files)
      serve('GET', `/${file.name}`, fileHandler(file, CURRENT_CACHE))
    for (const release of [current, ...earlier]) {
      const cacheControl = release.isFinal ? FINAL_CACHE : DRAFT_CACHE
      for (const file of release.files)
        serve('GET', `/${releasePath(release, file)}`, fileHandler(file, cacheControl))
    }
  }
  const manifest = manifestOf(libraries)
  const headers = { ...FOR_ANY_ORIGIN, 'Cache-Control': CURRENT_CACHE }
  serve('GET', '/integrity.json', () => Response.json(manifest, { headers }))
}

function fileHandler(file: LibraryFile, cacheControl: string): Handler {
  const compressed = gzipSync(file.content, { level: 9 })
  const headers = {
    ...FOR_ANY_ORIGIN,
    'Cache-Control': cacheControl,
    // Weak, because both encodings share it.
    ETag: `W/"${integrityOf(file)}"`,
    Vary: 'Accept-Encoding',
  }
  const ofContent = { ...headers, 'Content-Type': mediaTypeOf(file) }
  return (context) => {
    if (hasCurrentCopy(context.req.header('If-None-Match'), headers.ETag))
      return new Response(null, { status: 304, headers })
    const encoding = accepts(context, {
      header: 'Accept-Encoding',
      supports: ['gzip', 'identity'],
      default: 'identity',
    })
    return encoding === 'gzip'
      ? new Response(compressed, { headers: { ...ofContent, 'Content-Encoding': 'gzip' } })
      : new Response(file.content, { headers: ofContent })
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.map': 'application/json',
}

function mediaTypeOf({ name }: LibraryFile): string {
  const type = MEDIA_TYPES[path.extname(name)] ?? 'text/javascript'
  return `${type}; charset=utf-8`
}

/** True if the caller's copy has this entity tag (RFC 9110 section 13.1.2). */
function hasCurrentCopy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch.split(',').map(opaque)
  return tags.includes('*') || tags.includes(opaque(etag))
}
