// A process of the roles that it is given, separated by commas. Its vault plays the acquirers of
// its cards, as that of `npm start` does. Says so when it has started, and ends with Ctrl-C.
import process from 'node:process'
import { readConfig } from '../packages/server/dist/config/config.js'
import { openLog } from '../packages/server/dist/observability/log.js'
import { startCofre } from '../packages/server/dist/process/start.js'

const config = readConfig(process.env, 'dev')
const roles = process.argv[2].split(',')
const running = await startCofre(config, roles, openLog(config))
process.once('SIGINT', () => void running.close())
process.stdout.write('"msg":"started"\n')
