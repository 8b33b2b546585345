import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Releases memory that only the start needed. Loading every module makes V8's young generation grow
 * to its 64 MB, which an idle process would keep; it grows again with the load.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  // The only flavor that also shrinks the young generation.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
