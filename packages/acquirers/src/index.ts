export * from './acquirer-providers.js'
export * from './model/acquirer-provider.js'
