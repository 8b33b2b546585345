/** Sends mail; rejects if the mail server didn't accept it. */
export interface Mailer {
  send(mail: {
    readonly to: string
    readonly subject: string
    readonly text: string
  }): Promise<void>
}
