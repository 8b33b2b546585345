import type { GatewayOptions } from '@cofre/gateway'

/** Cofre charges cards by credit alone. Acquirers are loaded with the first charge at one. */
export const acquirerRefundDays: NonNullable<GatewayOptions['refundDays']> = async ({
  provider: name,
  ...sale
}) => {
  const { ACQUIRER_PROVIDERS } = await import('@cofre/acquirers')
  const provider = ACQUIRER_PROVIDERS.find((one) => one.name === name)
  return provider?.refundDays?.({ method: 'credit', ...sale })
}
