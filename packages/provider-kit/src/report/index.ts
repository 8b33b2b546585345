export { type CsvRecord, type CsvTable, csvRecords } from './csv-records.js'
export { BYTES_PER_TURN, isEmptyLine, linesOf, textOf } from './file-text.js'
export {
  amountOf,
  boundedAmount,
  dayOf,
  decimalOf,
  machineDayOf,
  nameOf,
  partOf,
} from './values.js'
