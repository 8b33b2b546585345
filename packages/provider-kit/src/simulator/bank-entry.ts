import type { ClientCredentials } from './start-mutual-bank.js'
import type { AccountAnswers } from '../account/index.js'

/** A person's answers about an account that a bank opened for a certificate. */
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

/** A fictitious CNPJ in the form of 2026: a bank has one account for each. */
export function taxIdOf(accountId: string): string {
  return `${accountId.replaceAll('-', '').slice(0, 12).toUpperCase()}00`
}
