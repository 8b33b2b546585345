export { cnab } from './cnab-provider.js'
