import {
  type CardOrder,
  type CardSource,
  type Charge,
  type Environment,
  Secret,
  type ThreeDSecure,
  type ThreeDSecureResult,
  type TransactionRequest,
} from '@cofre/contracts'
import { authenticationReturnPath } from '../../model/payer-page/payer-paths.js'
import { onlyCharge } from '../../model/transaction/stored-request.js'
import type { InsertedIntent, Transaction } from '../../model/transaction/transaction.js'

interface OrderParts extends InsertedIntent {
  readonly environment: Environment
  readonly publicUrl?: string | undefined
}

/** The vault's order to charge for a valid request, whose intent is committed. */
export function cardOrder(
  intent: Transaction,
  request: TransactionRequest,
  { environment, publicUrl, refusedBins }: OrderParts,
): CardOrder {
  const charge = onlyCharge(request)
  const { cart, payer } = request
  const source = cardSourceOf(charge)
  const isSubscription = cart.some(({ type }) => type === 'subscription')
  // A payer who is charged by agreement is absent.
  const returnsTo = isSubscription && source.kind === 'code' ? undefined : publicUrl
  const result = charge['payment-info']?.['three-d-secure']
  return {
    environment,
    merchantId: intent.merchantId,
    transactionCode: String(intent.code),
    source,
    payerEmail: intent.payerEmail,
    amountMinor: intent.chargedMinor,
    installments: intent.installments,
    brand: intent.subType,
    saveCard: charge['payment-info']?.save === true,
    ...(refusedBins.length > 0 && { refusedBins }),
    takesLongBin: true,
    ...(charge['payment-info']?.capture === false && { isCapturedLater: true }),
    payer: { name: payer.name, document: intent.payerDocument, ip: payer.ip },
    isSubscription,
    ...(returnsTo !== undefined && {
      authenticationReturnUrl: returnsTo + authenticationReturnPath(intent.publicId),
    }),
    ...(result !== undefined && { threeDSecure: threeDSecureOf(result) }),
  }
}

function threeDSecureOf({
  version,
  eci,
  cavv,
  'ds-transaction-id': directoryServerTransactionId,
}: ThreeDSecure): ThreeDSecureResult {
  return { version, eci, cavv: new Secret(cavv), directoryServerTransactionId }
}

/** The card of a valid credit-card charge. */
function cardSourceOf({ 'payment-info': info }: Charge): CardSource {
  const raw = info?.['credit-card']
  if (raw !== undefined) {
    const [year = '', month = ''] = raw['expiration-date'].split('-')
    return { kind: 'raw', card: new Secret({ number: raw.number, cvv: raw.cvv, month, year }) }
  }
  if (info?.code !== undefined) {
    const { code, 'security-code-token': securityCodeToken } = info
    return { kind: 'code', code, ...(securityCodeToken !== undefined && { securityCodeToken }) }
  }
  if (info?.token !== undefined) return { kind: 'token', token: info.token }
  throw new Error('a valid credit-card charge names a card')
}
