import { type Library, integrityOf, releasePath } from '@cofre/vault/http'

/** The tag for the shop's page, held against the file's integrity (PCI DSS 6.4.3), in two lines. */
export function scriptTag({ current }: Library, vaultUrl: string): string[] {
  const [script] = current.files
  return [
    `<script src="${vaultUrl}/${releasePath(current, script)}"`,
    `  integrity="${integrityOf(script)}" crossorigin="anonymous"></script>`,
  ]
}

/** What a Content-Security-Policy must allow for the library to work. */
export function contentSecurityPolicy(vaultUrl: string): string {
  return `script-src ${vaultUrl}; connect-src ${vaultUrl}`
}
