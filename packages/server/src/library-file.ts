import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from './setup-error.js'

/** The browser library, as the vault serves it. */
export interface LibraryFile {
  readonly fileName: string
  readonly javascript: string
}

const CLIENT = fileURLToPath(import.meta.resolve('@cofre/client'))

/** Reads the built script-tag library. @throws when the build was for another vendor, or was not run. */
export function readLibrary(vendor: string): LibraryFile {
  const fileName = `payment.${vendor}.min.js`
  const file = path.join(path.dirname(CLIENT), fileName)
  try {
    return { fileName, javascript: readFileSync(file, 'utf8') }
  } catch (cause) {
    throw new SetupError(
      `${fileName} was not built: run npm run build with COFRE_VENDOR=${vendor}`,
      cause,
    )
  }
}
