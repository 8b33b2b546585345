import { createObservabilityRoutes } from './observability/observability-routes.js'
import { type ProcessParts, listenAs } from './process-parts.js'

/** Serves what operators' machines look at, from before the databases are opened until after they are closed. @throws ListenError */
export async function serveMetrics(parts: ProcessParts): Promise<void> {
  const { telemetry, log } = parts
  await listenAs(parts, 'metrics', createObservabilityRoutes({ ...telemetry, log }))
}
