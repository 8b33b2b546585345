/** Fields of a transaction that share its code: values that are accepted, and others. */
export const OPTIONAL_ROWS = [
  {
    path: 'transaction.gifting',
    name: 'transaction_invalid',
    accepts: [true, false],
    refuses: ['true', 1, {}],
    optional: true,
  },
  {
    path: 'transaction.metadata',
    name: 'transaction_invalid',
    accepts: [{ channel: 'app' }, {}],
    refuses: ['channel=app', 1, [], [{}], { channel: 1 }, { 'sales channel': 'app' }],
    optional: true,
  },
] as const
