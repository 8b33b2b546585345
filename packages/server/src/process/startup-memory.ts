import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back the memory that only the start needed. Loading every module makes V8's young
 * generation grow to its 64 MB, and a process with little to do would keep them; it grows again
 * with the load.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  // The one flavor that also shrinks the young generation.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
