import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Clock } from '@cofre/contracts'
import type { RandomBytes, RunningPixBank } from '@cofre/simulators'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { SimulatorName } from '../config/config.js'
import { type Application, servedRequests } from '../http/serve.js'
import { type ProcessParts, listenAs, servingDeps } from './parts.js'

export const SIMULATOR_HOST = '127.0.0.1'

/** What a simulator of each kind has once it runs. */
type Running = Pick<RunningPixBank, 'page' | 'pageUrl' | 'authority' | 'issue' | 'stop'>

/** A simulator that runs, and where it sends notices. */
export type Playing<Simulator extends Running> = Simulator & { readonly noticesUrl: string }

/** A provider that `npm start` plays for accounts of kind simulator, over real HTTPS. */
export interface SimulatorPlay<Simulator extends Running> {
  readonly name: SimulatorName
  /** `the simulated bank` */
  readonly title: string
  /** Below the data directory's `simulators`. */
  readonly folder: string
  /** Whether its notices come with a certificate, without which nobody gets through. */
  readonly showsCertificate: boolean
  start(options: {
    readonly folder: string
    readonly clock: Clock
    readonly randomBytes: RandomBytes
    readonly pageUrl: string
  }): Promise<Simulator>
  /** What is to be done before anybody calls it. */
  readonly started?: (simulator: Playing<Simulator>) => Promise<void>
}

export interface PlayedProvider<Simulator extends Running> {
  /** Starts it at the first need: until then it takes neither time nor memory. */
  readonly play: () => Promise<Playing<Simulator>>
  /**
   * Serves its page.
   * @param notices - Where its notices go.
   * @throws ListenError
   */
  serve(notices: Application): Promise<void>
}

export function createPlayedProvider<Simulator extends Running>(
  parts: ProcessParts,
  played: SimulatorPlay<Simulator>,
): PlayedProvider<Simulator> {
  const { promise: noticesKnown, resolve: tellNotices } = Promise.withResolvers<Application>()
  let playing: Promise<Playing<Simulator>> | undefined
  const play = (): Promise<Playing<Simulator>> =>
    (playing ??= noticesKnown
      .then((notices) => start(parts, played, notices))
      .catch((error: unknown) => {
        playing = undefined
        parts.log.error({ error }, `${played.title} cannot start`)
        throw error
      }))
  return {
    play,
    async serve(notices) {
      tellNotices(notices)
      const page = new Hono().all('*', async (c) => (await play()).page(c.req.raw))
      page.onError(({ message }, c) => c.text(message, 503))
      await listenAs(parts, played.name, page)
    },
  }
}

async function start<Simulator extends Running>(
  parts: ProcessParts,
  played: SimulatorPlay<Simulator>,
  notices: Application,
): Promise<Playing<Simulator>> {
  const { config, clock, closings, log } = parts
  const simulator = await played.start({
    folder: path.join(config.dataDir, 'simulators', played.folder),
    clock,
    randomBytes,
    pageUrl: config.endpoints[played.name].publicUrl,
  })
  closings.push(() => simulator.stop())
  const noticesUrl = await listenForNotices(parts, { ...played, ...simulator }, notices)
  const playing = { ...simulator, noticesUrl }
  await played.started?.(playing)
  log.info({ page: simulator.pageUrl }, `${played.title} has started`)
  return playing
}

/** Providers call HTTPS alone. */
async function listenForNotices(
  parts: ProcessParts,
  {
    issue,
    authority,
    showsCertificate,
  }: Running & Pick<SimulatorPlay<Running>, 'showsCertificate'>,
  notices: Application,
): Promise<string> {
  const { certificate, privateKey } = await issue({
    name: 'Cofre',
    role: 'server',
    hosts: [SIMULATOR_HOST],
  })
  const fetch = servedRequests(notices, {
    ...servingDeps(parts, '', 'bounded'),
    role: 'notices',
    acceptsHost: () => true,
  })
  const listener = getRequestListener((request, bindings) => fetch(request, bindings))
  const options = {
    cert: certificate,
    key: privateKey.reveal(),
    ...(showsCertificate && { ca: authority, requestCert: true, rejectUnauthorized: true }),
  }
  const server = createServer(options, (request, response) => void listener(request, response))
  server.listen(0, SIMULATOR_HOST)
  await once(server, 'listening')
  parts.closings.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://${SIMULATOR_HOST}:${(server.address() as AddressInfo).port}`
}
