import type { ShownLink, ShownTry } from '../../model/payment-page.js'

/** What every part of a try's page is made from. */
export interface TryPageProps {
  readonly link: ShownLink
  readonly shown: ShownTry
  /** The environment's time. */
  readonly nowMs: number
}
