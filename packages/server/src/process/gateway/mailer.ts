import type { Mailer } from '@cofre/panel'
import { type MailServer, transportOf } from '../../installation/mail-server.js'

/** Sends letters through the configured mail server. The first letter loads the library. */
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
