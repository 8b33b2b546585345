export { RETURN_FORMAT } from './return-format.js'
export { RETURN_FILE_BYTES_MAX } from './return-size.js'

/** Loaded with the first file. */
export const loadReturnReader = async () => (await import('./return-reader.js')).readReturnFile
