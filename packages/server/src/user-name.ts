import { userInfo } from 'node:os'

/** Who this process is, by the system's name. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers may run under a number that no account has.
    return 'unknown'
  }
}
