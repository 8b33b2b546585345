import { SECOND_MS } from '@cofre/contracts'
import type { Mailer } from '@cofre/panel'
import type { Config } from '../config/config.js'

/** Whoever waits for a page does not wait longer. */
const TIMEOUT_MS = 10 * SECOND_MS

/** Hands letters in where the configuration says. The library loads with the first of them. */
export function createMailer({ url, from }: NonNullable<Config['smtp']>): Mailer {
  const address = new URL(url.reveal())
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname)
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url: url.reveal(),
        // By `smtp:` the connection changes to TLS before anything is said.
        requireTLS: !isHere && address.protocol === 'smtp:',
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      try {
        await transport.sendMail({ ...mail, from })
      } finally {
        transport.close()
      }
    },
  }
}
