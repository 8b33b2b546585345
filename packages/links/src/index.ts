export type { PaymentPageOptions } from './page/page-options.js'
export { createPaymentPageRoutes } from './page/payment-page-routes.js'
