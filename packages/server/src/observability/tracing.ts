import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import { currentSpan } from './current-request.js'
import { type LossObservers, countedQueue, watchedExporter } from './span-losses.js'

/** What is being traced, while it runs. Attributes never hold card or payer data, secrets or bodies. */
export interface ActiveSpan {
  readonly traceId: string | undefined
  set(attribute: string, value: string | number): void
  rename(name: string): void
  fail(): void
}

export interface SpanOptions {
  readonly kind?: 'server' | 'internal'
  /** `traceparent` of W3C Trace Context, from a caller that is trusted. */
  readonly parent?: string | undefined
}

/** Traces what a process does. */
export interface Tracing {
  /** Runs work as a span, a child of the span that it runs in. What it rejects with marks the span as failed. */
  span<T>(name: string, work: (span: ActiveSpan) => Promise<T>, options?: SpanOptions): Promise<T>
  /** `traceparent` of the span that the code is running in, for what is asked of another process. */
  traceparent(): string | undefined
  /** Sends what is left. Never rejects. */
  close(): Promise<void>
}

/** What a stop waits for a collector that is gone. */
const CLOSE_TIMEOUT_MS = 2 * SECOND_MS

const NO_SPAN: ActiveSpan = {
  traceId: undefined,
  set: () => undefined,
  rename: () => undefined,
  fail: () => undefined,
}

/** Traces nothing, and costs a call. */
export const NO_TRACING: Tracing = {
  span: (_name, work) => work(NO_SPAN),
  traceparent: () => undefined,
  close: () => Promise.resolve(),
}

/**
 * Sends spans to a collector over OTLP/HTTP, in batches, in the background: a collector that is slow or gone costs spans, which
 * are counted, never a request.
 * @param endpoint - The collector, as `OTEL_EXPORTER_OTLP_ENDPOINT` names it: without `/v1/traces`.
 */
export function createTracing(
  endpoint: string,
  version: string,
  observers: LossObservers,
): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const processor = countedQueue(
    watchedExporter(new OTLPTraceExporter({ url }), observers),
    (exporter, maxQueueSize) => new BatchSpanProcessor({ exporter, maxQueueSize }),
    observers.metrics,
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'cofre', 'service.version': version }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('cofre', version)
  return {
    span: (name, work, options = {}) => runSpan(tracer, { name, options }, work),
    traceparent: () => traceparentOf(currentSpan.getStore()),
    async close() {
      await answeredWithin(CLOSE_TIMEOUT_MS, () => provider.shutdown()).catch(() => undefined)
    },
  }
}

async function runSpan<T>(
  tracer: Tracer,
  { name, options }: { readonly name: string; readonly options: SpanOptions },
  work: (span: ActiveSpan) => Promise<T>,
): Promise<T> {
  const parent = contextOf(options.parent) ?? currentSpan.getStore() ?? ROOT_CONTEXT
  const kind = options.kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL
  const span = tracer.startSpan(name, { kind }, parent)
  const active: ActiveSpan = {
    traceId: span.spanContext().traceId,
    set: (attribute, value) => {
      const attributes: Attributes = { [attribute]: value }
      span.setAttributes(attributes)
    },
    rename: (renamed) => span.updateName(renamed),
    fail: () => span.setStatus({ code: SpanStatusCode.ERROR }),
  }
  try {
    return await currentSpan.run(trace.setSpan(parent, span), () => work(active))
  } catch (error) {
    // Its name alone: a message may quote what it is about.
    active.set('error.type', error instanceof Error ? error.name : 'unknown')
    active.fail()
    throw error
  } finally {
    span.end()
  }
}

function traceparentOf(context: Context | undefined): string | undefined {
  const span = context === undefined ? undefined : trace.getSpanContext(context)
  if (span === undefined) return undefined
  const flags = span.traceFlags.toString(16).padStart(2, '0')
  return `00-${span.traceId}-${span.spanId}-${flags}`
}

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/

function contextOf(traceparent: string | undefined): Context | undefined {
  const { traceId, spanId, flags } = TRACEPARENT.exec(traceparent ?? '')?.groups ?? {}
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}
