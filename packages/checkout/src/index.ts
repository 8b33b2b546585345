export type { CheckoutOptions } from './checkout-options.js'
export type { CheckoutGateway } from './model/checkout-gateway.js'
export { createCheckoutRoutes } from './create-checkout-routes.js'
