// Requests are strict; unknown fields of answers are ignored.
import { type MinorUnits, paymentReference } from '@cofre/contracts'
import type { AcquirerPayment, AuthorizeRequest } from '@cofre/provider-kit/card'
import { z } from 'zod'

const amount = z.int().transform((value) => value as MinorUnits)
const refundSchema = z.looseObject({ reference: z.string(), amountMinor: amount })
export const chargeSchema = z.looseObject({
  id: z.string().min(1),
  reference: z.string(),
  status: z.enum(['approved', 'declined']),
  amountMinor: amount,
  /** Set for a declined charge. */
  code: z.string().optional(),
  authorizationCode: z.string().optional(),
  refunds: z.array(refundSchema),
})
export type TemplateCharge = z.output<typeof chargeSchema>
export const errorSchema = z.looseObject({ error: z.string() })

export function chargeBody(request: AuthorizeRequest) {
  const { number, cvv, month, year } = request.card.reveal()
  const { name, document } = request.payer
  return {
    reference: paymentReference(request.key),
    amountMinor: request.amountMinor,
    installments: request.installments,
    card: { number, month, year, cvv, holder: name },
    document,
  }
}

export function templatePayment({ id, authorizationCode }: TemplateCharge): AcquirerPayment {
  return {
    paymentId: id,
    nsu: id,
    authorizationCode,
    eci: undefined,
    networkTransactionId: undefined,
  }
}
