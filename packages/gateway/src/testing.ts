// Rules of the core that a fake of the console's gateway follows, too; only for tests.
export { differences } from './ledger/merchant/store-change-sql.js'
export { withInterest } from './model/card/store-interest.js'
