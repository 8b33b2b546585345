import type { Attributes, SpanKind } from '@opentelemetry/api'

/** A running span. Attributes never contain card or payer data, secrets or bodies. */
export interface ActiveSpan {
  readonly traceId: string | undefined
  set(attributes: Attributes): void
  fail(): void
}

export interface SpanOptions {
  readonly kind?: SpanKind
  /** `traceparent` of W3C Trace Context, from a trusted caller. */
  readonly parent?: string | undefined
}

export interface Tracing {
  /** Runs work as a child of the current span. A rejection marks the span as failed. */
  span<T>(name: string, work: (span: ActiveSpan) => Promise<T>, options?: SpanOptions): Promise<T>
  /** `traceparent` of the current span, for requests to another process. */
  traceparent(): string | undefined
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>
}

const NO_SPAN: ActiveSpan = { traceId: undefined, set: () => undefined, fail: () => undefined }

/** Tracing turned off. */
export const NO_TRACING: Tracing = {
  span: (_name, work) => work(NO_SPAN),
  traceparent: () => undefined,
  close: () => Promise.resolve(),
}
