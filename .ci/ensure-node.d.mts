/** A package with a Node, and the hash of its tarball. */
interface NodePackage {
  readonly spec: string
  readonly integrity: string
}
export const PACKAGES: Readonly<Record<string, NodePackage>>
export function installPackage(node: NodePackage, runNpm: (args: readonly string[]) => void): void
