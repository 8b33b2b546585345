import type { Site } from '@cofre/pages'
import type { PaymentPageOptions } from './page-options.js'
import type { PaymentPage } from '../model/payment-page.js'
import type { RenderPage } from './frame/layout.js'

/** The dependencies of the routes. */
export interface PaymentPageParts {
  readonly gateway: PaymentPage
  readonly options: PaymentPageOptions
  readonly site: Site
  readonly render: RenderPage
}
