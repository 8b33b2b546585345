// The processes of this machine and what they have used, from Linux's /proc; elsewhere there are
// none to see.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** Ticks of /proc's clock in a second. */
const TICKS = 100

/** A process and all below it, with the seconds of processor time that each has used. */
export function processTree(root) {
  const all = processes()
  const tree = all.filter(({ pid }) => pid === root)
  // The list grows while it is walked: children of children follow.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/** Seconds of processor time that a process and all below it have used. */
export function busySeconds(root) {
  return processTree(root).reduce((total, { seconds }) => total + seconds, 0)
}

function processes() {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [parse(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'))]
      } catch {
        // It ended while the folder was read.
        return []
      }
    })
}

function parse(pid, stat) {
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat)
  const fields = rest.split(' ')
  // Its own, and those of its children that have ended: PostgreSQL's connections come and go.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return {
    pid: Number(pid),
    name,
    hasEnded: fields[0] === 'Z',
    parent: Number(fields[1]),
    seconds: ticks / TICKS,
  }
}
