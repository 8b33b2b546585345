/** Makes a switch over a closed union fail to compile when the union grows. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
