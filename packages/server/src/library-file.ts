import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Library, LibraryFile, LibraryRelease } from '@cofre/vault/http'
import { SetupError } from './setup-error.js'

const CLIENT = path.dirname(fileURLToPath(import.meta.resolve('@cofre/client/package.json')))
const BUILT = path.join(CLIENT, 'dist')
const RELEASES = path.join(CLIENT, 'releases')

/** The name of the script that a shop's page loads. */
export function scriptName(vendor: string): string {
  return `payment.${vendor}.min.js`
}

/**
 * The browser library: the current version, which is the build unless that version is released already, and the
 * releases before it. @throws SetupError when the build was for another vendor, or was not run
 */
export function readLibrary(vendor: string): Library {
  const { version } = JSON.parse(readFileSync(path.join(CLIENT, 'package.json'), 'utf8')) as {
    version: string
  }
  const releases = releasedVersions().flatMap((released): LibraryRelease[] => {
    const folder = path.join(RELEASES, released)
    return hasScript(folder, vendor) ? [readRelease(folder, released, vendor)] : []
  })
  const current =
    releases.find((release) => release.version === version) ?? readBuild(version, vendor)
  return { current, earlier: releases.filter((release) => release.version !== version) }
}

function releasedVersions(): string[] {
  return existsSync(RELEASES) ? readdirSync(RELEASES).filter((name) => /^\d/.test(name)) : []
}

function hasScript(folder: string, vendor: string): boolean {
  return existsSync(path.join(folder, scriptName(vendor)))
}

function readBuild(version: string, vendor: string): LibraryRelease {
  try {
    return readRelease(BUILT, version, vendor)
  } catch (cause) {
    throw new SetupError(
      `${scriptName(vendor)} was not built: run npm run build with COFRE_VENDOR=${vendor}`,
      cause,
    )
  }
}

function readRelease(folder: string, version: string, vendor: string): LibraryRelease {
  const files = [scriptName(vendor), `payment.${vendor}.js`]
    .flatMap((name) => [name, `${name}.map`])
    .map((name): LibraryFile => ({
      name,
      content: new Uint8Array(readFileSync(path.join(folder, name))),
    }))
  return { version, files }
}
