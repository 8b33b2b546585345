import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  FRAME_SCRIPT,
  FRAME_STYLE,
  type Library,
  type LibraryFile,
  type LibraryRelease,
  integrityOf,
  releasePath,
} from '@cofre/vault/http'
import { SetupError } from '../config/errors.js'

const CLIENT = path.dirname(fileURLToPath(import.meta.resolve('@cofre/client/package.json')))

/** A script for shops' pages and the files released with it; the script comes first. */
type FileNames = readonly [script: string, ...others: string[]]

/** Name of the script that a shop's page loads. */
export function scriptName(vendor: string): string {
  return `payment.${vendor}.min.js`
}

/** Global that the scripts of a shop's page define. */
export function globalName(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1)
}

function scriptFiles(name: string, vendor: string): FileNames {
  const [script, readable] = [`${name}.${vendor}.min.js`, `${name}.${vendor}.js`]
  return [script, `${script}.map`, readable, `${readable}.map`]
}

/**
 * The browser library: the current version, and the other releases. The current version is the
 * build, unless that version is already released. @throws SetupError if the build is missing or was
 * for another vendor
 */
export function readLibrary(vendor: string, clientFolder: string = CLIENT): Library {
  return readVersions(scriptFiles('payment', vendor), vendor, clientFolder)
}

/** The card fields, with the files of their frame, read like {@link readLibrary}. */
export function readCardFields(vendor: string, clientFolder: string = CLIENT): Library {
  const files = scriptFiles('fields', vendor)
  return readVersions(
    [...files, FRAME_SCRIPT, `${FRAME_SCRIPT}.map`, FRAME_STYLE],
    vendor,
    clientFolder,
  )
}

function readVersions(names: FileNames, vendor: string, clientFolder: string): Library {
  const packageFile = path.join(clientFolder, 'package.json')
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const releases = readReleases(path.join(clientFolder, 'releases'), names)
  const isCurrent = (release: LibraryRelease): boolean => release.version === version
  const readBuild = (): LibraryRelease => {
    try {
      return { version, isFinal: false, files: readFiles(path.join(clientFolder, 'dist'), names) }
    } catch (cause) {
      const advice = `run npm run build with COFRE_VENDOR=${vendor}`
      throw new SetupError(`${names[0]} was not built: ${advice}`, cause)
    }
  }
  return {
    current: releases.find(isCurrent) ?? readBuild(),
    earlier: releases.filter((release) => !isCurrent(release)),
  }
}

function readReleases(folder: string, names: FileNames): LibraryRelease[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((version) => existsSync(path.join(folder, version, names[0])))
    .map((version) => ({
      version,
      isFinal: true,
      files: readFiles(path.join(folder, version), names),
    }))
}

function readFiles(folder: string, [script, ...others]: FileNames): LibraryRelease['files'] {
  const read = (name: string): LibraryFile => ({
    name,
    content: new Uint8Array(readFileSync(path.join(folder, name))),
  })
  return [read(script), ...others.map(read)]
}

/** Permanent address of the library's current release, with its required hash. */
export function libraryAddress({ current }: Library, vaultUrl: string) {
  const [script] = current.files
  return { url: `${vaultUrl}/${releasePath(current, script)}`, integrity: integrityOf(script) }
}

/** The tag for the shop's page, which checks the file's integrity (PCI DSS 6.4.3), in two lines. */
export function scriptTag({ url, integrity }: ReturnType<typeof libraryAddress>): string[] {
  return [`<script src="${url}"`, `  integrity="${integrity}" crossorigin="anonymous"></script>`]
}
