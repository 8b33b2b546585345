export { CIELO } from './cielo-provider.js'
