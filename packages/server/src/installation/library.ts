import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Library,
  type LibraryFile,
  type LibraryRelease,
  integrityOf,
  releasePath,
} from '@cofre/vault/http'
import { SetupError } from '../config/errors.js'

const CLIENT = path.dirname(fileURLToPath(import.meta.resolve('@cofre/client/package.json')))

/** The name of the script that a shop's page loads. */
export function scriptName(vendor: string): string {
  return `payment.${vendor}.min.js`
}

/**
 * The browser library: the current version, which is the build unless that version is released
 * already, and the other releases. @throws SetupError when the build was for another vendor, or was
 * not run
 */
export function readLibrary(vendor: string, clientFolder: string = CLIENT): Library {
  const packageFile = path.join(clientFolder, 'package.json')
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const releases = readReleases(path.join(clientFolder, 'releases'), vendor)
  const isCurrent = (release: LibraryRelease): boolean => release.version === version
  return {
    current: releases.find(isCurrent) ?? readBuild(clientFolder, version, vendor),
    earlier: releases.filter((release) => !isCurrent(release)),
  }
}

function readReleases(folder: string, vendor: string): LibraryRelease[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((version) => existsSync(path.join(folder, version, scriptName(vendor))))
    .map((version) => ({
      version,
      isFinal: true,
      files: readFiles(path.join(folder, version), vendor),
    }))
}

function readBuild(clientFolder: string, version: string, vendor: string): LibraryRelease {
  try {
    return { version, isFinal: false, files: readFiles(path.join(clientFolder, 'dist'), vendor) }
  } catch (cause) {
    throw new SetupError(
      `${scriptName(vendor)} was not built: run npm run build with COFRE_VENDOR=${vendor}`,
      cause,
    )
  }
}

function readFiles(folder: string, vendor: string): LibraryRelease['files'] {
  const read = (name: string): LibraryFile => ({
    name,
    content: new Uint8Array(readFileSync(path.join(folder, name))),
  })
  const [script, readable] = [scriptName(vendor), `payment.${vendor}.js`]
  return [read(script), ...[`${script}.map`, readable, `${readable}.map`].map(read)]
}

/** Where the current release of the library is for good, and the hash that it must have there. */
export function libraryAddress({ current }: Library, vaultUrl: string) {
  const [script] = current.files
  return { url: `${vaultUrl}/${releasePath(current, script)}`, integrity: integrityOf(script) }
}

/** The tag for the shop's page, held against the file's integrity (PCI DSS 6.4.3), in two lines. */
export function scriptTag({ url, integrity }: ReturnType<typeof libraryAddress>): string[] {
  return [`<script src="${url}"`, `  integrity="${integrity}" crossorigin="anonymous"></script>`]
}
