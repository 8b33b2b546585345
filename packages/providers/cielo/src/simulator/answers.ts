// Cielo's answers, with its own names.
import { maskedNumber } from '@cofre/provider-kit/simulator'
import { STATUS, type Sale, type Status, brazilTime, statusOf, voidedOf } from './book.js'
import type { CieloConditions } from './conditions.js'
import type { VoidAnswer } from './voids.js'

/** The API's two base addresses, for the links in answers. */
export interface Bases {
  readonly write: string
  readonly query: string
}

/** The answer to a new sale. */
export function renderSale(sale: Sale, bases: Bases) {
  const { decision, cancelsUnfinished, customerName } = sale
  const isOpen = decision.end === 'unfinished'
  return {
    MerchantOrderId: sale.merchantOrderId,
    Customer: { ...(customerName !== undefined && { Name: customerName }) },
    Payment: {
      ...renderPayment(sale),
      ...(isOpen && cancelsUnfinished && { TryAutomaticCancellation: true }),
      Links: linksOf(sale, bases),
    },
  }
}

/** A sale as a query finds it, with its later changes. */
export function renderFoundSale(sale: Sale, bases: Bases) {
  const { Payment, ...rest } = renderSale(sale, bases)
  const { captured, voids, chargebacks, fraudAlertMs } = sale
  const lastVoid = voids.findLast(({ state }) => state === 'done')
  return {
    ...rest,
    Payment: {
      ...Payment,
      ...(captured && { CapturedDate: brazilTime(captured.capturedMs) }),
      ...(lastVoid && {
        VoidedAmount: voidedOf(sale),
        VoidedDate: brazilTime(lastVoid.voidedMs),
      }),
      ...(chargebacks.length > 0 && {
        Chargebacks: chargebacks.map((chargeback) => ({
          Amount: chargeback.amountMinor,
          CaseNumber: chargeback.caseNumber,
          Date: brazilTime(chargeback.openedMs).slice(0, 10),
          ReasonCode: '104',
          ReasonMessage: 'Outras Fraudes - Cartao Ausente',
          Status: chargeback.state,
        })),
      }),
      ...(fraudAlertMs !== undefined && {
        FraudAlert: {
          Date: brazilTime(fraudAlertMs).slice(0, 10),
          ReasonMessage: 'Uso Ind Numeração',
          IncomingChargeback: false,
        },
      }),
    },
  }
}

function renderPayment(sale: Sale) {
  const { card, decision, captured, cardOnFile } = sale
  const isAuthorized = decision.end === 'authorized'
  return {
    ServiceTaxAmount: 0,
    Installments: sale.installments,
    Interest: 0,
    Capture: sale.asksCapture,
    Authenticate: false,
    Recurrent: false,
    [sale.type]: {
      CardNumber: maskedNumber(card),
      Holder: card.holder,
      ExpirationDate: card.expiry,
      SaveCard: false,
      Brand: sale.brand,
      ...(cardOnFile && {
        CardOnFile: {
          Usage: cardOnFile.usage,
          ...(cardOnFile.reason !== undefined && { Reason: cardOnFile.reason }),
        },
      }),
    },
    Tid: sale.tid,
    ProofOfSale: sale.proofOfSale,
    ...(isAuthorized && {
      AuthorizationCode: sale.authorizationCode,
      IssuerTransactionId: sale.issuerTransactionId,
      ...(sale.transactionLinkId !== undefined && {
        TransactionLinkId: sale.transactionLinkId,
      }),
    }),
    ...(sale.eci !== undefined && { Eci: sale.eci }),
    ...(sale.softDescriptor !== undefined && { SoftDescriptor: sale.softDescriptor }),
    ...(decision.merchantAdviceCode !== undefined && {
      MerchantAdviceCode: decision.merchantAdviceCode,
    }),
    Provider: 'Simulado',
    PaymentId: sale.paymentId,
    Type: sale.type,
    Amount: sale.amountMinor,
    ReceivedDate: brazilTime(sale.receivedMs),
    ...(captured && { CapturedAmount: captured.amountMinor }),
    Country: 'BRA',
    Currency: 'BRL',
    ReturnCode: decision.returnCode,
    ReturnMessage: decision.returnMessage,
    Status: statusOf(sale),
  }
}

/** The answer to a capture or a void. */
export function renderChange(sale: Sale, { returnCode, returnMessage }: VoidAnswer, bases: Bases) {
  return {
    Status: statusOf(sale),
    ReasonCode: 0,
    ReasonMessage: 'Successful',
    ProviderReturnCode: returnCode,
    ProviderReturnMessage: returnMessage,
    ReturnCode: returnCode,
    ReturnMessage: returnMessage,
    Tid: sale.tid,
    ProofOfSale: sale.proofOfSale,
    AuthorizationCode: sale.authorizationCode,
    Links: linksOf(sale, bases),
  }
}

/** The answer to a query by the shop's order. `ReceveidDate` has Cielo's own spelling. */
export function renderList(sales: readonly Sale[], listName: CieloConditions['listName']) {
  return {
    ReasonCode: 0,
    ReasonMessage: 'Successful',
    [listName]: sales.map(({ paymentId, receivedMs }) => ({
      PaymentId: paymentId,
      ReceveidDate: brazilTime(receivedMs).replace(' ', 'T'),
    })),
  }
}

const OPEN: readonly Status[] = [STATUS.authorized, STATUS.confirmed]

function linksOf(sale: Sale, { write, query }: Bases) {
  const status = statusOf(sale)
  const path = `/1/sales/${sale.paymentId}`
  const capture = { Method: 'PUT', Rel: 'capture', Href: `${write}${path}/capture` }
  return [
    { Method: 'GET', Rel: 'self', Href: `${query}${path}` },
    ...(status === STATUS.authorized ? [capture] : []),
    ...(OPEN.includes(status)
      ? [{ Method: 'PUT', Rel: 'void', Href: `${write}${path}/void` }]
      : []),
  ]
}
