import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** Forbidden permissions for a file that a person names. */
const TOO_OPEN = 0o077
/**
 * A group may read delivered secrets: systemd shows an access list as a group, and Kubernetes uses
 * one.
 */
const DELIVERED_TOO_OPEN = 0o027
const CHANGEABLE = 0o022

/** Folder of the credentials that `LoadCredential=` names in systemd. */
const CREDENTIALS = 'CREDENTIALS_DIRECTORY'

/** Files for a variable's value: named by `<name>_FILE`, or systemd's credential of its name. */
export function secretFilesOf(environ: Readonly<Record<string, string | undefined>>, name: string) {
  const variable = `${name}_FILE`
  const named = environ[variable] ?? ''
  const folder = environ[CREDENTIALS] ?? ''
  const credential = path.join(folder, name)
  return [
    ...(named === '' ? [] : [{ namedBy: variable, path: named }]),
    ...(folder !== '' && existsSync(credential)
      ? [{ namedBy: `the credential ${name}`, path: credential }]
      : []),
  ]
}

/** The text of a secret's file, or the reason why it is unusable: only its owner may read it. */
export function readSecretFile(file: string): SecretText {
  return decodeSecret(readSecretBytes(file))
}

/** The text of a delivered file for a variable's value, or the reason why it is unusable. */
export function readDeliveredSecret(file: string): SecretText {
  return decodeSecret(readClosed(file, () => DELIVERED_TOO_OPEN))
}

/**
 * The bytes of a secret's file, or the reason why it is unusable.
 * @param isPublic - True if others may read the content, but not change it.
 */
export function readSecretBytes(
  file: string,
  isPublic: (bytes: Buffer) => boolean = () => false,
): SecretBytes {
  return readClosed(file, (bytes) => (isPublic(bytes) ? CHANGEABLE : TOO_OPEN))
}

type SecretText = { readonly text: string } | { readonly why: string }
type SecretBytes = { readonly bytes: Buffer } | { readonly why: string }

function decodeSecret(read: SecretBytes): SecretText {
  return 'why' in read ? read : { text: read.bytes.toString('utf8').trim() }
}

function readClosed(file: string, forbiddenFor: (bytes: Buffer) => number): SecretBytes {
  try {
    // Checks and reads the same opened file, even if another takes its name meanwhile.
    const opened = openSync(file, 'r')
    try {
      const mode = fstatSync(opened).mode & 0o777
      const bytes = readFileSync(opened)
      if (process.platform !== 'win32' && (mode & forbiddenFor(bytes)) !== 0)
        return {
          why: `others may read or change it (mode ${mode.toString(8)}): chmod 600 ${file}, and replace what it holds if one may have read it`,
        }
      return { bytes }
    } finally {
      closeSync(opened)
    }
  } catch (error) {
    return { why: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` }
  }
}
