// Boletos at banks that receive their instructions by file.
export { type BoletosByFileOptions, boletosByFile } from './boletos-by-file.js'
export type { MatchedLine } from './model/return-answer.js'
export {
  type RemittanceFile,
  type RemittanceOptions,
  type Remittances,
  createRemittances,
} from './remittances.js'
export {
  type GivenFile,
  type ReturnFiles,
  type ReturnFilesOptions,
  type TakenFile,
  type TakenLine,
  createReturnFiles,
} from './return-files.js'
export { eraseInstructedPayers } from './sql/instruction-store-sql.js'
