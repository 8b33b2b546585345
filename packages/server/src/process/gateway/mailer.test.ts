import type { AddressInfo } from 'node:net'
import { Secret } from '@cofre/contracts'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { createMailer } from './mailer.js'

const MAIL = { to: 'ana@example.com', subject: 'Convite', text: 'Olá, Ana: https://c.example/x\n' }

/** A foreign mail server that records its letters. */
async function openMailServer(): Promise<{ port: number; received: string[] }> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (part: string) => (text += part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(' ')
        received.push(`to ${to}\n${text}`)
        done()
      })
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('ana@') ? undefined : new Error('no such box'))
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
      }),
  )
  return { port: (server.server.address() as AddressInfo).port, received }
}

const mailerAt = (url: string) =>
  createMailer({ url: new Secret(url), from: 'console@cofre.example' })

it('a letter is handed in as it is, and a refusal is an error', async () => {
  const { port, received } = await openMailServer()
  const mailer = mailerAt(`smtp://127.0.0.1:${port}`)
  await mailer.send(MAIL)
  expect(received).toHaveLength(1)
  expect(received[0]).toMatch(/^to ana@example\.com\n/)
  expect(received[0]).toContain('From: console@cofre.example')
  expect(received[0]).toContain('Subject: Convite')
  expect(received[0]).toContain('https://c.example/x')
  await expect(mailer.send({ ...MAIL, to: 'bia@example.com' })).rejects.toThrow('no such box')
})

it('no letter goes without TLS to another machine', async () => {
  const { port, received } = await openMailServer()
  // An address of this machine that is not recognised as one.
  await expect(mailerAt(`smtp://127.0.0.2:${port}`).send(MAIL)).rejects.toThrow()
  expect(received).toEqual([])
})
