import { randomBytes } from 'node:crypto'
import { type CofreProcess, type Ports, freePort, startCofre, startVault } from './cofre-process.js'
import { type AnswerHook, type RecordedRequest, startRecordingProxy } from './recording-proxy.js'

/** How many processes the product runs in. */
export type Shape = 'one process' | 'stand-alone vault'

export interface RunningShape {
  /** The process of the gateway, and of the vault if there is one for both. */
  readonly cofre: CofreProcess
  readonly processes: readonly CofreProcess[]
  /** What the gateway sent to the vault; nothing within one process. */
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

/** A gateway and its vault in two processes, and who listens between them. */
export interface StandAlone extends RunningShape {
  readonly vault: CofreProcess
  /** How the vault's process was started, to start it again. */
  readonly vaultEnviron: Readonly<Record<string, string>>
}

export interface StandAloneOptions {
  /** For the gateway's Node. */
  readonly nodeArgs?: readonly string[]
  readonly beforeAnswer?: AnswerHook
  /** Whether somebody listens between them; then the gateway always reaches somebody. */
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
