import { createServer } from 'node:net'
import { SECOND_MS } from '@cofre/contracts'
import { createVaultClient } from '@cofre/vault/client'
import type { Clock } from '@cofre/contracts'
import type { Config, Role, ServingRole } from '../config/config.js'
import { type Finding, messageOf, ok, problem, warning } from './finding.js'

const ANSWER_TIMEOUT_MS = 5 * SECOND_MS

/** Whether a role can listen on its port. */
export async function checkPort(config: Config, role: ServingRole): Promise<Finding> {
  const { host: listened, port, portVariable } = config.endpoints[role]
  const subject = `port of ${role}`
  const reason = await whyNotFree(listened, port)
  if (reason === undefined) return ok(subject, `${port} is free`)
  if (reason !== 'EADDRINUSE')
    return problem(
      subject,
      `${listened}:${port} cannot be listened on (${reason})`,
      role === 'metrics' ? 'check COFRE_HOST and COFRE_METRICS_HOST' : 'check COFRE_HOST',
    )
  const host = listened === '0.0.0.0' || listened === '::' ? '127.0.0.1' : listened
  const isOurs = await answersAsCofre(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  return isOurs
    ? ok(subject, `${port} is in use, by a running Cofre`)
    : problem(
        subject,
        `${port} is in use by another program`,
        `stop it, or set ${portVariable} to a free port`,
      )
}

function whyNotFree(host: string, port: number): Promise<string | undefined> {
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

/** Whether the vault that stands elsewhere answers, and knows this gateway's key. */
export async function checkVaultService(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const { url, keys } = config.vaultService
  if (url === undefined || keys === undefined) return []
  const client = createVaultClient({ url, keys, clock })
  try {
    await client.ping()
    return [ok('vault service', `${url} answers, and knows the service key`)]
  } catch (error) {
    return [
      problem(
        'vault service',
        `${url} does not answer as it should: ${messageOf(error)}`,
        'check that the vault runs, the service key on both sides, and both clocks',
      ),
    ]
  } finally {
    client.close()
  }
}

/** Whether notifications may reach more than the public internet. */
export function checkNotifications({ notifyAllow }: Config): Finding {
  const subject = 'notifications'
  if (notifyAllow.length === 0) return ok(subject, 'reach public addresses on 80 and 443 only')
  return warning(
    subject,
    `COFRE_NOTIFY_ALLOW opens ${notifyAllow.length} networks that are not public`,
    "allow only what shops' servers need: a store chooses where its notifications go",
  )
}

/** The roles that listen, of these. */
export function servingRoles(roles: readonly Role[]): readonly ServingRole[] {
  return roles.filter((role) => role !== 'worker')
}
