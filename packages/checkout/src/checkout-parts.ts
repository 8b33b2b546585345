import type { Site } from '@cofre/pages'
import type { CheckoutOptions } from './checkout-options.js'
import type { CheckoutGateway } from './model/checkout-gateway.js'
import type { RenderPage } from './page/layout.js'

/** What the routes are put together from. */
export interface CheckoutParts {
  readonly gateway: CheckoutGateway
  readonly options: CheckoutOptions
  readonly site: Site
  readonly render: RenderPage
}
