export * from './acquirer-providers.js'
export * from './model/acquirer-provider.js'
export { settlementReader } from './settlement/settlement-reader.js'
