import { type Library, integrityOf, releasePath } from '@cofre/vault/http'

/** Where the current release of the library is for good, and the hash that it must have there. */
export interface LibraryAddress {
  readonly url: string
  readonly integrity: string
}

export function libraryAddress({ current }: Library, vaultUrl: string): LibraryAddress {
  const [script] = current.files
  return { url: `${vaultUrl}/${releasePath(current, script)}`, integrity: integrityOf(script) }
}

/** The tag for the shop's page, held against the file's integrity (PCI DSS 6.4.3), in two lines. */
export function scriptTag({ url, integrity }: LibraryAddress): string[] {
  return [`<script src="${url}"`, `  integrity="${integrity}" crossorigin="anonymous"></script>`]
}

/** What a Content-Security-Policy must allow for the library to work. */
export function contentSecurityPolicy(vaultUrl: string): string {
  return `script-src ${vaultUrl}; connect-src ${vaultUrl}`
}
