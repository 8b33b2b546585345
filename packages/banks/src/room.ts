// The banks' interface for rooms: they compare banks' reports of money, and record reports from
// banks' files.
export type { ChargeRecords } from './create-charge-records.js'
export type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money.js'
