/** Contents of files by name. */
type Archives = Readonly<Record<string, Uint8Array>>
export const SDK_VERSION: string
export function sdkArchives(): Archives
export function checksumsOf(archives: Archives): string
/** A component of a bill of materials. */
interface Component {
  readonly name: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}
export function billOfMaterials(archives: Archives): { readonly components: readonly Component[] }
