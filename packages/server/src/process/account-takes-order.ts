import type { AccountTakesOrder } from '@cofre/vault'

/** By what its acquirer and its contract say. Acquirers are loaded with the first such order. */
export const accountTakesOrder: AccountTakesOrder = async (account, { brand, installments }) => {
  if (installments === 1) return true
  const { ACQUIRER_PROVIDERS } = await import('@cofre/acquirers')
  const provider = ACQUIRER_PROVIDERS.find(({ name }) => name === account.provider)
  const settings = JSON.parse(account.settings) as Readonly<Record<string, unknown>>
  return provider === undefined || installments <= provider.installmentsMax(brand, settings)
}
