import type { SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Log } from '@cofre/contracts'
import type { Metrics } from './metrics.js'

/** Where it is told that spans were lost. */
export interface LossObservers {
  readonly metrics: Pick<Metrics, 'spansDropped'>
  readonly log: Log
}

/** `ExportResultCode.SUCCESS` of the SDK's core. */
const EXPORTED = 0

/** Counts the spans that a collector did not take, and writes a line when that begins and when it ends: not one per export. */
export function watchedExporter(
  exporter: SpanExporter,
  { metrics, log }: LossObservers,
): SpanExporter {
  let isTaken = true
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        const wasTaken = isTaken
        isTaken = (result.code as number) === EXPORTED
        if (!isTaken) metrics.spansDropped.inc(spans.length)
        if (wasTaken && !isTaken)
          log.warn({ error }, 'the collector takes no spans; they are lost until it does')
        if (!wasTaken && isTaken) log.info({}, 'the collector takes spans again')
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/**
 * A processor in front of one that lets spans go when its queue is full, which it tells nobody: counts them.
 * @param create - Makes the processor that queues, for an exporter that takes from its queue.
 */
export function countedQueue(
  exporter: SpanExporter,
  create: (exporter: SpanExporter, queueMax: number) => SpanProcessor,
  { spansDropped }: LossObservers['metrics'],
): SpanProcessor {
  let queued = 0
  const taking: SpanExporter = {
    export(spans, done) {
      queued -= spans.length
      exporter.export(spans, done)
    },
    shutdown: () => exporter.shutdown(),
  }
  const processor = create(taking, QUEUE_MAX)
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

const QUEUE_MAX = 2048
