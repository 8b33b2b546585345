import { SECOND_MS } from '@cofre/contracts'
import type { Config } from '../config/config.js'

/** Whoever waits for a page does not wait longer. */
const TIMEOUT_MS = 10 * SECOND_MS
const CHECK_TIMEOUT_MS = 5 * SECOND_MS

export type MailServer = NonNullable<Config['smtp']>

/**
 * Connects and signs in as for a letter, and sends none.
 * @throws where the server does not answer, not by TLS, or does not take the credentials
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
    // By `smtp:` the connection changes to TLS before anything is said.
    requireTLS: !isHere && address.protocol === 'smtp:',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
