import type { CallOutcome } from '@cofre/outbound'

/** What a person reads after an account's credentials were shown to its acquirer. */
interface Word {
  readonly isDone: boolean
  readonly said: string
}

export function credentialsAccepted(acquirer: string): Word {
  return { isDone: true, said: `${acquirer} accepts the credentials.` }
}

export function credentialsWord(acquirer: string, outcome: CallOutcome): Word {
  switch (outcome.kind) {
    case 'accepted':
      return credentialsAccepted(acquirer)
    case 'refused': {
      const { status } = outcome
      const said = `${acquirer} refuses the credentials (status ${status}). Compare them with its site.`
      return { isDone: false, said }
    }
    case 'not_sent':
    case 'unknown':
      return { isDone: false, said: `${acquirer} did not answer: ${outcome.detail}.` }
  }
}
