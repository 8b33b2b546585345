import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import process from 'node:process'

/** A regular expression as written. */
export interface Judged {
  readonly source: string
  readonly flags: string
}

interface CheckerOptions {
  readonly timeout: null
  readonly randomSeed: number
  readonly incubationTimeout: null
  readonly attackTimeout: null
}

type CheckerResult =
  | { readonly status: 'safe' }
  | {
      readonly status: 'vulnerable'
      readonly complexity: { readonly summary: string }
      readonly attack: { readonly pattern: string }
    }
  | { readonly status: 'unknown'; readonly error: { readonly kind: string } }

interface Recheck {
  checkSync: (source: string, flags: string, options: CheckerOptions) => CheckerResult
}

export const SAFE = 'safe'

const manifest = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'),
) as { readonly devDependencies: { readonly recheck: string } }

export const CHECKER_VERSION = manifest.devDependencies.recheck

/**
 * Checks the time of a pattern: `safe`, or a description of the problem. Undefined if the checker
 * is not installed.
 */
export function openChecker(): ((pattern: Judged) => string) | undefined {
  if (!existsSync(path.join(import.meta.dirname, 'node_modules', 'recheck'))) return undefined
  // Recheck's JavaScript is the same on every machine; its Java and its binaries stay unused.
  process.env.RECHECK_BACKEND = 'pure'
  const { checkSync } = createRequire(import.meta.url)('recheck') as Recheck
  return ({ source, flags }) => {
    // Without a time limit, and with a fixed random seed: a busy machine returns the same verdict
    // as an idle one.
    const result = checkSync(source, flags, {
      timeout: null,
      randomSeed: 1,
      incubationTimeout: null,
      attackTimeout: null,
    })
    switch (result.status) {
      case 'safe':
        return SAFE
      case 'vulnerable':
        return `${result.complexity.summary}: ${result.attack.pattern}`
      case 'unknown':
        return result.error.kind
    }
  }
}
