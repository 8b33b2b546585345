// Archives whose bytes depend only on the files in them: no times, owners or compression.
import { Buffer } from 'node:buffer'
import { crc32, gzipSync } from 'node:zlib'

const BLOCK_BYTES = 512
/** 1980-01-01, the earliest time of a zip. */
const EPOCH_SECONDS = 315_532_800
const ZIP_DATE = 0x0021
const FILE_MODE = 0o644

const inOrder = (files) =>
  Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** @param files - Contents by path. */
export function tarGz(files) {
  const blocks = inOrder(files).flatMap(([name, content]) => {
    const padding = Buffer.alloc(-content.length & (BLOCK_BYTES - 1))
    return [tarHeader(name, content.length), content, padding]
  })
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 0 })
  // The operating system: unknown.
  archive[9] = 0xff
  return archive
}

function tarHeader(name, size) {
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar`)
  header.write(name, 0)
  header.write(octal(FILE_MODE, 8) + octal(0, 8) + octal(0, 8), 100)
  header.write(octal(size, 12) + octal(EPOCH_SECONDS, 12), 124)
  header.write(' '.repeat(8) + '0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** @param files - Contents by path. */
export function zip(files) {
  const entries = []
  const directory = []
  let offset = 0
  for (const [name, content] of inOrder(files)) {
    const file = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(ZIP_DATE, 8)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(file.length, 22)
    entries.push(Buffer.from('PK\x03\x04', 'latin1'), facts, file, content)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((0o100_000 | FILE_MODE) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    // Made on Unix, by version 2.0.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, rest, file)
    offset += 4 + facts.length + file.length + content.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(directory.length / 4, 8)
  end.writeUInt16LE(directory.length / 4, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...entries, list, end])
}
