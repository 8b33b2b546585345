import type { Environment } from '@cofre/contracts'
import type { GatewayOptions } from '@cofre/gateway'
import { loadAcquirerTerms } from '@cofre/providers'

type RefundDays = NonNullable<GatewayOptions['refundDays']>

/** How long acquirers refund: undefined in the sandbox, whose time is the specification's. */
export function refundDaysIn(environment: Environment): RefundDays | undefined {
  return environment === 'sandbox' ? undefined : acquirerRefundDays
}

/** Cofre charges cards by credit alone. Acquirers are loaded with the first charge at one. */
const acquirerRefundDays: RefundDays = async ({ provider: name, ...sale }) => {
  const terms = (await loadAcquirerTerms()).find((one) => one.name === name)
  return terms?.refundDays?.({ method: 'credit', ...sale })
}
