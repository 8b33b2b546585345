import { createServer } from 'node:net'
import { type Clock, SECOND_MS } from '@cofre/contracts'
import { createVaultClient } from '@cofre/vault/client'
import type { Config, ServingRole } from '../config/config.js'
import { TRIAL_HEADER } from '../config/trial.js'
import { isLoopback } from '../config/loopback.js'
import { scriptName } from '../installation/library.js'
import { type Finding, about, messageOf } from './finding.js'

const ANSWER_TIMEOUT_MS = 5 * SECOND_MS
const SERVER_ERROR = 500

/** Roles with a public address. */
export const PUBLIC_ROLES = ['api', 'sandbox', 'vault', 'panel'] as const
type PublicRole = (typeof PUBLIC_ROLES)[number]

/** Checks that a role can listen on its port. */
export async function checkPort(config: Config, role: ServingRole): Promise<Finding> {
  const { host: listened, port, portVariable } = config.endpoints[role]
  const { ok, problem } = about(`port of ${role}`)
  const reason = await portProblem(listened, port)
  if (reason === undefined) return ok(`${port} is free`)
  if (reason !== 'EADDRINUSE')
    return problem(
      `${listened}:${port} cannot be listened on (${reason})`,
      role === 'metrics' ? 'check COFRE_HOST and COFRE_METRICS_HOST' : 'check COFRE_HOST',
    )
  const host = listened === '0.0.0.0' || listened === '::' ? '127.0.0.1' : listened
  const isOurs = await answersAsCofre(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  return isOurs
    ? ok(`${port} is in use by a running Cofre`)
    : problem(
        `${port} is in use by another program`,
        `stop it, or set ${portVariable} to a free port`,
      )
}

function portProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message)
    })
    server.listen(port, host, () => {
      server.close(() => {
        resolve(undefined)
      })
    })
  })
}

async function answersAsCofre(origin: string): Promise<boolean> {
  try {
    const { headers } = await fetch(origin, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    return headers.has('X-Request-Id')
  } catch {
    return false
  }
}

/** Checks that the vault in another process answers and knows this gateway's key. */
export async function checkVaultService(
  config: Config,
  clock: Clock,
): Promise<Finding | undefined> {
  const { url, keys } = config.vaultService
  if (url === undefined || keys === undefined) return undefined
  const { ok, problem } = about('vault service')
  const client = createVaultClient({ url, keys, clock })
  try {
    await client.ping()
    return ok(`${url} answers and has the same service key`)
  } catch (error) {
    return problem(
      `${url} gives an unexpected answer: ${messageOf(error)}`,
      'check that the vault runs, the service key on both sides, and both clocks',
    )
  } finally {
    client.close()
  }
}

/** Checks that notifications reach only the public internet. */
export function checkNotifications({ notifyAllow }: Config): Finding {
  const { ok, warning } = about('notifications')
  if (notifyAllow.length === 0) return ok('reach public addresses on 80 and 443 only')
  return warning(
    `COFRE_NOTIFY_ALLOW allows ${notifyAllow.length} networks that are not public`,
    "allow only the networks of shops' servers: each store chooses the address of its notifications",
  )
}

/** Checks that others can reach a role at its public URL. */
export async function checkPublicUrl(config: Config, role: PublicRole): Promise<Finding> {
  const { ok, warning, problem } = about(`public URL of ${role}`)
  const { origin, protocol, hostname } = new URL(config.endpoints[role].publicUrl)
  const isLocal = isLoopback(hostname)
  if (protocol === 'http:' && !isLocal)
    return problem(
      `${origin} is not https`,
      'put it behind a TLS proxy: browsers encrypt cards on secure pages only',
    )
  const found = await probeRole(config, role)
  if (found.kind === 'silent')
    return warning(
      `${origin} does not answer: ${found.reason}`,
      'start the processes, or check the proxy, the name and the certificate',
    )
  if (found.kind === 'trial') return ok(`${origin} is a trial, which asks for its password`)
  if (found.kind === 'other') {
    const what = `${origin} answers, but not as the role ${role}: ${found.what}`
    // A proxy responds like this if the processes have not started yet.
    return found.status >= SERVER_ERROR
      ? warning(what, 'start the processes, or check the proxy’s target')
      : problem(what, `check the proxy's target and the port of ${role}`)
  }
  // A panel may be for its operators only.
  if (!isLocal || role === 'panel') return ok(`${origin} answers as ${role}`)
  return warning(
    `${origin} can only be reached on this machine`,
    'set it to the address that shops and payers use, unless this is a trial',
  )
}

type Found =
  | { readonly kind: 'ours' }
  | { readonly kind: 'trial' }
  | { readonly kind: 'other'; readonly what: string; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

/** Requests a resource that only this role serves. */
async function probeRole(config: Config, role: PublicRole): Promise<Found> {
  const { publicUrl } = config.endpoints[role]
  const isApi = role === 'api' || role === 'sandbox'
  const paths = { vault: `/${scriptName(config.vendor)}`, panel: '/assets/panel.js' }
  const path = isApi ? '/openapi.json' : paths[role]
  try {
    const answer = await fetch(new URL(path, publicUrl), {
      redirect: 'manual',
      // A new connection: a kept one may have ended meanwhile.
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    if (answer.headers.has(TRIAL_HEADER)) {
      await answer.body?.cancel()
      return { kind: 'trial' }
    }
    const what = isApi ? await apiProblem(answer, publicUrl) : scriptProblem(answer)
    if (!answer.bodyUsed) await answer.body?.cancel()
    if (what === undefined) return { kind: 'ours' }
    return { kind: 'other', what: `${path} is ${what}`, status: answer.status }
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { kind: 'silent', reason: messageOf(reason) }
  }
}

function scriptProblem({ status, headers }: Response): string | undefined {
  const type = headers.get('Content-Type') ?? 'of no type'
  if (status !== 200) return `status ${status}`
  return type.includes('javascript') ? undefined : `it is not a script, but ${type}`
}

/** Reason why the response is not this API's document, which states its address. */
async function apiProblem(answer: Response, publicUrl: string): Promise<string | undefined> {
  if (answer.status !== 200) return `status ${answer.status}`
  try {
    const { servers } = (await answer.json()) as { servers: readonly { url: unknown }[] }
    const url = servers[0]?.url
    if (url === publicUrl) return undefined
    if (typeof url === 'string') return `that of the API at ${url}`
  } catch {
    // Another program answers there.
  }
  return 'it is not the document of an API'
}
