import type { CallOutcome } from '@cofre/outbound'

/** What a person reads after an account's credentials were shown to its acquirer. */
export function credentialsWord(
  acquirer: string,
  outcome: CallOutcome,
): { readonly isDone: boolean; readonly said: string } {
  switch (outcome.kind) {
    case 'accepted':
      return { isDone: true, said: `${acquirer} accepts the credentials.` }
    case 'refused':
      return {
        isDone: false,
        said: `${acquirer} refuses them (status ${outcome.status}). Compare them with what its site shows.`,
      }
    case 'not_sent':
    case 'unknown':
      return { isDone: false, said: `${acquirer} did not answer: ${outcome.detail}.` }
  }
}
