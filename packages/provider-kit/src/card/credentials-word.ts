import type { CallAnswer } from '../outbound/index.js'

/** The message about an account's credentials, after the acquirer saw them. */
interface Word {
  readonly isDone: boolean
  readonly said: string
}

export function credentialsAccepted(acquirer: string): Word {
  return { isDone: true, said: `${acquirer} accepts the credentials.` }
}

export function credentialsWord(acquirer: string, answer: CallAnswer): Word {
  switch (answer.kind) {
    case 'done':
      return credentialsAccepted(acquirer)
    case 'refused': {
      const { status } = answer
      const said = `${acquirer} refuses the credentials (status ${status}). Compare them with its site.`
      return { isDone: false, said }
    }
    case 'not-sent':
    case 'unknown':
      return { isDone: false, said: `${acquirer} did not answer: ${answer.detail}.` }
  }
}
