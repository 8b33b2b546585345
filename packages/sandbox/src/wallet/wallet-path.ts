/** Where the sandbox's wallet waits for the payer. */
export function walletPath(publicId: string): string {
  return `/w/${publicId}`
}
