// A vault in a process of its own that plays the acquirers of its cards, as `npm start` does within
// one process. Says so when it has started, and ends with Ctrl-C.
import process from 'node:process'
import { readConfig } from '../packages/server/dist/config/config.js'
import { openLog } from '../packages/server/dist/observability/log.js'
import { startCofre } from '../packages/server/dist/process/start.js'

const config = readConfig(process.env, 'dev')
const running = await startCofre(config, ['vault'], openLog(config))
process.once('SIGINT', () => void running.close())
process.stdout.write('"msg":"started"\n')
