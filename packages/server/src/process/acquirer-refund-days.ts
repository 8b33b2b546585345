import type { Environment } from '@cofre/contracts'
import type { GatewayOptions } from '@cofre/gateway'

type RefundDays = NonNullable<GatewayOptions['refundDays']>

/** How long acquirers refund: undefined in the sandbox, whose time is the specification's. */
export function refundDaysIn(environment: Environment): RefundDays | undefined {
  return environment === 'sandbox' ? undefined : acquirerRefundDays
}

/** Cofre charges cards by credit alone. Acquirers are loaded with the first charge at one. */
const acquirerRefundDays: RefundDays = async ({ provider: name, ...sale }) => {
  const { ACQUIRER_PROVIDERS } = await import('@cofre/acquirers')
  const provider = ACQUIRER_PROVIDERS.find((one) => one.name === name)
  return provider?.refundDays?.({ method: 'credit', ...sale })
}
