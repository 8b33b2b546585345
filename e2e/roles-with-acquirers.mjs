// A process with the given roles, separated by commas. Its vault simulates the acquirers, as in
// `npm start`. Prints a line once it has started, and ends with Ctrl-C.
import process from 'node:process'
import { readConfig } from '../packages/server/dist/config/config.js'
import { openLog } from '../packages/server/dist/observability/log.js'
import { startCofre } from '../packages/server/dist/process/start.js'

const config = readConfig(process.env, 'dev')
const roles = process.argv[2].split(',')
const running = await startCofre(config, roles, openLog(config))
process.once('SIGINT', () => void running.close())
process.stdout.write('"msg":"started"\n')
