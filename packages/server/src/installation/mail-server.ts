import { SECOND_MS } from '@cofre/contracts'
import type { Config } from '../config/config.js'

/** Limit for a person who waits for a page. */
const TIMEOUT_MS = 10 * SECOND_MS
const CHECK_TIMEOUT_MS = 5 * SECOND_MS

export type MailServer = NonNullable<Config['smtp']>

/**
 * Connects and signs in as for a letter, but sends none.
 * @throws if the server does not answer, has no TLS, or refuses the credentials
 */
export async function checkMailServer({ url }: MailServer): Promise<void> {
  const transport = await transportOf({ url }, CHECK_TIMEOUT_MS)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export async function transportOf({ url }: Pick<MailServer, 'url'>, timeoutMs = TIMEOUT_MS) {
  const address = new URL(url.reveal())
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname)
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: url.reveal(),
    // With `smtp:`, the connection changes to TLS before any command.
    requireTLS: !isHere && address.protocol === 'smtp:',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
