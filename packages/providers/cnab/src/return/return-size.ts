/** A day of a large store has some thousand lines of 400. */
export const RETURN_FILE_BYTES_MAX: number = 32 * 1024 * 1024
