// Requirements of tests. If the machine lacks one, the test is skipped, and its entry in Vitest's
// JSON report is `"status": "skipped", "meta": { "needs": ["nginx"] }`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

declare module 'vitest' {
  interface TaskMeta {
    /** The test's requirements that this machine lacks. */
    needs?: readonly string[]
  }
}

const runs = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Checks for the requirements, by their common names. */
const NEEDS = {
  'a system with file modes': () => process.platform !== 'win32',
  'a user other than root': () => process.getuid?.() !== 0,
  '/dev/full': () => existsSync('/dev/full'),
  Composer: () => runs('composer', '--version'),
  curl: () => runs('curl', '--version'),
  git: () => runs('git', '--version'),
  Linux: () => process.platform === 'linux',
  nginx: () => runs('nginx', '-v') || runs('/usr/sbin/nginx', '-v'),
  OpenSSL: () => runs('openssl', 'version'),
  'OpenSSL 3': () => String(spawnSync('openssl', ['version']).stdout).startsWith('OpenSSL 3'),
  'PHP 8.2': () => runs('php', '-r', 'exit(PHP_VERSION_ID >= 80200 ? 0 : 1);'),
  "PHP's curl": () => runs('php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"),
  pip: () => runs('python3', '-m', 'pip', '--version'),
  'poppler-utils': () => runs('pdftotext', '-v'),
  promtool: () => runs('promtool', '--version'),
  'Python 3.10': () => runs('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'),
  sh: () => runs('sh', '-c', 'exit 0'),
} as const satisfies Record<string, () => boolean>

export type Need = keyof typeof NEEDS

const asked = new Map<Need, boolean>()

/** True if the machine has it; checked once. */
export function isHere(need: Need): boolean {
  const known = asked.get(need) ?? NEEDS[need]()
  asked.set(need, known)
  return known
}

/** Options of a test or a suite that is skipped if one of these is missing. */
export function needs(...all: readonly Need[]) {
  const missing = all.filter((need) => !isHere(need))
  return missing.length === 0 ? {} : { skip: true, meta: { needs: missing } }
}
