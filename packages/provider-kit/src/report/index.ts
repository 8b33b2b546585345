export { type CsvRecord, type CsvTable, csvRecords } from './csv-records.js'
export { BYTES_PER_TURN, isEmptyLine, linesOf, decodeText } from './file-text.js'
export {
  amountOf,
  boundedAmount,
  readDay,
  decimalOf,
  machineDayOf,
  nameOf,
  partOf,
} from './values.js'
