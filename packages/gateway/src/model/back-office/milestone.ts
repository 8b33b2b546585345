/** Milestones that a store's transactions, refunds and notifications can reach. */
export type Milestone =
  | 'card-paid'
  | 'card-declined'
  | 'boleto-created'
  | 'boleto-paid'
  | 'pix-created'
  | 'pix-paid'
  | 'wallet-paid'
  | 'refund-processed'
  | 'refund-rejected'
  | 'notification-acknowledged'
  | 'search-after-notification'

/** When each milestone was first reached, in epoch milliseconds; null: not yet. */
export type Milestones = Readonly<Record<Milestone, number | null>>
