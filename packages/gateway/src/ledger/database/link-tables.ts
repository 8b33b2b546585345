/**
 * What statements of the core read of payment links: whether a try is open, by which link a card
 * was declined, and when links changed. Their room has the whole tables.
 */
export interface LinkTables {
  payment_links: {
    id: string
    merchant_id: string
    created_at: number
    revoked_at: number | null
  }
  payment_link_tries: {
    id: string
    link_id: string
    transaction_code: number | null
    open: number
  }
}
