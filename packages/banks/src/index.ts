export { BANK_PROVIDERS } from './bank-providers.js'
export { readReturnFile } from './cnab/return-reader.js'
export { RETURN_FILE_BYTES_MAX } from './cnab/return-records.js'
export * from './model/bank-provider.js'
