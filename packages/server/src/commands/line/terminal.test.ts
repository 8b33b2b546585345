import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openTerminal } from './terminal.js'

function openTestTerminal() {
  const input = new PassThrough()
  const output = new PassThrough()
  let seen = ''
  output.on('data', (chunk: Buffer) => (seen += chunk.toString()))
  return { terminal: openTerminal(input, output), type: input.write.bind(input), seen: () => seen }
}

it('A terminal shows what is asked and answered, but nothing of a secret', async () => {
  const { terminal, type, seen } = openTestTerminal()
  const name = terminal.prompt('Client id: ')
  type(' Client_Id_1 \r')
  expect(await name).toBe('Client_Id_1')
  const secret = terminal.promptSecret('Client secret: ')
  type(' s3cre')
  type('t\r')
  expect((await secret).reveal()).toBe(' s3cret')
  expect(seen()).toContain('Client id: ')
  expect(seen()).toContain('Client_Id_1')
  expect(seen()).toContain('Client secret: \n')
  expect(seen()).not.toMatch(/s3|cret$/)
})

it.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s ends the questions', async (_, key) => {
  const { terminal, type } = openTestTerminal()
  const asked = terminal.promptSecret('Client secret: ')
  type(key)
  await expect(asked).rejects.toThrow('stopped before the last answer: nothing was changed')
})
