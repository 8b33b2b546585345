// Rules of the back office that a fake of it follows, too: only for tests.
export { differences } from './ledger/merchant/store-change-sql.js'
export { withInterest } from './model/card/store-interest.js'
export { withOrigin, withoutOrigin } from './model/merchant/field-origins.js'
export { limitsOf, shopChange } from './model/merchant/shop-settings.js'
