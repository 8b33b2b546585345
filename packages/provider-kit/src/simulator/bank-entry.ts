import type { ClientCredentials } from './start-mutual-bank.js'
import type { AccountAnswers } from '../account/index.js'

/** What a person enters of an account that a bank has opened under a certificate. */
export function bankAnswers(
  receiver: { readonly name: string; readonly city: string },
  { clientId, clientSecret, certificate, privateKey }: ClientCredentials,
): AccountAnswers {
  return {
    receiverName: receiver.name,
    receiverCity: receiver.city,
    clientId,
    clientSecret: clientSecret ?? '',
    certificate: Buffer.from(certificate + privateKey.reveal()),
  }
}

/** A CNPJ as they are since 2026, of nobody: a bank knows one account of each. */
export function taxIdOf(accountId: string): string {
  return `${accountId.replaceAll('-', '').slice(0, 12).toUpperCase()}00`
}
