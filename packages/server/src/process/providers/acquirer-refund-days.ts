import type { Environment } from '@cofre/contracts'
import type { GatewayOptions } from '@cofre/gateway'
import { loadAcquirerTerms } from '@cofre/providers'

type RefundDays = NonNullable<GatewayOptions['refundDays']>

/** Acquirers' refund periods; undefined in the sandbox, which has the specification's. */
export function refundDaysIn(environment: Environment): RefundDays | undefined {
  return environment === 'sandbox' ? undefined : acquirerRefundDays
}

/** Cofre charges cards only as credit. Acquirers are loaded with the first charge at one. */
const acquirerRefundDays: RefundDays = async ({ provider: name, ...sale }) => {
  const terms = (await loadAcquirerTerms()).find((one) => one.name === name)
  return terms?.refundDays?.({ method: 'credit', ...sale })
}
