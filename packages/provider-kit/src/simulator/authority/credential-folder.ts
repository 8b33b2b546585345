// A simulator's authority and the certificates it signed, in a folder that only its owner reads.
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import {
  type Authority,
  type AuthorityDeps,
  type Credential,
  type Subject,
  createAuthority,
  restoreAuthority,
} from './authority.js'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** The files of a simulator. */
export interface CredentialFolder {
  readonly authority: Authority
  /**
   * The credential issued under this name, or a new one: an expired or unsuitable one is replaced.
   */
  credential(name: string, subject: Subject): Promise<Credential>
  /** The text stored under this name, or a new one. */
  text(name: string, make: () => string): Promise<string>
}

/** Opens the folder; creates it, with an authority, if it does not exist. */
export async function openCredentialFolder(
  folder: string,
  deps: AuthorityDeps,
): Promise<CredentialFolder> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
  const kept = await readCredential(folder, 'authority')
  const isUsable = kept !== undefined && isValid(kept.certificate, deps)
  const authority = isUsable ? restoreAuthority(deps, kept) : await createAuthority(deps)
  if (!isUsable) await keepCredential(folder, 'authority', authority.credential)
  const { certificate } = authority.credential
  return {
    authority,
    async credential(name, subject) {
      const known = await readCredential(folder, name)
      const holds = known !== undefined && isValid(known.certificate, deps)
      const isFit = holds && isFor(known.certificate, subject)
      if (isFit && isIssuedBy(known.certificate, certificate)) return known
      const issued = await authority.issue(subject)
      await keepCredential(folder, name, issued)
      return issued
    },
    async text(name, make) {
      const file = path.join(folder, name)
      const known = await readText(file)
      if (known !== undefined) return known
      const text = make()
      await keepText(file, text)
      return text
    },
  }
}

async function keepCredential(folder: string, name: string, credential: Credential) {
  await keepText(keyFile(folder, name), credential.privateKey.reveal())
  await keepText(certificateFile(folder, name), credential.certificate)
}

/**
 * Undefined if a file is missing or unreadable, or the two do not match: a start may have been
 * interrupted.
 */
async function readCredential(folder: string, name: string): Promise<Credential | undefined> {
  const certificate = await readText(certificateFile(folder, name))
  const privateKey = await readText(keyFile(folder, name))
  if (certificate === undefined || privateKey === undefined) return undefined
  return fits(certificate, privateKey)
    ? { certificate, privateKey: new Secret(privateKey) }
    : undefined
}

function fits(certificate: string, privateKey: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))
  } catch {
    return false
  }
}

function isValid(certificate: string, { clock }: AuthorityDeps): boolean {
  return new X509Certificate(certificate).validToDate.getTime() > clock.now()
}

function isFor(certificate: string, { hosts = [] }: Subject): boolean {
  const parsed = new X509Certificate(certificate)
  return hosts.every(
    (host) => (isIP(host) === 0 ? parsed.checkHost(host) : parsed.checkIP(host)) !== undefined,
  )
}

function isIssuedBy(certificate: string, issuer: string): boolean {
  return new X509Certificate(certificate).verify(new X509Certificate(issuer).publicKey)
}

function certificateFile(folder: string, name: string): string {
  return path.join(folder, `${name}.pem`)
}

function keyFile(folder: string, name: string): string {
  return path.join(folder, `${name}-key.pem`)
}

/** Writes a file that is whole or absent, even if the process is killed. */
async function keepText(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: OWNER_ONLY })
  await rename(`${file}.new`, file)
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
