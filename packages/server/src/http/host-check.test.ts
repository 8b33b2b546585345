import { get } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from './listen.js'
import { testApplication, testServing } from './serving.fixture.js'
import { freePort } from './free-port.fixture.js'

const PUBLIC_URL = 'https://api.example'

const PORT = await freePort()

describe('A port on loopback', () => {
  let close: () => Promise<void> = () => Promise.resolve()
  afterEach(async () => {
    await close()
  })

  async function open(host: string) {
    let asked = 0
    const application = testApplication(() => {
      asked++
      return new Response('hello')
    })
    const serving = testServing()
    close = await listen({
      role: 'panel',
      host,
      port: PORT,
      portVariable: 'COFRE_PANEL_PORT',
      publicUrl: PUBLIC_URL,
      application,
      serving,
    })
    return { serving, asked: () => asked }
  }

  function ask(host: string): Promise<{ status: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const target = {
        agent: false,
        host: '127.0.0.1',
        port: PORT,
        headers: { Host: host },
      } as const
      get(target, (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.once('end', () => {
          resolve({ status: response.statusCode, body })
        })
      }).once('error', reject)
    })
  }

  it('serves no page of a stranger whose name leads here', async () => {
    const { asked, serving } = await open('127.0.0.1')
    const { status, body } = await ask(`evil.example:${PORT}`)
    expect(status).toBe(421)
    expect(JSON.parse(body)).toMatchObject({
      errors: [{ code: 90014, description: 'host_not_accepted' }],
    })
    expect(asked()).toBe(0)
    expect(JSON.parse(serving.lines[0] ?? '')).toMatchObject({ status: 421, errors: [90014] })
    expect(await ask('api.example')).toMatchObject({ status: 200, body: 'hello' })
    expect(await ask(`localhost:${PORT}`)).toMatchObject({ status: 200 })
  })

  it('serves any host where it is bound to the network, too', async () => {
    await open('0.0.0.0')
    expect(await ask('cofre.internal')).toMatchObject({ status: 200 })
  })
})
