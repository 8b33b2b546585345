// Loaded into a process with --import: each SIGUSR2 moves its clock ahead by a day and an hour, and
// prints a line.
import process from 'node:process'

const machineNow = Date.now
let aheadMs = 0
Date.now = () => machineNow() + aheadMs
process.on('SIGUSR2', () => {
  aheadMs += 25 * 60 * 60 * 1000
  process.stdout.write('clock moved\n')
})
