// Builds what changed, then runs the whole product in this process.
import process from 'node:process'
import './build.mjs'

if (process.exitCode === 0 || process.exitCode === undefined) {
  process.argv.splice(2, process.argv.length, 'dev')
  await import('../packages/server/dist/cofre.js')
}
