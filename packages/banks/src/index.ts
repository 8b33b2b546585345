export { BANK_PROVIDERS } from './bank-providers.js'
export * from './model/bank-provider.js'
