import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'

const FILES = new URL('../../../../../test/judges/cnab/', import.meta.url)

/** One of the given return files. */
export async function handedOver(name: string): Promise<Buffer> {
  return await readFile(new URL(`${name}.ret`, FILES))
}

/** A file with some columns of a line overwritten. */
export function writtenOver(
  file: Buffer,
  { line, column, text }: { readonly line: number; readonly column: number; readonly text: string },
): Buffer {
  const lines = file.toString('latin1').split('\n')
  const before = lines[line - 1] ?? ''
  const end = column - 1 + text.length
  lines[line - 1] = `${before.slice(0, column - 1)}${text}${before.slice(end)}`
  return Buffer.from(lines.join('\n'), 'latin1')
}
