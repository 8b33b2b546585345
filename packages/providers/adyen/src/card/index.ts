export { adyenAccount } from './adyen-account.js'
export { ADYEN } from './adyen-provider.js'
