export * from './answered-within.js'
export * from './error-reason.js'
export * from './outage-log.js'
export * from './repeated-job.js'
