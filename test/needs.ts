// What tests need of the machine. Where it is missing, a test is skipped, and its entry in Vitest's
// JSON report says so: `"status": "skipped", "meta": { "needs": ["nginx"] }`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks for the test. */
    needs?: readonly string[]
  }
}

const runs = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Whether it is here, by what people call it. */
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

/** Whether the machine has it; asked once. */
export function isHere(need: Need): boolean {
  const known = asked.get(need) ?? NEEDS[need]()
  asked.set(need, known)
  return known
}

/** Options of a test or a suite that is skipped where one of these is missing. */
export function needs(...all: readonly Need[]) {
  const missing = all.filter((need) => !isHere(need))
  return missing.length === 0 ? {} : { skip: true, meta: { needs: missing } }
}
