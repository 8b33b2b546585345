import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Version of this package, shared by all packages. */
export function productVersion(): string {
  const file = path.join(import.meta.dirname, '..', '..', 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
