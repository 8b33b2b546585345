import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api'
import { type Log, SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/work'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Metrics } from './metrics.js'
import type { ActiveSpan, SpanOptions, Tracing } from './tracing.js'

type Losses = Pick<Metrics, 'spansDropped'>

/** Time that a stop waits for an unreachable collector. */
const CLOSE_TIMEOUT_MS = 2 * SECOND_MS
const QUEUE_MAX = 2048

/** The parent of new spans. */
const currentSpan = new AsyncLocalStorage<Context>()
const propagator = new W3CTraceContextPropagator()

/**
 * Sends spans to a collector over OTLP/HTTP, in batches, in the background. A slow or unreachable
 * collector loses spans, which are counted, but never delays a request.
 * @param endpoint - The collector, as `OTEL_EXPORTER_OTLP_ENDPOINT` names it: without `/v1/traces`.
 */
export function createTracing(
  endpoint: string,
  version: string,
  losses: { readonly metrics: Losses; readonly log: Log },
): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'cofre', 'service.version': version }),
    spanProcessors: [countedQueue(watchedExporter(exporter, losses), losses.metrics)],
  })
  const tracer = provider.getTracer('cofre', version)
  return {
    span: (name, work, options = {}) => runSpan(tracer, { name, ...options }, work),
    traceparent() {
      const carrier: { traceparent?: string } = {}
      propagator.inject(currentSpan.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter)
      return carrier.traceparent
    },
    async close() {
      await answeredWithin(CLOSE_TIMEOUT_MS, () => provider.shutdown()).catch(() => undefined)
    },
  }
}

async function runSpan<T>(
  tracer: Tracer,
  { name, kind = SpanKind.INTERNAL, parent }: SpanOptions & { readonly name: string },
  work: (span: ActiveSpan) => Promise<T>,
): Promise<T> {
  const surrounding = currentSpan.getStore() ?? ROOT_CONTEXT
  const context = propagator.extract(surrounding, { traceparent: parent }, defaultTextMapGetter)
  const span = tracer.startSpan(name, { kind }, context)
  const active: ActiveSpan = {
    traceId: span.spanContext().traceId,
    set: (attributes) => span.setAttributes(attributes),
    fail: () => span.setStatus({ code: SpanStatusCode.ERROR }),
  }
  try {
    return await currentSpan.run(trace.setSpan(context, span), () => work(active))
  } catch (error) {
    // Only the name: a message may quote payment data.
    active.set({ 'error.type': error instanceof Error ? error.name : 'unknown' })
    active.fail()
    throw error
  } finally {
    span.end()
  }
}

/** Counts the spans that the collector refuses, and logs when this begins and ends. */
export function watchedExporter(
  exporter: SpanExporter,
  { metrics, log }: { readonly metrics: Losses; readonly log: Log },
): SpanExporter {
  let isTaken = true
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const wasTaken = isTaken
        isTaken = result.code === ExportResultCode.SUCCESS
        if (!isTaken) metrics.spansDropped.inc(spans.length)
        if (wasTaken && !isTaken)
          log.warn(
            { error: result.error },
            'collector refused spans; they are lost until it accepts them',
          )
        if (!wasTaken && isTaken) log.info({}, 'collector accepts spans again')
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Counts the spans that a batch processor would drop silently when its queue is full. */
export function countedQueue(exporter: SpanExporter, { spansDropped }: Losses): SpanProcessor {
  let queued = 0
  const processor = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        queued -= spans.length
        exporter.export(spans, done)
      },
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: QUEUE_MAX,
  })
  return {
    onStart: (span, context) => {
      processor.onStart(span, context)
    },
    onEnd(span) {
      if (queued < QUEUE_MAX) queued++
      else spansDropped.inc()
      processor.onEnd(span)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
}
