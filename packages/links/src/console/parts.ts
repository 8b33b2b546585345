import type { Environment } from '@cofre/contracts'
import type { PanelParts, Visit } from '@cofre/panel/page'
import type { PaymentLinks } from '../model/payment-links.js'

/** Links of the environments that the console has. */
export type ShownLinks = Readonly<Partial<Record<Environment, PaymentLinks>>>

export interface LinkParts extends PanelParts {
  readonly links: ShownLinks
}

/** @throws Error when the environment has none: then it has no page of them either */
export function linksAt({ links }: LinkParts, { environment }: Visit): PaymentLinks {
  const found = links[environment]
  if (found === undefined) throw new Error(`${environment} has no payment links`)
  return found
}
