import { isSandboxTimeBody, type SandboxTimeBody } from './answer.js'
import { type MerchantClientOptions, channelOf } from './merchant-client.js'
import { send } from './signed-channel.js'

export type { SandboxTimeBody } from './answer.js'

/** A hand on the sandbox, for a shop's own tests. Fails as the merchant client does. */
export interface SandboxClient {
  clock(): Promise<SandboxTimeBody>
  /** Lets time pass for the whole sandbox: what has become due meanwhile happens now. */
  advanceClock(seconds: number): Promise<SandboxTimeBody>
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function createSandboxClient(options: MerchantClientOptions): SandboxClient {
  const channel = channelOf(options)
  const isAnswer = isSandboxTimeBody
  return {
    clock: () => send(channel, { version: 'v1', target: '/sandbox/clock', isAnswer }),
    advanceClock: (seconds) =>
      send(channel, {
        version: 'v1',
        target: '/sandbox/clock/advance',
        body: { seconds },
        isAnswer,
      }),
  }
}
