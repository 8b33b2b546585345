export * from './acquirer-providers.js'
export * from './model/acquirer-provider.js'
export { BRAND_RULES } from './model/brand-rules.js'
