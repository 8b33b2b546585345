import type { Mailer } from '@cofre/panel'
import { type MailServer, transportOf } from '../installation/mail-server.js'

/** Hands letters in where the configuration says. The library loads with the first of them. */
export function createMailer({ url, from }: MailServer): Mailer {
  return {
    async send(mail) {
      const transport = await transportOf({ url })
      try {
        await transport.sendMail({ ...mail, from })
      } finally {
        transport.close()
      }
    },
  }
}
