/** The result of a 3-D Secure server, in the form of a request. */
const THREE_D_SECURE = {
  version: '2.2.0',
  eci: '05',
  cavv: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
  'ds-transaction-id': '8a9b4c2e-1f30-4d5a-9c77-0d1e2f3a4b5c',
} as const

/** The payment info of an authenticated card. */
export const THREE_D_SECURE_INFO = {
  installments: 1,
  token: 'eyJ.a.b.c.d',
  'three-d-secure': THREE_D_SECURE,
} as const

type Row = readonly [
  field: keyof typeof THREE_D_SECURE,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
]

/** Accepted and refused values of each of its fields. */
export const THREE_D_SECURE_FIELDS: readonly Row[] = [
  ['version', ['2.1.0', '2.3.1', '2.2'], ['1.0.2', '2', '3.0.0', '2.2.0.0', '2.22.0', 2.2]],
  ['eci', ['00', '02', '05', '07'], ['5', '08', '005', 'AB', 5]],
  [
    'cavv',
    ['jI3JBkkaQ1p8CBAAABy0CHUAAAA=', `${'a'.repeat(27)}=`],
    [
      'a'.repeat(28),
      `${'a'.repeat(26)}==`,
      `${'a'.repeat(26)}-=`,
      `${'a'.repeat(31)}=`,
      ' ',
      5,
      {},
    ],
  ],
  [
    'ds-transaction-id',
    ['F38E6948-5388-41A6-BCA4-B49723C19437'],
    ['f38e6948', 'f38e6948538841a6bca4b49723c19437', 'a'.repeat(36), 5],
  ],
]
