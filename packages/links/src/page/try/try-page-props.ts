import type { ShownLink, ShownTry } from '../../model/payment-page.js'

/** The props of every part of a try's page. */
export interface TryPageProps {
  readonly link: ShownLink
  readonly shown: ShownTry
  /** The environment's time. */
  readonly nowMs: number
}
