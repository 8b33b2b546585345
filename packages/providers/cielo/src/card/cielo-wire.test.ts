import { Secret, minorUnits } from '@cofre/contracts'
import type { AuthorizeRequest } from '@cofre/provider-kit/card'
import { expect, it } from 'vitest'
import { saleBody } from './cielo-wire.js'

const LATER: AuthorizeRequest = {
  key: { installation: 'abcd', environment: 'production', transactionCode: '1042' },
  earlier: undefined,
  card: new Secret({ number: '4111111111111111', month: '12', year: '2030' }),
  brand: 'visa',
  amountMinor: minorUnits(10_000),
  installments: 1,
  payer: { name: 'Ana Souza', document: undefined, email: undefined, ip: undefined },
  storedCredential: { use: 'later', isSubscription: false, networkTransactionId: undefined },
  threeDSecure: undefined,
}

it.each([undefined, '736'])('a saved card is charged with the security code %s', (cvv) => {
  const card = new Secret({ ...LATER.card.reveal(), ...(cvv !== undefined && { cvv }) })
  const { Payment: payment } = saleBody({ ...LATER, card }, { softDescriptor: undefined })
  const { CreditCard: sent } = payment as { CreditCard: Record<string, unknown> }
  expect([sent.SecurityCode, sent.CardOnFile]).toEqual([
    cvv,
    { Usage: 'Used', Reason: 'Unscheduled' },
  ])
})
