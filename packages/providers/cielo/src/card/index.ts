export { cieloAccount } from './cielo-account.js'
export { CIELO } from './cielo-provider.js'
