import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The fields of a package.json that the tests read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A package of this repository. */
export interface BuiltPackage {
  readonly folder: string
  readonly manifest: Manifest
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The packages that the build makes: anyone may install each. */
export function builtPackages(): BuiltPackage[] {
  const { references } = readJson(path.join(ROOT, 'tsconfig.build.json')) as {
    references: { path: string }[]
  }
  return references
    .map((reference) => path.join(ROOT, reference.path))
    .map((folder) => ({
      folder,
      manifest: readJson(path.join(folder, 'package.json')) as Manifest,
    }))
}

/**
 * Runs the npm that runs `npm test`, or the one on the path. Only Windows needs a shell to start
 * the latter.
 */
function npm(args: readonly string[], cwd: string): string {
  const script = process.env.npm_execpath
  const [command, before] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  const shell = script === undefined && process.platform === 'win32'
  return execFileSync(command, [...before, ...args], {
    cwd,
    encoding: 'utf8',
    shell,
    stdio: 'pipe',
  })
}

/** A packed package. */
export interface Tarball {
  readonly name: string
  readonly manifest: Manifest
  /** The folder of its unpacked contents. */
  readonly folder: string
  readonly files: readonly string[]
}

/** A package's entry in the output of `npm pack --json`. */
interface PackReport {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs every package as a release does, all in one run of npm, and unpacks each under a folder.
 */
export function packAll(scratch: string): ReadonlyMap<string, Tarball> {
  const wanted = builtPackages().flatMap(({ manifest }) => ['--workspace', manifest.name])
  const output = npm(['pack', '--json', '--pack-destination', scratch, ...wanted], ROOT)
  const reports = JSON.parse(output.slice(output.indexOf('['))) as readonly PackReport[]
  return new Map(
    reports.map(({ name, filename, files }) => {
      const unpacked = path.join(scratch, 'unpacked', ...name.split('/'))
      mkdirSync(unpacked, { recursive: true })
      const archive = path.relative(unpacked, path.join(scratch, filename))
      execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: unpacked })
      const manifest = readJson(path.join(unpacked, 'package.json')) as Manifest
      return [name, { name, manifest, folder: unpacked, files: files.map((file) => file.path) }]
    }),
  )
}

/**
 * A new project with one package installed: its tarball, the tarballs of our packages that it
 * needs, and links to its third-party dependencies. It uses no network and contains no undeclared
 * dependency.
 */
export function projectWith(
  scratch: string,
  name: string,
  tarballs: ReadonlyMap<string, Tarball>,
): string {
  const project = path.join(scratch, 'projects', name.replace('/', '-'))
  const modules = path.join(project, 'node_modules')
  const install = (wanted: string): void => {
    const place = path.join(modules, ...wanted.split('/'))
    if (existsSync(place)) return
    mkdirSync(path.dirname(place), { recursive: true })
    const tarball = tarballs.get(wanted)
    if (tarball === undefined) {
      symlinkSync(path.join(ROOT, 'node_modules', wanted), place, 'junction')
      return
    }
    // Not a link: Node would look for its imports beside the link's target.
    mkdirSync(place)
    for (const file of tarball.files) copyInto(tarball.folder, place, file)
    for (const dependency of Object.keys(tarball.manifest.dependencies ?? {})) install(dependency)
  }
  install(name)
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  return project
}

function copyInto(from: string, to: string, file: string): void {
  const target = path.join(to, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, readFileSync(path.join(from, file)))
}
