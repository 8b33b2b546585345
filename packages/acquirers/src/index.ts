export * from './acquirer-providers.js'
export * from './model/acquirer-provider.js'
export * from './model/payment-reference.js'
