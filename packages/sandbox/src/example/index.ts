export { hasExamples } from './example-set-sql.js'
export { type Examples, startExamples } from './start-examples.js'
