export { ADYEN } from './adyen-provider.js'
