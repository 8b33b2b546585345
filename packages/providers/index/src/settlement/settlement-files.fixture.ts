// Small files of each format. Adyen's columns and kinds of line follow the sample in
// docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report;
// Cielo's lines have the layout of real files, with fictitious stores and payments.

const ADYEN_HEADER =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,' +
  'Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),' +
  'Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),' +
  'Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,' +
  'Modification Merchant Reference,Batch Number,Reserved4'
const PAID =
  'Loja,LojaBR,QFQTPCQ8HXSKGK82,abcdp1001,visa,2026-10-01 11:26:49,BRT,Settled,' +
  'KHQC5N7G84BLNK43,BRL,,129.90,1,BRL,,126.40,,0.50,1.00,2.00,visaclassic,,7,'
const REFUNDED =
  'Loja,LojaBR,QFQTPCQ8HXSKGK82,abcdp1001,visa,2026-10-02 09:00:00,BRT,Refunded,' +
  'ZZQC5N7G84BLNK99,BRL,29.90,,1,BRL,30.00,,0.10,,,,visaclassic,abcdr77,7,'
const CHARGED_BACK =
  'Loja,LojaBR,TTQTPCQ8HXSKGK11,"pedido, nº 9",mc,2026-10-02 10:00:00,BRT,Chargeback,' +
  'YYQC5N7G84BLNK99,BRL,10.00,,1,BRL,12.50,,2.50,,,,mcstandard,,7,'
const FEE =
  'Loja,LojaBR,,,,2026-10-02 23:00:00,BRT,Fee,Transaction Fees October 2026,BRL,,,,BRL,3.20,,,,,,,,7,'
const DEPOSIT =
  'Loja,LojaBR,,,,2026-10-02 23:00:00,BRT,DepositCorrection,,BRL,,,,BRL,,0.30,,,,,,,7,'
const PAYOUT =
  'Loja,LojaBR,,,,2026-10-03 01:00:00,BRT,MerchantPayout,"TX1, batch 7",BRL,,,,BRL,81.00,,,,,,,,7,'
export const ADYEN_LINES: readonly string[] = [
  ADYEN_HEADER,
  PAID,
  REFUNDED,
  CHARGED_BACK,
  FEE,
  DEPOSIT,
  PAYOUT,
]

export const COFRE_LINES: readonly string[] = [
  'date;kind;gross;fee;net;transaction_code;reference;acquirer_id;nsu;authorization_code;brand;installment;installments;note',
  '2026-10-01;venda;1.299,90;;1250,00;;abcdp123;AB12;000123;X9Y8Z7;Visa;1;3;José',
  '02/10/2026;estorno;-129.90;0;-129.90;124;pedido-9;;;;;;;"duas\nlinhas"',
  "2026-10-02;tarifa;0;9,90;;;;;;;;;;'=1+1",
]

const unitKey = (day: string): string =>
  `11222333000181${day}0300100072000021099999999112223330001810000000000000000000`.padEnd(100)

/** A line D, then its line E. */
function cieloUnit(of: {
  readonly type: string
  readonly gross: string
  readonly fee: string
  readonly net: string
  readonly nsu: string
  readonly parts: string
  readonly order: string
}): [string, string] {
  const { type, gross, fee, net, nsu, parts, order } = of
  const key = unitKey('2026-10-05')
  const unit =
    'D1099999999112223330001811122233300018111222333000181' +
    `001002109999999903${gross}${fee}${net}` +
    `0341012340000000000000000123410000 1`.replace(' ', '0') +
    `${type}${key}${type}00000000000000051020260210202605102026` +
    '1099999999NNN00000000000000'
  const entry =
    `E1099999999001002${parts}A1B2C3${type}${key}2607030210080058389       040NNN3NNN` +
    `4111111111${nsu}000000000010999999991ABCDEFGHI${order.padStart(20)}002480000000248` +
    `${gross}${gross}${net}${fee}${'+0000000000000'.repeat(12)}2116440111222333000181001` +
    '618470748481898618470748481898               0071170183002002000000036' +
    '01102026021020260110202601102026026070' +
    `3${' '.repeat(25)}051020261099999999` +
    '00NNN0341012340000000000000000123412448768618543600066507' +
    '6N1000000000000000'
  return [unit.padEnd(400), entry.padEnd(760)]
}

const CIELO_HEADER = '0109999999920261005202610052026100500012 65CIELO04I                    01503N'
export const CIELO_LINES: readonly string[] = [
  CIELO_HEADER.replace(' ', '').padEnd(250),
  ...cieloUnit({
    type: '03',
    gross: '+0000000013211',
    fee: '-0000000000328',
    net: '+0000000012883',
    nsu: '046002',
    parts: '0103',
    order: 'abcdp1001',
  }),
  ...cieloUnit({
    type: '08',
    gross: '-0000000001508',
    fee: '+0000000000037',
    net: '-0000000001471',
    nsu: '351012',
    parts: '0000',
    order: 'pedido-9',
  }),
  ...cieloUnit({
    type: '10',
    gross: '-0000000004990',
    fee: '+0000000000000',
    net: '-0000000004990',
    nsu: '000000',
    parts: '0000',
    order: '',
  }),
  '900000000006+0000000000000642200000000003+00000000000006713+00000000000000000+00000000000000000'.padEnd(
    250,
  ),
]
