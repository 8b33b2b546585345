// What each module costs of a minified script: by how much gzip shrinks without its characters,
// which its source map knows. What modules share is nobody's, so the sum is less than the whole.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

export const gzipped = (content) => gzipSync(content, { level: 9 })
export const gzipBytes = (content) => gzipped(content).length

/** The modules of a built script with their bytes, the dearest first. */
export function moduleCosts(file) {
  const code = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file.href}.map`), 'utf8')))
  const owners = code.split('\n').flatMap((line, row) => {
    const ownerAt = (column) => {
      const { generatedLine, originalSource } = map.findEntry(row, column)
      const isMapped = generatedLine === row && originalSource !== undefined
      return isMapped ? path.posix.basename(originalSource, path.extname(originalSource)) : ''
    }
    // The line's end is one more.
    return Array.from({ length: line.length + 1 }, (_, column) => ownerAt(column))
  })
  const costOf = (name) => {
    const others = Array.from(code).filter((_, i) => owners[i] !== name)
    return gzipBytes(code) - gzipBytes(others.join(''))
  }
  return [...new Set(owners)]
    .filter((name) => name !== '')
    .map((name) => ({ name, bytes: costOf(name) }))
    .toSorted((a, b) => b.bytes - a.bytes)
}
