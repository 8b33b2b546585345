import { InMemorySpanExporter, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { testServing } from '../http/serving.fixture.js'
import { countedQueue, watchedExporter } from './otlp-tracing.js'

describe('Lost spans', () => {
  it('are counted, with one line when the collector goes and one when it is back', async () => {
    const [taking, refusing] = [new InMemorySpanExporter(), new InMemorySpanExporter()]
    await refusing.shutdown()
    let now: SpanExporter = taking
    const serving = testServing()
    const exporter = watchedExporter(
      {
        export(spans, done) {
          now.export(spans, done)
        },
        shutdown: () => Promise.resolve(),
      },
      serving,
    )
    for (now of [taking, refusing, refusing, refusing, taking, taking, refusing])
      await new Promise((reported) => {
        exporter.export([], reported)
      })
    const levels = serving.lines.map((line) => (JSON.parse(line) as { level: number }).level)
    expect(levels).toEqual([40, 30, 40])
  })

  it('are counted, too, when they found the queue full', async () => {
    const serving = testServing()
    const { metrics } = serving
    const taken: number[] = []
    let finish = (): void => undefined
    const slow: SpanExporter = {
      export(spans, done) {
        taken.push(spans.length)
        finish = () => {
          new InMemorySpanExporter().export(spans, done)
        }
      },
      shutdown: () => Promise.resolve(),
    }
    const processor = countedQueue(slow, metrics)
    const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer('test')
    const end = (count: number): void => {
      for (let i = 0; i < count; i++) tracer.startSpan('job').end()
    }
    const dropped = async () => (await metrics.spansDropped.get()).values[0]?.value
    // The first batch is being sent, and the queue has room for 2048 more.
    end(512)
    expect(taken).toEqual([512])
    end(2048)
    expect(await dropped()).toBe(0)
    end(100)
    expect(await dropped()).toBe(100)
    // The next batch makes room for as many.
    finish()
    await expect.poll(() => taken).toEqual([512, 512])
    end(512)
    expect(await dropped()).toBe(100)
    end(1)
    expect(await dropped()).toBe(101)
  })
})
