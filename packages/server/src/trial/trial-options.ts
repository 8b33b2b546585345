import { X509Certificate, createPrivateKey, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, isIP } from 'node:net'
import { connect, createSecureContext, createServer } from 'node:tls'
import { type Clock, Secret, isPlainText } from '@cofre/contracts'
import { OperatorError, SetupError } from '../config/errors.js'
import { readSecretFile } from '../config/secret-file.js'
import { EVERY_ADDRESS, type Trial } from '../config/trial.js'

/** Options of `cofre dev`. */
export interface TrialOptions {
  readonly host?: string
  readonly passwordFile?: string
  readonly certificate?: string
}

const PASSWORD_LENGTH_MIN = 12
const PASSWORD_LENGTH_MAX = 200
const DRAWN_BYTES = 15

/** The requested trial; undefined without a host. @throws OperatorError */
export async function readTrial(
  options: TrialOptions,
  clock: Clock = Date,
): Promise<Trial | undefined> {
  const { host, passwordFile, certificate } = options
  if (host === undefined) return undefined
  return {
    host,
    address: await addressOf(host),
    password: passwordFile === undefined ? drawPassword() : readPassword(passwordFile),
    isDrawn: passwordFile === undefined,
    certificate:
      certificate === undefined ? undefined : await readCertificate(certificate, { host, clock }),
  }
}

async function addressOf(host: string): Promise<string> {
  const address = await resolveHost(host)
  if (EVERY_ADDRESS.includes(address))
    throw new OperatorError(
      `--host ${host} leads others nowhere: name the address that they type, and set COFRE_HOST=${address} to listen on all`,
    )
  return address
}

async function resolveHost(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch (cause) {
    throw new SetupError(`--host ${host} is not found: name an address of this machine`, cause)
  }
}

function drawPassword(): Secret<string> {
  return new Secret(randomBytes(DRAWN_BYTES).toString('base64url'))
}

function readPassword(file: string): Secret<string> {
  const text = readText(file, '--password-file')
  const isLong = text.length >= PASSWORD_LENGTH_MIN && text.length <= PASSWORD_LENGTH_MAX
  if (!isLong || !isPlainText(text))
    throw new OperatorError(
      `--password-file ${file} is not usable: write one line of ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters that can be typed, or leave the option out to have a password drawn`,
    )
  return new Secret(text)
}

interface Serving {
  readonly host: string
  readonly clock: Clock
}

async function readCertificate(file: string, serving: Serving): Promise<Secret<string>> {
  const pem = readText(file, '--certificate')
  const why = certificateProblem(pem, serving)
  if (why !== undefined)
    throw new OperatorError(
      `--certificate ${file} is not usable: ${why}. It has to hold a chain of certificates and its key, in PEM`,
    )
  const distrust = await trustProblem(pem)
  if (distrust === undefined) return new Secret(pem)
  throw new OperatorError(
    `--certificate ${file} is not usable: this machine does not trust it (${distrust}), and its demo shops call the API by it. If the authority is your own, start with NODE_EXTRA_CA_CERTS=FILE of its certificate`,
  )
}

/**
 * The code of a local client's objection to a certificate chain; undefined if it trusts the chain.
 */
async function trustProblem(pem: string): Promise<string | undefined> {
  const server = createServer({ cert: pem, key: pem }).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    // The name was checked before.
    const client = connect({ port, host: '127.0.0.1', checkServerIdentity: () => undefined })
    try {
      await once(client, 'secureConnect')
      return undefined
    } finally {
      client.destroy()
    }
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'
  } finally {
    server.close()
  }
}

function certificateProblem(pem: string, { host, clock }: Serving): string | undefined {
  const certificate = parsed(() => new X509Certificate(pem))
  if (certificate === undefined) return 'it has no certificate that can be read'
  const key = parsed(() => createPrivateKey(pem))
  if (key === undefined) return 'it has no key that can be read, or one under a password'
  if (!certificate.checkPrivateKey(key)) return 'its key is another certificate’s'
  if (parsed(() => createSecureContext({ cert: pem, key: pem })) === undefined)
    return 'its chain cannot be read'
  const isNamed = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (isNamed === undefined)
    return `it is for ${certificate.subjectAltName ?? 'no name'}, and browsers ask for ${host}`
  const until = certificate.validToDate
  return until.getTime() < clock.now()
    ? `it ended on ${until.toISOString().slice(0, 10)}`
    : undefined
}

/** OpenSSL's own messages mean nothing to a person. */
function parsed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function readText(file: string, option: string): string {
  const read = readSecretFile(file)
  if ('text' in read) return read.text
  throw new OperatorError(`${option} ${file} is not usable: ${read.why}`)
}
