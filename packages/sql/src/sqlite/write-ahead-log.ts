import { closeSync, openSync, readSync } from 'node:fs'

// The format is SQLite's: https://www.sqlite.org/walformat.html

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** One more means that checksums read words in the other byte order. */
const MAGIC = 0x377f0682
const PAGE_SIZE_AT = 8
const SALTS_AT = 16
const HEADER_CHECKSUM_AT = 24
const FRAME_SALTS_AT = 8
const FRAME_CHECKSUM_AT = 16
const COMMIT_SIZE_AT = 4
/** The bytes of a header, and of a frame's header, that the checksum covers. */
const HEADER_CHECKED_BYTES = 24
const FRAME_CHECKED_BYTES = 8

export interface WriteAheadLog {
  /** The salts in its first bytes, which identify this writing of the log. */
  readonly salts: Buffer
  readonly pageSize: number
  /**
   * Frames up to the last commit that SQLite reads after a crash: it stops at the first wrong
   * checksum.
   */
  readonly committed: number
  /**
   * The first frame (0: the header) that is not as it was written, if later ones prove that it was
   * on disk once.
   */
  readonly brokenAt: number | undefined
}

/**
 * Reads a write-ahead log.
 * @returns undefined if there is none, or an empty one.
 * @throws the system's error
 */
export function readWriteAheadLog(file: string): WriteAheadLog | undefined {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    for (;;) {
      const header = headerOf(handle)
      if (header === undefined) return undefined
      const log = walkThrough(header, handle)
      // A process that uses the log may have restarted it meanwhile.
      if (headerOf(handle)?.equals(header) === true) return log
    }
  } finally {
    closeSync(handle)
  }
}

function headerOf(handle: number): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  return readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES ? undefined : header
}

function walkThrough(header: Buffer, handle: number): WriteAheadLog {
  const walk = new FrameWalk(header)
  const { pageSize } = walk
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageSize)
  let at = HEADER_BYTES
  while (
    walk.brokenAt === undefined &&
    readSync(handle, frame, 0, frame.length, at) === frame.length
  ) {
    walk.next(frame)
    at += frame.length
  }
  const { committed, brokenAt } = walk
  return { salts: header.subarray(SALTS_AT, HEADER_CHECKSUM_AT), pageSize, committed, brokenAt }
}

type Checksum = readonly [number, number]

/**
 * Walks through frames, each of which carries the checksum of itself and all before it. So a frame
 * that follows from the stored checksum of the one before was written after it. SQLite begins a
 * unit of work only once the one before it is on disk.
 */
class FrameWalk {
  readonly pageSize: number
  committed = 0
  brokenAt: number | undefined
  readonly #isBigEndian: boolean
  readonly #salts: Buffer
  #stored: Checksum
  #at = 0
  /** The first frame that SQLite does not read. */
  #endedAt: number | undefined
  /** True if the frame before was a commit that SQLite does not read. */
  #isAfterLostCommit = false

  constructor(header: Buffer) {
    const size = header.readUInt32BE(PAGE_SIZE_AT)
    const magic = header.readUInt32BE(0)
    this.#isBigEndian = magic === MAGIC + 1
    this.#salts = Buffer.from(header.subarray(SALTS_AT, HEADER_CHECKSUM_AT))
    this.#stored = checksumIn(header, HEADER_CHECKSUM_AT)
    const isWhole =
      (magic === MAGIC || this.#isBigEndian) &&
      isPageSize(size) &&
      isSame(this.#stored, this.#sum([0, 0], header, HEADER_CHECKED_BYTES))
    this.pageSize = isWhole ? size : DEFAULT_PAGE_BYTES
    if (!isWhole) this.#endAt(0)
  }

  next(frame: Buffer): void {
    this.#at += 1
    const follows = this.#follows(frame)
    if (!follows) this.#endAt(this.#at)
    const isCommit = frame.readUInt32BE(COMMIT_SIZE_AT) !== 0
    if (this.#endedAt === undefined) {
      if (isCommit) this.committed = this.#at
    } else {
      if (follows && this.#isAfterLostCommit) this.brokenAt = this.#endedAt
      this.#isAfterLostCommit = isCommit && this.#hasSalts(frame)
    }
    this.#stored = checksumIn(frame, FRAME_CHECKSUM_AT)
  }

  #endAt(frame: number): void {
    if (this.#endedAt !== undefined) return
    this.#endedAt = frame
    // A header is on disk before any frame.
    this.#isAfterLostCommit = frame === 0
  }

  #follows(frame: Buffer): boolean {
    if (!this.#hasSalts(frame)) return false
    const head = this.#sum(this.#stored, frame, FRAME_CHECKED_BYTES)
    const whole = this.#sum(head, frame.subarray(FRAME_HEADER_BYTES), this.pageSize)
    return isSame(whole, checksumIn(frame, FRAME_CHECKSUM_AT))
  }

  /**
   * False for frames of an earlier writing, which the log keeps behind the present one. After a
   * broken header, the salts prove nothing.
   */
  #hasSalts(frame: Buffer): boolean {
    const salts = frame.subarray(FRAME_SALTS_AT, FRAME_CHECKSUM_AT)
    return this.#endedAt === 0 || salts.equals(this.#salts)
  }

  #sum(seed: Checksum, bytes: Buffer, length: number): Checksum {
    return walChecksum(seed, bytes.subarray(0, length), this.#isBigEndian)
  }
}

/** SQLite's checksum of pairs of words. */
export function walChecksum(seed: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  const word = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  let [a, b] = seed
  for (let i = 0; i < bytes.length; i += 8) {
    a = (a + word(i) + b) >>> 0
    b = (b + word(i + 4) + a) >>> 0
  }
  return [a, b]
}

const PAGE_BYTES_MIN = 512
const PAGE_BYTES_MAX = 65_536
const DEFAULT_PAGE_BYTES = 4096

function isPageSize(size: number): boolean {
  return size >= PAGE_BYTES_MIN && size <= PAGE_BYTES_MAX && (size & (size - 1)) === 0
}

function checksumIn(bytes: Buffer, at: number): Checksum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
}

function isSame([a, b]: Checksum, [c, d]: Checksum): boolean {
  return a === c && b === d
}
