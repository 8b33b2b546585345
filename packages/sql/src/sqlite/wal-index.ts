import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { walChecksum } from './write-ahead-log.js'

// The format is SQLite's, in the machine's byte order: https://www.sqlite.org/walformat.html

const HEADER_BYTES = 48
const VERSION = 3_007_000
const INITIALIZED_AT = 12
const LAST_FRAME_AT = 16
const SALTS_AT = 32
const CHECKSUM_AT = 40
/** After two copies of the header. */
const COPIED_FRAMES_AT = 2 * HEADER_BYTES
const INDEX_BYTES_MIN = COPIED_FRAMES_AT + 4

/** The last record of a write-ahead log by the processes that had the database open. */
export interface WalIndex {
  readonly salts: Buffer
  /** The last frame of a commit. */
  readonly committed: number
  /** Frames whose pages are in the database too. */
  readonly copied: number
}

/**
 * Reads a `-shm` file.
 * @returns undefined if there is none, or if it isn't complete.
 * @throws the system's error
 */
export function readWalIndex(file: string): WalIndex | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (bytes.length < INDEX_BYTES_MIN) return undefined
  const header = bytes.subarray(0, HEADER_BYTES)
  const isWhole =
    wordIn(bytes, 0) === VERSION &&
    bytes[INITIALIZED_AT] === 1 &&
    header.equals(bytes.subarray(HEADER_BYTES, COPIED_FRAMES_AT)) &&
    hasItsChecksum(header)
  if (!isWhole) return undefined
  return {
    salts: Buffer.from(header.subarray(SALTS_AT, CHECKSUM_AT)),
    committed: wordIn(header, LAST_FRAME_AT),
    copied: wordIn(bytes, COPIED_FRAMES_AT),
  }
}

function hasItsChecksum(header: Buffer): boolean {
  const checked = header.subarray(0, CHECKSUM_AT)
  const [a, b] = walChecksum([0, 0], checked, endianness() === 'BE')
  return a === wordIn(header, CHECKSUM_AT) && b === wordIn(header, CHECKSUM_AT + 4)
}

function wordIn(bytes: Buffer, at: number): number {
  return endianness() === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
}
