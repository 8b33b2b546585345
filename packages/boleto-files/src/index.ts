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
  type ReturnFileUpload,
  type ReturnFiles,
  type ReturnFilesOptions,
  type ReturnFileImport,
  type ImportedLine,
  createReturnFiles,
} from './return-files.js'
export { eraseInstructedPayers } from './sql/instruction-store-sql.js'
