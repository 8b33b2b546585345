// What rooms have of banks: they compare the money that banks tell of, and say what its files say.
export type { ChargeRecords } from './create-charge-records.js'
export type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money.js'
