/**
 * The parts of payment links that the core's statements read: open tries, the links of declined
 * cards, and the times of changes. The links' room has the whole tables.
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
