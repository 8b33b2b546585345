import type { SearchElement } from '@cofre/merchant'
import { type Centavos, parseReais } from '../centavos.js'

const REFUND_STATUSES = ['PROCESSING', 'PROCESSED', 'REJECTED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** Money that goes back to the payer, or was to. */
export interface OrderRefund {
  readonly id: string
  readonly status: RefundStatus
  readonly amountCentavos: Centavos
  /** The shop's own words for it. */
  readonly reference: string | undefined
  readonly requestedAtMs: number
}

export function parseRefundStatus(text: string): RefundStatus | undefined {
  return REFUND_STATUSES.find((status) => status === text)
}

/** What a search result tells about refunds; one of an unknown kind is left out. */
export function refundsOf({ refunds }: SearchElement): readonly OrderRefund[] {
  return refunds.flatMap((element) => {
    const amountCentavos = parseReais(element['refund-amount'])
    if (amountCentavos === undefined) return []
    return [
      {
        id: element['refund-id'],
        status: element['refund-status'],
        amountCentavos,
        reference: element['refund-reference'] ?? undefined,
        requestedAtMs: Date.parse(element['refund-date']),
      },
    ]
  })
}

/** Both lists as one, oldest first. What has finished stays finished, in whatever order the answers come. */
export function mergeRefunds(
  known: readonly OrderRefund[],
  told: readonly OrderRefund[],
): readonly OrderRefund[] {
  const merged = new Map(known.map((refund) => [refund.id, refund]))
  for (const refund of told) {
    const before = merged.get(refund.id)
    if (before === undefined || before.status === 'PROCESSING') merged.set(refund.id, refund)
  }
  return [...merged.values()].toSorted((one, other) => one.requestedAtMs - other.requestedAtMs)
}

/** The sum of the refunds in one of the statuses. */
export function sumOfRefunds(
  refunds: readonly OrderRefund[],
  ...statuses: readonly RefundStatus[]
): Centavos {
  return refunds
    .filter(({ status }) => statuses.includes(status))
    .reduce((sum, { amountCentavos }) => sum + amountCentavos, 0)
}
