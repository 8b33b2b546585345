/** What sends a letter. It rejects where the letter was not taken. */
export interface Mailer {
  send(mail: {
    readonly to: string
    readonly subject: string
    readonly text: string
  }): Promise<void>
}
