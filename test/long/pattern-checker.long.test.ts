// Long, because the checker takes 58 MB: only `npm run test:long` installs it.
import { expect, it } from 'vitest'
import { openChecker } from './pattern-checker.js'

it.each([
  ['a parameter', '([?&])([^=&]*)=([^&]*)', 'g'],
  ['a charset', '^charset\\s*=\\s*"?([^"]*)"?$', 'i'],
  ['nested repetition', '^(a+)+$', ''],
  ['a token', '[\\w-]{10,}\\.[\\w-]*\\.[\\w-]+\\.[\\w-]+\\.[\\w-]+', 'g'],
  ['a security code’s name', 'secur\\w*[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur', 'i'],
])('the checker objects to a pattern of more than linear time: %s', (_, source, flags) => {
  expect(openChecker()?.({ source, flags })).toMatch(/polynomial|exponential/)
})
