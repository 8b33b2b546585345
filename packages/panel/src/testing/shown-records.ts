// Payments, notifications and requests for tests of the console.
import { DAY_MS, minorUnits } from '@cofre/contracts'
import type { NotificationDetails, Transaction } from '@cofre/gateway/room'
import type { RecordedRequest } from '@cofre/sandbox'
import { CODE, INBOX_PATH, NOW_MS, STORE_ID } from './sandbox.js'

/** A PIX that waits for its payer, with overrides. */
export function pixPayment({
  code = CODE,
  ...overrides
}: Partial<Omit<Transaction, 'code'>> & { readonly code?: number } = {}): Transaction {
  const amountMinor = minorUnits(123_456)
  return {
    code: code as Transaction['code'],
    merchantId: STORE_ID,
    reference: 'order-1',
    status: 'PENDING',
    firstStatus: 'PENDING',
    open: false,
    paymentType: 'eft',
    subType: 'pix',
    amountMinor,
    chargedMinor: amountMinor,
    installments: 1,
    payerEmail: 'maria@example.com',
    payerDocument: '52998224725',
    description: 'Coffee',
    notificationUrl: `http://127.0.0.1:8083${INBOX_PATH}`,
    savedCard: undefined,
    cardBin: undefined,
    cardLastFour: undefined,
    publicId: 'abcdefghijklmnop',
    paymentDetails: { kind: 'pix', code: '00020126580014br.gov.bcb.pix0136a-pix-code6304ABCD' },
    requestJson: '{}',
    orderFingerprint: undefined,
    createdAtMs: NOW_MS,
    paidAtMs: undefined,
    expiresAtMs: NOW_MS + DAY_MS,
    nextAskAtMs: undefined,
    activateAtMs: undefined,
    statusChangedAtMs: NOW_MS,
    ...overrides,
  }
}

/** A notification that was refused once and waits for its next attempt, with overrides. */
export function refusedNotification(
  overrides: Partial<NotificationDetails> = {},
): NotificationDetails {
  return {
    notification: {
      transactionCode: CODE,
      position: 1,
      merchantId: STORE_ID,
      refundId: undefined,
      refundNature: undefined,
      status: 'COMPLETE',
      url: `http://127.0.0.1:8083${INBOX_PATH}`,
      createdAtMs: NOW_MS,
      attempts: 2,
    },
    state: 'waiting',
    nextAttemptAtMs: NOW_MS + 600_000,
    attempts: [
      {
        atMs: NOW_MS,
        statusCode: 500,
        error: undefined,
        durationMs: 1234,
        responseExcerpt: 'the shop broke',
      },
      {
        atMs: NOW_MS + 600_000,
        statusCode: undefined,
        error: 'connection-refused',
        durationMs: 3,
        responseExcerpt: '',
      },
    ],
    ...overrides,
  }
}

/** As long as the sandbox's own request ids. */
export const REQUEST_ID = 1_795_248_701_220_000

/** A request that was refused for a field, with overrides. */
export function refusedRequest(overrides: Partial<RecordedRequest> = {}): RecordedRequest {
  return {
    id: REQUEST_ID,
    atMs: NOW_MS,
    method: 'POST',
    target: '/transactions',
    statusCode: 400,
    durationMs: 12,
    transactionCode: undefined,
    requestBody: '{"payer":{"document":{"number":"1"}}}',
    responseBody:
      '{"errors":[{"code":210318,"description":"payer_document_number_invalid","property":"payer.document.number","constraint":"invalid"}]}',
    requestHeaders: { accept: 'application/vnd.cofre.v2+json; charset=UTF-8' },
    responseHeaders: { 'retry-after': '5' },
    errorCodes: [210_318],
    ...overrides,
  }
}
