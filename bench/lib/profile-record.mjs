// Loaded before the product (`node --import`): SIGUSR2 begins a profile of its one thread, the next
// ends it and writes it to the file that COFRE_BENCH_PROFILE names.
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import process from 'node:process'

const FILE = process.env.COFRE_BENCH_PROFILE
const INTERVAL_MICROSECONDS = 500

const session = new Session()
session.connect()
let isRecording = false

process.on('SIGUSR2', async () => {
  isRecording = !isRecording
  if (isRecording) {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS })
    await session.post('Profiler.start')
    return
  }
  const { profile } = await session.post('Profiler.stop')
  writeFileSync(`${FILE}.part`, JSON.stringify(profile))
  renameSync(`${FILE}.part`, FILE)
})
