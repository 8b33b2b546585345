/** A large store has a few thousand lines of 400 bytes a day. */
export const RETURN_FILE_BYTES_MAX: number = 32 * 1024 * 1024
