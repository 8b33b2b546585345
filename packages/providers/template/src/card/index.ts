export { TEMPLATE } from './template-provider.js'
