import { newLinkId, showCard } from '@cofre/provider-kit/simulator'
import type { Book, Decision } from './book.js'
import { newDigits } from './sales.js'
import { decisionFor } from './sandbox-rules.js'
import { readCheck } from './wire.js'

interface CheckToAnswer {
  readonly body: unknown
  readonly decide: () => Decision | undefined
}

/**
 * Answers a Zero Auth, by the rules of sales.
 * @throws CieloError if nothing is checked
 */
export function checkCard(book: Book, { body, decide }: CheckToAnswer) {
  const { CardNumber: number, ExpirationDate: expiry, Holder: holder } = readCheck(body)
  const card = showCard({ number, expiry, holder })
  const { end, returnCode, returnMessage } = decide() ?? decisionFor(number, false)
  if (end !== 'authorized')
    return { Valid: false, ReturnCode: returnCode, ReturnMessage: returnMessage }
  const transactionLinkId = newLinkId(book.randomBytes, card)
  const issuerTransactionId = newDigits(book, 15)
  book.checkedCards.push({ card, issuerTransactionId, transactionLinkId })
  return {
    Valid: true,
    ReturnCode: '00',
    ReturnMessage: 'Transacao autorizada',
    IssuerTransactionId: issuerTransactionId,
    ...(transactionLinkId !== undefined && { TransactionLinkId: transactionLinkId }),
  }
}
