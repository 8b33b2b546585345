export { inter } from './inter-provider.js'
