/** The deliveries that an environment's enabled endpoints have not accepted yet. */
export interface EventBacklog {
  /** Their number. */
  readonly waiting: number
  /**
   * When the oldest that was never tried became due, at endpoints that accepted the last one;
   * undefined without any. By the environment's clock; it may be in the future.
   */
  readonly unsentSinceMs: number | undefined
  /** Endpoints that did not accept the last one. */
  readonly failingEndpoints: number
}

/** The deliveries of one endpoint. */
export interface EndpointBacklog {
  readonly waiting: number
  /** When it last accepted one; undefined if it has accepted none of those that are kept. */
  readonly deliveredAtMs: number | undefined
}
