import type { CallAnswer } from '../outbound/index.js'

/** The message about an account's credentials, after the acquirer saw them. */
interface CredentialsCheck {
  readonly isDone: boolean
  readonly detail: string
}

export function credentialsAccepted(acquirer: string): CredentialsCheck {
  return { isDone: true, detail: `${acquirer} accepts the credentials.` }
}

export function credentialsResult(acquirer: string, answer: CallAnswer): CredentialsCheck {
  switch (answer.kind) {
    case 'done':
      return credentialsAccepted(acquirer)
    case 'refused': {
      const { status } = answer
      const detail = `${acquirer} refuses the credentials (status ${status}). Compare them with its site.`
      return { isDone: false, detail }
    }
    case 'not-sent':
    case 'unknown':
      return { isDone: false, detail: `${acquirer} did not answer: ${answer.detail}.` }
  }
}
