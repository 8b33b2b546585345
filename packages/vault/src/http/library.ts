import { hash } from 'node:crypto'

/** One file of a release: a build of the library or the source map of one. */
export interface LibraryFile {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** One version of the browser library. */
export interface LibraryRelease {
  readonly version: string
  /** Whether its files will never change again; those of a build that was not released yet may. */
  readonly isFinal: boolean
  /** What a page loads, `payment.<vendor>.min.js`, comes first. */
  readonly files: readonly [script: LibraryFile, ...others: LibraryFile[]]
}

/** The browser library as it is served. */
export interface Library {
  /** Served at the root too, under names that stay. */
  readonly current: LibraryRelease
  readonly earlier: readonly LibraryRelease[]
}

/** Of one file of one release. */
export interface ManifestEntry {
  readonly version: string
  /** Relative to the manifest's own URL. */
  readonly url: string
  readonly integrity: string
  readonly bytes: number
}

/** Body of `GET /integrity.json`. */
export interface LibraryManifest {
  /** The version that the URLs without one serve. */
  readonly current: string
  /** The current release first. */
  readonly files: readonly ManifestEntry[]
}

/** The value of a script tag's `integrity` attribute (W3C Subresource Integrity). */
export function integrityOf({ content }: LibraryFile): string {
  return `sha384-${hash('sha384', content, 'base64')}`
}

/** Where a release's file is for good, relative to the vault's root. */
export function releasePath({ version }: LibraryRelease, { name }: LibraryFile): string {
  return `v/${version}/${name}`
}

export function manifestOf({ current, earlier }: Library): LibraryManifest {
  const files = [current, ...earlier].flatMap((release) =>
    release.files.map((file) => ({
      version: release.version,
      url: releasePath(release, file),
      integrity: integrityOf(file),
      bytes: file.content.byteLength,
    })),
  )
  return { current: current.version, files }
}
