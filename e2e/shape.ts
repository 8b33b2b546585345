import { randomBytes } from 'node:crypto'
import { type CofreProcess, type Ports, freePort, startCofre, startVault } from './cofre-process.js'
import { type AnswerHook, type RecordedRequest, startRecordingProxy } from './recording-proxy.js'

/** Number of processes of the product. */
export type Shape = 'one process' | 'stand-alone vault'

export interface RunningShape {
  /** The gateway's process, which also contains the vault in the shape `one process`. */
  readonly cofre: CofreProcess
  readonly processes: readonly CofreProcess[]
  /** The gateway's requests to the vault; empty in one process. */
  readonly vaultRequests: readonly RecordedRequest[]
  /** Stops everything and deletes the data. */
  dispose(): Promise<void>
}

export async function startInShape(
  shape: Shape,
  ports: Ports,
  environ: Readonly<Record<string, string>>,
): Promise<RunningShape> {
  if (shape === 'stand-alone vault') return await startStandAlone(ports, environ)
  const cofre = await startCofre(ports, environ)
  return { cofre, processes: [cofre], vaultRequests: [], dispose: () => cofre.dispose() }
}

/** A gateway and its vault in two processes, with a recording proxy between them. */
export interface StandAlone extends RunningShape {
  readonly vault: CofreProcess
  /** Environment of the vault's process, for a restart. */
  readonly vaultEnviron: Readonly<Record<string, string>>
}

export interface StandAloneOptions {
  /** Options of the gateway's Node. */
  readonly nodeArgs?: readonly string[]
  readonly beforeAnswer?: AnswerHook
  /** Default: true. The recording proxy accepts connections even while the vault is down. */
  readonly throughProxy?: boolean
}

export async function startStandAlone(
  ports: Ports,
  environ: Readonly<Record<string, string>>,
  { nodeArgs = [], beforeAnswer, throughProxy = true }: StandAloneOptions = {},
): Promise<StandAlone> {
  const servicePort = await freePort()
  const line = await startRecordingProxy(await freePort(), servicePort, beforeAnswer)
  const key = { COFRE_VAULT_SERVICE_KEY: `e2e:${randomBytes(32).toString('base64url')}` }
  const vaultEnviron = { ...environ, ...key, COFRE_VAULT_SERVICE_PORT: String(servicePort) }
  const vault = await startVault(ports, vaultEnviron)
  const url = throughProxy ? line.url : `http://127.0.0.1:${servicePort}`
  const cofre = await startCofre(
    ports,
    { ...environ, ...key, COFRE_VAULT_SERVICE_URL: url },
    nodeArgs,
  )
  return {
    cofre,
    vault,
    vaultEnviron: { ...vaultEnviron, COFRE_DATA_DIR: vault.dataDir },
    processes: [vault, cofre],
    vaultRequests: line.requests,
    async dispose() {
      await cofre.dispose()
      await vault.dispose()
      await line.close()
    },
  }
}
