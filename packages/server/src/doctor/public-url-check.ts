import { SECOND_MS } from '@cofre/contracts'
import type { Config, ServingRole } from '../config/config.js'
import { scriptName } from '../library-file.js'
import { type Finding, messageOf, ok, problem, warning } from './finding.js'

const ANSWER_TIMEOUT_MS = 5 * SECOND_MS
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/
const SERVER_ERROR = 500

/** Those that others are told an address of. */
export type PublicRole = Extract<ServingRole, 'api' | 'sandbox' | 'vault' | 'panel'>
export const PUBLIC_ROLES: readonly PublicRole[] = ['api', 'sandbox', 'vault', 'panel']

/** Whether others can reach a role where it is said to be. */
export async function checkPublicUrl(config: Config, role: PublicRole): Promise<Finding> {
  const subject = `public URL of ${role}`
  const { origin, protocol, hostname } = new URL(config.endpoints[role].publicUrl)
  const isLocal = LOOPBACK.test(hostname)
  if (protocol === 'http:' && !isLocal)
    return problem(
      subject,
      `${origin} is not https`,
      'put a TLS proxy in front; browsers encrypt cards on secure pages only',
    )
  const found = await lookAt(config, role)
  if (found.kind === 'silent')
    return warning(
      subject,
      `${origin} does not answer: ${found.reason}`,
      'start the processes, or check the proxy, the name and the certificate',
    )
  if (found.kind === 'other') {
    const told = `${origin} answers, but not as the role ${role}: ${found.what}`
    // A proxy says so of processes that are not started yet.
    return found.status >= SERVER_ERROR
      ? warning(subject, told, 'start the processes, or check where the proxy sends it')
      : problem(subject, told, `check where the proxy sends it, and the port of ${role}`)
  }
  // A panel is for those who work on it: it need not be anybody else's.
  if (!isLocal || role === 'panel') return ok(subject, `${origin} answers as ${role}`)
  return warning(
    subject,
    `${origin} is this machine's alone`,
    'set it to where shops and payers come, unless this is a trial',
  )
}

type Found =
  | { readonly kind: 'ours' }
  | { readonly kind: 'other'; readonly what: string; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

/** Asks for what only this role serves. */
async function lookAt(config: Config, role: PublicRole): Promise<Found> {
  const { publicUrl } = config.endpoints[role]
  const isApi = role === 'api' || role === 'sandbox'
  const paths = { vault: `/${scriptName(config.vendor)}`, panel: '/assets/panel.js' }
  const path = isApi ? '/openapi.json' : paths[role]
  try {
    const answer = await fetch(new URL(path, publicUrl), {
      redirect: 'manual',
      // Asked once: a connection that was kept from before may have ended meanwhile.
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const what = isApi ? await whyNotApi(answer, publicUrl) : whyNotScript(answer)
    if (!answer.bodyUsed) await answer.body?.cancel()
    if (what === undefined) return { kind: 'ours' }
    return { kind: 'other', what: `${path} is ${what}`, status: answer.status }
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { kind: 'silent', reason: messageOf(reason) }
  }
}

function whyNotScript({ status, headers }: Response): string | undefined {
  const type = headers.get('Content-Type') ?? 'of no type'
  if (status !== 200) return `status ${status}`
  return type.includes('javascript') ? undefined : `no script there, but ${type}`
}

/** The document of an API says where it is. */
async function whyNotApi(answer: Response, publicUrl: string): Promise<string | undefined> {
  if (answer.status !== 200) return `status ${answer.status}`
  const url = serverOf(await answer.text())
  if (url === undefined) return 'no document of an API there'
  return url === publicUrl ? undefined : `that of the API at ${url}`
}

function serverOf(text: string): string | undefined {
  try {
    const { servers } = JSON.parse(text) as { servers?: readonly { url?: unknown }[] }
    const url = servers?.[0]?.url
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}
