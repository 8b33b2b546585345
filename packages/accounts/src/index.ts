export * from './account.js'
export * from './account-provider.js'
export * from './account-store-sql.js'
export type * from './account-tables.js'
