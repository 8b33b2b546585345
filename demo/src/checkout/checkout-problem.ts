/** Why an order could not be placed, where no field of the form is to blame. Nothing was charged. */
export type CheckoutProblem =
  | 'card_missing'
  | 'card_not_accepted'
  | 'saved_card_unusable'
  | 'method_unavailable'
  | 'amount_not_accepted'
  | 'limit_exceeded'
  | 'payer_refused'
  | 'installments_unavailable'
  | 'try_later'
