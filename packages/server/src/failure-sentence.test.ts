import { describe, expect, it } from 'vitest'
import { UsageError } from './commands/line/command.js'
import { failureSentence } from './failure-sentence.js'
import { outputFailureSentence } from './process-output.js'
import { SetupError } from './config/errors.js'

const withCode = (message: string, codes: object): Error => Object.assign(new Error(message), codes)
const SQLITE_FULL = { code: 'ERR_SQLITE_ERROR', errcode: 13 }

describe('A command’s report of its failure', () => {
  it.each<[Error, string]>([
    [new UsageError('what?'), 'what? (see cofre --help)'],
    [new UsageError('what?', 'cofre keys --help'), 'what? (see cofre keys --help)'],
    [new SetupError('It is not there', 'gone'), 'It is not there (gone)'],
    [withCode('ENOSPC: no space left on device', { code: 'ENOSPC' }), 'the disk is full: ENOSPC'],
    ...['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EROFS', 'EEXIST'].map((code): [Error, string] => [
      withCode(`${code}: some words, open 'x'`, { code }),
      `cannot be used as it is: ${code}: some words, open 'x'. Check what COFRE_DATA_DIR says`,
    ]),
    [
      withCode('ENOENT: no such file, mkdir', { code: 'ENOENT', syscall: 'mkdir' }),
      'cannot be used as it is: ENOENT',
    ],
    [
      withCode('database or disk is full', SQLITE_FULL),
      'cannot work now: database or disk is full',
    ],
    [withCode('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'the database cannot work now'],
  ])('is a sentence for %s', (error, text) => {
    const sentence = failureSentence(error)
    expect(sentence).toContain(text)
    expect(sentence).toMatch(/^cofre: .+$/)
  })

  it('has all details for a bug', () => {
    expect(failureSentence(new TypeError('x is undefined'))).toContain('failure-sentence.test')
    const missing = withCode('ENOENT: no such file, open', { code: 'ENOENT', syscall: 'open' })
    expect(failureSentence(missing)).toContain('failure-sentence.test')
  })

  it.each([
    ['EPIPE', 'the output cannot be written'],
    ['ENOSPC', 'the disk is full'],
  ])('names the output: %s', (code, text) => {
    expect(outputFailureSentence(withCode(`write ${code}`, { code }))).toContain(text)
  })
})
