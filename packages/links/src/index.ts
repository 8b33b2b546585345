export { type LinksOptions, type LinksRoom, createLinks } from './create-links.js'
export type { PaymentLinks } from './model/payment-links.js'
export { ALL_LINKS, type CardPause, type NotifiedPause } from './model/card-pause.js'
export type { NotifyOfPause } from './model/link-rules.js'
export {
  CARD_TRIES_MAX,
  type FoundTry,
  type LinkTry,
  type TryState,
  tryStateOf,
  waitsForPayer,
} from './model/link-try.js'
export {
  type FoundLink,
  LINK_STATES,
  type LinkMethod,
  type LinkState,
  type ListedLink,
  type PaymentLink,
  linkPath,
} from './model/payment-link.js'
export type * from './model/payment-page.js'
export type { PaymentPageOptions } from './page/page-options.js'
export { createPaymentPageRoutes } from './page/payment-page-routes.js'
export { eraseLinkMetadata, eraseMetadataNaming } from './sql/link-payer-sql.js'
export { pausedCardsLetters } from './paused-cards-letter.js'
