// Commands' work on a gateway's database, beside its processes or while they are stopped.
export { type OpenedStores, openStores } from './open-stores.js'
export { archiveTransactions } from './ledger/archive/archive-store-sql.js'
export { createPayerData } from './create-payer-data.js'
export { waitingFields } from './ledger/merchant/field-announcement-sql.js'
export {
  type LostSecrets,
  findLostSecrets,
  withdrawLostSecrets,
} from './ledger/merchant/lost-secret-sql.js'
export type { MerchantStore } from './ledger/merchant/merchant-store-sql.js'
export { isWrappedSecret } from './ledger/merchant/secret-wrapping.js'
export type { PayerOrder } from './ledger/transaction/payer-data-sql.js'
export { deleteExamples } from './ledger/transaction/transaction-deletion-sql.js'
export {
  type InterestChange,
  type InterestRefusal,
  type WantedInterest,
  overruledChanges,
} from './model/card/store-interest.js'
export { ARCHIVED_AFTER_DAYS, ARCHIVED_AFTER_MS } from './model/transaction/archive-age.js'
